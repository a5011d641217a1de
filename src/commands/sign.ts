import {randomUUID} from 'node:crypto';

import {BaseCommand} from '../cli/base-command.js';
import {arg, flag} from '../cli/flags/flag.js';
import {readBody} from '../cli/input/body-input.js';
import {printJson, printVerbatim} from '../cli/output/output.js';
import {checkSignature} from '../cli/send/check-signature.js';
import {step, visibleLines} from '../cli/send/check-text.js';
import {loadSender} from '../cli/send/load-sender.js';
import {type CheckedFlags, requiredBody} from '../cli/send/request-to-check.js';
import {senderFlags} from '../cli/send/sender-flags.js';
import {HEADER_METHODS} from '../client/credentials.js';
import {chooseChallenge} from '../client/digest-challenge.js';
import {explainSigning} from '../client/explain-signing.js';
import {signRequest} from '../client/sign-request.js';
import {KEY_OF_METHOD} from '../contract/auth-method.js';
import {PaylensError} from '../contract/paylens-error.js';
import {signedCurl} from '../export/copy-forms.js';

/** Makes the Authorization header of a request, or checks one. */
export default class Sign extends BaseCommand {
  static override description =
    'Create the Authorization header for a request.\n\n' +
    'The body is signed byte for byte, without trimming or decoding. Keys are taken from a ' +
    'file, PAYLENS_PARTNER_KEY or PAYLENS_SHARED_KEY, the keyfile, or a hidden prompt. With ' +
    '--check or --request-file, the header of a request is verified: the exit code is 7 if it is ' +
    'invalid, and a valid header that has expired is reported. A request file has a curl command, ' +
    'a HAR or an HTTP request; files that it names are not read.';
  static override args = {
    body: arg.optional('request body: file name, - for stdin, or a JSON object'),
  };
  static override flags = {
    method: flag.chosen(HEADER_METHODS, 'hmac', 'authentication method'),
    url: flag.text('URL', 'full request URL', {exclusive: ['target']}),
    target: flag.text('PATH', 'path and query of the request'),
    timestamp: flag.integer(
      'UNIX_TIME',
      'Unix time in seconds (with --check: time of the check); default: now',
      {min: 0},
    ),
    nonce: flag.text('TEXT', 'nonce; default: a new one'),
    challenge: flag.text('TEXT', 'digest: the WWW-Authenticate value of the server'),
    curl: flag.on('print a complete curl command', {dependsOn: ['url']}),
    explain: flag.on('show each step'),
    check: flag.text('HEADER', 'verify this header or curl command and explain any error', {
      exclusive: ['curl', 'nonce', 'challenge', 'request-file'],
    }),
    'request-file': flag.text(
      'FILE',
      'verify the request in this file (- for stdin): curl command, HAR or HTTP text',
      {exclusive: ['curl', 'nonce', 'challenge']},
    ),
    entry: flag.integer('N', 'number of the request, if the request file has several', {min: 1}),
    ...senderFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> body.json --target /api/v1/partner/validate --partner DEMO --shared-key-file key.txt',
    '<%= config.bin %> <%= command.id %> - --url http://127.0.0.1:8080/api/v1/decrypt/parser --partner DEMO --curl < body.json',
    `<%= config.bin %> <%= command.id %> body.json --target /api/v1/decrypt/parser --partner DEMO --check 'Hmac username="DEMO", ...'`,
    '<%= config.bin %> <%= command.id %> --request-file request.sh --shared-key-file key.txt',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Sign);
    if ((flags.check ?? flags['request-file']) !== undefined)
      return checkSignature(args.body, flags, targetOf);
    const given = requiredBody(args.body);
    const target = targetOf(flags);
    const {bytes: body, file} = await readBody(given);
    const request = {method: 'POST', target, body};
    const {method} = flags;
    const credentials = await loadSender(flags, KEY_OF_METHOD[method]);
    const terms = {
      nonce: flags.nonce ?? randomUUID(),
      timestamp: flags.timestamp ?? Math.floor(Date.now() / 1000),
      challenge: method === 'digest' ? challengeOf(flags.challenge) : undefined,
    };
    const authorization = await signRequest(request, method, credentials, terms);
    const steps = explainSigning(request, method, credentials, terms);
    const {url = ''} = flags;
    const curl = flags.curl ? signedCurl({url, authorization, body, file}) : undefined;
    if (flags.json)
      return printJson({authorization, ...(curl && {curl}), ...(flags.explain && {steps})});
    if (flags.explain)
      printVerbatim(steps.map(({name, value}) => step(name, visibleLines(value))).join('\n'));
    printVerbatim(curl ?? authorization);
  }
}

function targetOf({url, target}: CheckedFlags): string {
  const found = url === undefined ? target : url.split('#', 1)[0];
  const hint = 'Pass --url, or --target with the path, such as /api/v1/decrypt/parser.';
  if (found === undefined) throw new PaylensError(9001, 'missing --url or --target', {hint});
  const form = url === undefined ? /^\/[\x21-\x7e]*$/ : /^https?:\/\/[\x21-\x7e]+$/i;
  if (form.test(found)) return found;
  throw new PaylensError(
    9001,
    `--${url === undefined ? 'target' : 'url'} is not a valid URL or path`,
    {
      hint,
    },
  );
}

function challengeOf(text: string | undefined) {
  const challenge = text === undefined ? undefined : chooseChallenge([text]);
  if (challenge) return {...challenge, count: 1};
  const what =
    text === undefined
      ? '--method digest requires --challenge'
      : '--challenge: expected a Digest challenge of the realm Users';
  throw new PaylensError(9001, what, {
    hint: 'Copy the WWW-Authenticate value of a rejected request, or use --method digest-preemptive.',
  });
}
