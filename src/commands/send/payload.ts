import {BaseCommand} from '../../cli/base-command.js';
import {flag} from '../../cli/flags/flag.js';
import {refuseSecrets} from '../../cli/input/body-input.js';
import {payloadArgs, payloadFlags} from '../../cli/input/payload-flags.js';
import {readInput} from '../../cli/input/read-input.js';
import {sendFlags} from '../../cli/send/send-flags.js';
import {sendWithFlags} from '../../cli/send/send-request.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {requestBody, requestFlags, toRequest} from '../../input/paste/request-input.js';

/** Sends a process-payload request. */
export default class SendPayload extends BaseCommand {
  static override description =
    'Send a payload to an endpoint and show the decrypted card data.\n\n' +
    'Signs a request and sends it to URL/api/v1/decrypt/parser. Keys are taken from a file, ' +
    'PAYLENS_PARTNER_KEY or PAYLENS_SHARED_KEY, the keyfile, or a hidden prompt.';
  static override args = payloadArgs;
  static override flags = {
    ...payloadFlags,
    iv: flag.text('HEX', 'IV, if it is not in the payload'),
    serial: flag.text('TEXT', 'serial number of the device'),
    client: flag.text('ID', 'client that owns the device'),
    batch: flag.on('send one request per input line and print one response per line (JSONL)', {
      exclusive: ['body-file', 'count', 'reference', 'verbose'],
    }),
    replay: flag.text('FILE', 'sign and send again the requests of a record of `serve --record`', {
      exclusive: ['batch', 'payload', 'file', 'body-file', 'count', 'reference', 'verbose'],
    }),
    ...sendFlags,
  };
  static override examples = [
    '<%= config.bin %> sample idtech-swipe | <%= config.bin %> <%= command.id %> - --base-url http://127.0.0.1:8080 --partner DEMO',
    '<%= config.bin %> <%= command.id %> read.txt --device-type idtech --profile test --count 1000 --concurrency 16',
    '<%= config.bin %> <%= command.id %> reads.jsonl --batch --profile test > cards.jsonl',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SendPayload);
    for (const text of [args.payload, flags.payload]) {
      if (text?.trimStart().startsWith('{')) refuseSecrets(text);
    }
    const {'device-type': type} = flags;
    const requestOf = (input: string) => {
      const body = requestBody(input, type);
      if (body?.masked === true) throw new PaylensError(9002, 'card data in this read is masked');
      return named(toRequest(input, body, requestFlags(flags)));
    };
    if (flags.replay !== undefined) {
      const {sendBatch, recordedRequest} = await import('../../cli/send/send-batch.js');
      return sendBatch({file: flags.replay}, flags, recordedRequest);
    }
    if (flags.batch) {
      const {sendBatch} = await import('../../cli/send/send-batch.js');
      return sendBatch({...flags, argument: args.payload}, flags, (line) => [
        'process-payload',
        requestOf(line),
      ]);
    }
    await sendWithFlags('process-payload', flags, async () => {
      const input = await readInput({...flags, argument: args.payload});
      const given = {input, argument: args.payload, flags: {...flags, terminals: KNOWN_TERMINALS}};
      return this.answering(given, async () => requestOf(input));
    });
  }
}

/** An endpoint knows one of those terminals whose payloads cannot be told apart. */
function named(request: AnyRequest) {
  const {decide} = KNOWN_TERMINALS.get(request.deviceType);
  return decide ? {...request, deviceType: decide({}).type} : {...request};
}
