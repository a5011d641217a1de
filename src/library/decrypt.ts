import {PaylensError} from '../contract/paylens-error.js';
import type {ProcessPayloadResult} from '../contract/process-payload.js';
import {Explainer, type Explanation} from '../engine/explanation.js';
import {KNOWN_TERMINALS} from '../engine/families/registry.js';
import {PinWatcher, type ShownPin} from '../engine/pin/pin-watcher.js';
import {processPayload} from '../engine/process-payload.js';
import {PIN_FORMATS, type PinFormat} from '../engine/reading.js';
import {withOwnType} from '../engine/recognise.js';
import {flagOf} from './arguments.js';
import {called} from './calls.js';
import {KEY_OPTIONS, type KeyOptions, withKeys} from './keys.js';
import {PAYLOAD_OPTIONS, type PayloadOptions, requestOf} from './request-of.js';
import {type AnyTerminalType, TERMINAL_OPTIONS, type TerminalOptions} from './terminals.js';

/** Settings of `decrypt`; what a payload holds itself need not be given. */
export interface DecryptOptions extends KeyOptions, PayloadOptions, TerminalOptions {
  /** Absent: recognised by the payload. */
  readonly deviceType?: AnyTerminalType | undefined;
  /** Also say how each field was decrypted; no key and no card number is in it. */
  readonly explain?: boolean | undefined;
  /** Also decrypt the PIN block of the payload, which no response of the service has. */
  readonly pin?: boolean | undefined;
  /**
   * With `pin`: the format of ISO 9564-1 that the PIN block must have. Formats 1 and 3, and long PINs,
   * are shown only if this or the payload states the format.
   */
  readonly pinFormat?: PinFormat | undefined;
}

/** The card data of a payload: the members of the process-payload response. */
export interface DecryptResult extends ProcessPayloadResult {
  /** Only with the option `pin`. */
  readonly pin?: ShownPin;
}

/** That, and how each field was decrypted. */
export interface ExplainedResult extends DecryptResult {
  readonly explanation: Explanation;
}

const DECRYPT_OPTIONS = [
  'explain',
  'pin',
  'pinFormat',
  ...PAYLOAD_OPTIONS,
  ...KEY_OPTIONS,
  ...TERMINAL_OPTIONS,
];

/**
 * Decrypts a payload: text or hex as the terminal sent it, or its bytes. Returns the members of the
 * process-payload response without success, messageId and reference
 * (docs/interface.md#process-payload-response).
 *
 * Throws PaylensError: 2005 for a wrong argument, 9015 for an unusable key, 2000 if several
 * terminals match, 2100 to 2111 for what is in the payload, 2400 for the KSN, 2600 without a key
 * for it, 2601 if the key is wrong, 2602 for the IV, 2800 without a PAN, 9040 if a terminal of `terminals`
 * fails; with `pin` 9050 without a PIN block and 9051 if it does not decrypt.
 */
export function decrypt(
  payload: string | Uint8Array,
  options: DecryptOptions & {readonly explain: true},
): ExplainedResult;
export function decrypt(payload: string | Uint8Array, options?: DecryptOptions): DecryptResult;
export function decrypt(
  payload: string | Uint8Array,
  options?: DecryptOptions,
): DecryptResult | ExplainedResult {
  return called(payload, options, DECRYPT_OPTIONS, ({devicePayload, members, terminals}) => {
    const isExplained = flagOf(members.explain, 'explain');
    const wantsPin = flagOf(members.pin, 'pin');
    const format = pinFormat(members.pinFormat, wantsPin);
    const request = requestOf(devicePayload, members, terminals);
    return withKeys(members, (keys) => {
      const observer = isExplained ? new Explainer(keys, request.deviceType) : undefined;
      const watcher = wantsPin ? new PinWatcher(keys, {format, explainer: observer}) : undefined;
      const onCard = watcher?.onCard;
      const result = open(request, keys, {observer, onCard, terminals});
      const explanation = observer?.explanation;
      const pin = watcher?.shown(true);
      return {...result, ...(pin && {pin}), ...(explanation && {explanation})};
    });
  });
}

/** An error says which type the payload is of, if that is not the type given. */
function open(...[request, keys, options]: Required<Parameters<typeof processPayload>>) {
  try {
    return processPayload(request, keys, options);
  } catch (error) {
    throw withOwnType(error, request, options.terminals ?? KNOWN_TERMINALS);
  }
}

/** Throws 2005 for another number, and without the option `pin`. */
function pinFormat(value: unknown, wantsPin: boolean): PinFormat | undefined {
  if (value === undefined) return undefined;
  const format = PIN_FORMATS.find((one) => one === value);
  if (format === undefined) throw new PaylensError(2005, 'pinFormat: expected 0, 1, 3 or 4');
  if (!wantsPin) throw new PaylensError(2005, 'pinFormat: expected only with pin: true');
  return format;
}
