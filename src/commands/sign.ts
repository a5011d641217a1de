import {randomUUID} from 'node:crypto';
import {string as argument} from '@oclif/core/args';
import {boolean, integer, option, string} from '@oclif/core/flags';
import type {SignatureExplanation} from '../auth/explain/explain-signature.js';
import {BaseCommand} from '../cli/base-command.js';
import {readBody} from '../cli/input/body-input.js';
import {note, printJson, printResult} from '../cli/output/output.js';
import {loadSender, type SenderFlags} from '../cli/send/load-sender.js';
import {senderFlags} from '../cli/send/sender-flags.js';
import {checkHeader, methodOfHeader} from '../client/check-header.js';
import {HEADER_METHODS} from '../client/credentials.js';
import {curlCommand} from '../client/curl-command.js';
import {chooseChallenge} from '../client/digest-challenge.js';
import {explainSigning, visibleLines} from '../client/explain-signing.js';
import {signRequest} from '../client/sign-request.js';
import {KEY_OF_METHOD} from '../contract/auth-method.js';
import {PaylensError} from '../contract/paylens-error.js';

const CHECK_FAILED = 7;

/** Makes the Authorization header of a request, or checks one. */
export default class Sign extends BaseCommand {
  static override description =
    'Create the Authorization header for a request.\n\n' +
    'The body is signed byte for byte, without trimming or decoding. Keys are taken from a ' +
    'file, PAYLENS_PARTNER_KEY or PAYLENS_SHARED_KEY, the keyfile, or a hidden prompt. With ' +
    '--check, a header is verified against the body: the exit code is 7 if it is invalid, and a ' +
    'valid header that has expired is reported.';
  static override args = {
    body: argument({
      description: 'request body: file name, - for stdin, or a JSON object',
      ignoreStdin: true,
      required: true,
    }),
  };
  static override flags = {
    method: option({
      description: 'authentication method',
      options: HEADER_METHODS,
      default: 'hmac',
    })(),
    url: string({description: 'full request URL', helpValue: 'URL', exclusive: ['target']}),
    target: string({description: 'path and query of the request', helpValue: 'PATH'}),
    timestamp: integer({
      description: 'Unix time in seconds (with --check: time of the check); default: now',
      helpValue: 'UNIX_TIME',
      min: 0,
    }),
    nonce: string({description: 'nonce; default: a new one', helpValue: 'TEXT'}),
    challenge: string({
      description: 'digest: the WWW-Authenticate value of the server',
      helpValue: 'TEXT',
    }),
    curl: boolean({description: 'print a complete curl command', dependsOn: ['url']}),
    explain: boolean({description: 'show each step'}),
    check: string({
      description: 'verify this header and explain any error; @FILE reads it from a file',
      helpValue: 'HEADER',
      exclusive: ['curl', 'nonce', 'challenge'],
    }),
    ...senderFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> body.json --target /api/v1/partner/validate --partner DEMO --shared-key-file key.txt',
    '<%= config.bin %> <%= command.id %> - --url http://127.0.0.1:8080/api/v1/decrypt/parser --curl < body.json',
    `<%= config.bin %> <%= command.id %> body.json --target /api/v1/decrypt/parser --check 'Hmac username="DEMO", ...'`,
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Sign);
    const target = targetOf(flags);
    const {bytes: body, file} = await readBody(args.body);
    const request = {method: 'POST', target, body};
    if (flags.check !== undefined) return check(request, flags.check, flags);
    const {method} = flags;
    const credentials = await loadSender(flags, KEY_OF_METHOD[method]);
    const terms = {
      nonce: flags.nonce ?? randomUUID(),
      timestamp: flags.timestamp ?? Math.floor(Date.now() / 1000),
      challenge: method === 'digest' ? challengeOf(flags.challenge) : undefined,
    };
    const authorization = await signRequest(request, method, credentials, terms);
    const steps = explainSigning(request, method, credentials, terms);
    const curl =
      flags.url === undefined
        ? undefined
        : () => curlCommand({url: flags.url ?? '', authorization, body, file});
    if (flags.json) {
      printJson({
        authorization,
        ...(flags.curl && curl && {curl: curl()}),
        ...(flags.explain && {steps}),
      });
      return;
    }
    if (flags.explain) printResult(steps.map(({name, value}) => step(name, value)).join('\n'));
    printResult(flags.curl && curl ? curl() : authorization);
  }
}

interface SignFlags extends SenderFlags {
  readonly url?: string | undefined;
  readonly target?: string | undefined;
  readonly timestamp?: number | undefined;
  readonly json?: boolean | undefined;
  readonly explain?: boolean | undefined;
}

function targetOf({url, target}: SignFlags): string {
  const found = url === undefined ? target : url.replace(/#.*$/s, '');
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

function challengeOf(text: string | undefined): {
  nonce: string;
  algorithm: 'SHA-256' | 'MD5';
  count: number;
} {
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

async function check(
  request: {method: string; target: string; body: Buffer},
  given: string,
  flags: SignFlags,
): Promise<void> {
  const authorization = await headerOf(given);
  const method = methodOfHeader(authorization);
  if (!method) throw new PaylensError(9001, '--check: expected Hmac, Rsa, Basic or Digest');
  const needed = method === 'rsa' ? 'rsaPublicKey' : KEY_OF_METHOD[method];
  const credentials = await loadSender(flags, needed);
  const now = flags.timestamp === undefined ? Date.now() : flags.timestamp * 1000;
  const host = /^https?:\/\/([^/?#]+)/i.exec(flags.url ?? '')?.[1];
  const result = checkHeader({...request, authorization, host}, method, credentials, now);
  if (!result.right) process.exitCode = CHECK_FAILED;
  if (flags.json) return printJson(result);
  if (flags.explain && result.stringToHash !== undefined)
    printResult(
      `${step('content hash', result.contentHash ?? '')}\n${step('string to hash', result.stringToHash)}`,
    );
  printResult(verdict(result));
  if (!result.right && result.timeFault !== undefined) note(`${REFUSED}: ${result.timeFault}.`);
}

const REFUSED = 'a server would reject it now';

function verdict({right, faults, timeFault}: SignatureExplanation): string {
  if (!right) return faults.map((fault) => `invalid: ${fault}`).join('\n');
  return timeFault === undefined ? 'valid' : `valid\nbut ${REFUSED}: ${timeFault}`;
}

// The header of Basic is the key itself, in base64.
async function headerOf(given: string): Promise<string> {
  if (given.startsWith('@')) {
    const {bytes} = await readBody(given.slice(1));
    return withoutName(bytes.toString('latin1').trim());
  }
  const header = withoutName(given);
  if (!/^basic\b/i.test(header)) return header;
  throw new PaylensError(
    9001,
    'a Basic header contains the key, and arguments are visible to other users',
    {
      hint: 'Put the header in a file and pass --check @FILE.',
    },
  );
}

function withoutName(header: string): string {
  return header.replace(/^authorization:\s*/i, '');
}

function step(name: string, value: string): string {
  const [first = '', ...more] = visibleLines(value).split('\n');
  return [`${name.padEnd(15)} ${first}`, ...more.map((line) => `${' '.repeat(16)}${line}`)].join(
    '\n',
  );
}
