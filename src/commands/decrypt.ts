import {randomInt} from 'node:crypto';
import type {BatchFlags} from '../cli/batch/run-batch.js';
import type {FailedInput} from '../cli/diagnosis/answer-failure.js';
import {flag} from '../cli/flags/flag.js';
import {payloadArgs, payloadFlags, terminalFlag} from '../cli/input/payload-flags.js';
import {readInput} from '../cli/input/read-input.js';
import {undoPaste} from '../cli/input/undo-paste.js';
import {chooseKeys} from '../cli/keyfile/choose-keys.js';
import {type KeyFlags, keyAlgorithmFlag, keyFlags} from '../cli/keyfile/key-flags.js';
import {cardTable} from '../cli/output/card-table.js';
import {explanationText} from '../cli/output/explanation-text.js';
import {note, printJson, printResult} from '../cli/output/output.js';
import {TerminalCommand} from '../cli/terminal-command.js';
import {createMessageIds, DRAWS} from '../contract/message-id.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {ProcessPayloadResponse} from '../contract/process-payload.js';
import {KeyRing} from '../engine/dukpt/key-ring.js';
import {Explainer} from '../engine/explanation.js';
import type {AnyRequest, TerminalSet} from '../engine/families/terminal-set.js';
import type {PipelineHooks} from '../engine/pipeline.js';
import {processPayload} from '../engine/process-payload.js';
import {PIN_FORMATS} from '../engine/reading.js';
import {ofRecognised, withOwnType} from '../engine/recognise.js';
import {
  type PayloadFlags,
  referenceOf,
  requestBody,
  requestFlags,
  toRequest,
} from '../input/paste/request-input.js';

/** Decrypts one payload and prints the card, or with --json the response of the service. */
export default class Decrypt extends TerminalCommand {
  static override description = 'Decrypt a payload and show the card data.';
  static override args = payloadArgs;
  static override flags = {
    ...payloadFlags,
    ...terminalFlag,
    iv: flag.text('HEX', 'IV, if it is not in the payload'),
    serial: flag.text('TEXT', 'serial number of the device'),
    reference: flag.text('TEXT', 'reference to echo'),
    explain: flag.on(
      'show how it was decrypted: KSN, key, usage, mode, IV, padding, evidence; and what proves each member',
      {
        exclusive: ['batch'],
      },
    ),
    pin: flag.on('also decrypt the PIN block of the payload; shown only with --reveal', {
      exclusive: ['batch'],
    }),
    'pin-format': flag.choice(
      PIN_FORMATS.map(String),
      'format of the PIN block (ISO 9564-1), if it is known',
      {
        dependsOn: ['pin'],
      },
    ),
    batch: flag.on('process one request per input line and write one response per line (JSONL)'),
    threads: flag.integer('N', 'number of batch threads; default: one per core', {
      min: 1,
      max: 256,
      dependsOn: ['batch'],
    }),
    ...keyFlags(),
    ...keyAlgorithmFlag,
  };
  static override examples = [
    '<%= config.bin %> sample idtech-swipe | <%= config.bin %> <%= command.id %> --test-keys',
    '<%= config.bin %> <%= command.id %> read.txt --device-type idtech --keyfile keys.age',
    '<%= config.bin %> <%= command.id %> read.txt --key-file bdk.hex --explain',
    '<%= config.bin %> sample idtech-keyed | <%= config.bin %> <%= command.id %> --test-keys --json',
    '<%= config.bin %> <%= command.id %> reads.jsonl --batch --keyfile keys.age > cards.jsonl',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parseWithTerminals(Decrypt);
    if (flags.batch) return this.#batch(args.payload, flags);
    const messageId = createMessageIds({now: Date.now, draw: randomInt(DRAWS)})();
    this.failureMembers = {messageId};
    const input = await undoPaste(await readInput({...flags, argument: args.payload}), flags);
    const given: FailedInput = {input, argument: args.payload, flags};
    const opened = await this.answering(given, () => this.#open(given, flags, messageId));
    const {result, echo, explanation, pin} = opened;
    const response = {
      success: true,
      ...echo,
      messageId,
      ...result,
    } satisfies ProcessPayloadResponse;
    const beside = {...(pin && {pin}), ...(flags.explain && {explanation})};
    if (flags.json) printJson({...response, ...beside});
    else printResult(cardTable(result, flags.reveal, {pin, explanation}));
    if (!flags.json && flags.explain && explanation) printResult(explanationText(explanation));
    if (!flags.json && !flags.reveal) note('Card data is masked; use --reveal to show it.');
  }

  // Imported late: a single payload needs nothing of it.
  async #batch(argument: string | undefined, flags: BatchFlags): Promise<void> {
    const {decryptBatch} = await import('../cli/batch/run-batch.js');
    const {terminals, file: _, payload: __, ...others} = flags;
    await decryptBatch(argument, flags, (input, keys) => {
      const given = {input, argument: '-', flags: {...others, terminals}, keys};
      return this.answerTo(given, () => {
        const body = requestBody(input, flags['device-type'], terminals);
        const request = toRequest(input, body, requestFlags(flags), terminals);
        decryptOnce(request, new KeyRing(keys), {isGuessed: false, terminals});
      });
    });
  }

  async #open(given: FailedInput, flags: DecryptFlags, messageId: string) {
    const {input} = given;
    const {terminals, 'device-type': deviceType} = flags;
    const body = requestBody(input, deviceType, terminals);
    given.isOfService = flags.json && body !== undefined;
    const reference = referenceOf(body, flags.reference);
    const echo = {...(reference !== undefined && {reference})};
    this.failureMembers = {messageId, ...echo};
    const request = toRequest(input, body, requestFlags(flags), terminals);
    given.keys = await chooseKeys(flags);
    const keys = new KeyRing(given.keys);
    given.ring = keys;
    const isGuessed = body === undefined && deviceType === undefined;
    const isExplained = flags.explain || !flags.json;
    const brief = {isBrief: !flags.explain};
    const explainer = isExplained ? new Explainer(keys, request.deviceType, brief) : undefined;
    const format = PIN_FORMATS.find((one) => String(one) === flags['pin-format']);
    // Imported late: few payloads have a PIN.
    const pin = flags.pin ? await import('../engine/pin/pin-watcher.js') : undefined;
    const watcher = pin && new pin.PinWatcher(keys, {format, explainer});
    const onCard = watcher?.onCard;
    const result = decryptOnce(request, keys, {isGuessed, terminals, observer: explainer, onCard});
    return {result, echo, explanation: explainer?.explanation, pin: watcher?.shown(flags.reveal)};
  }
}

/** The flags of one payload. */
interface DecryptFlags extends KeyFlags, PayloadFlags, Pick<Observed, 'terminals'> {
  readonly json: boolean;
  readonly explain: boolean;
  readonly pin: boolean;
  readonly 'pin-format'?: string | undefined;
  readonly reveal: boolean;
}

interface Observed extends Pick<PipelineHooks, 'observer' | 'onCard'> {
  readonly isGuessed: boolean;
  readonly terminals: TerminalSet;
}

function decryptOnce(request: AnyRequest, keys: KeyRing, {isGuessed, ...options}: Observed) {
  try {
    return processPayload(request, keys, options);
  } catch (error) {
    throw isGuessed ? namingGuess(error, request) : withOwnType(error, request, options.terminals);
  }
}

// If no terminal type was given, report which one was assumed.
function namingGuess(error: unknown, {deviceType}: AnyRequest): unknown {
  if (!(error instanceof PaylensError) || error.code === 9040) return error;
  const guess = `parsed as ${deviceType}; use --device-type for another terminal type`;
  const detail = error.detail === '' ? guess : `${error.detail} (${guess})`;
  const {code, hint, fault} = error;
  return ofRecognised(new PaylensError(code, detail, {hint, ...(fault && {fault})}));
}
