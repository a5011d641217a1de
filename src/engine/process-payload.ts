import type {ProcessPayloadResult} from '../contract/process-payload.js';
import {extract} from './card/extract.js';
import {decrypt, verifySeals} from './decrypt.js';
import {KNOWN_TERMINALS} from './devices/registry.js';
import type {AnyRequest, TerminalSet} from './devices/terminal-set.js';
import type {KeyRing} from './dukpt/key-ring.js';
import type {DecryptionObserver} from './explanation.js';
import {agreedSerial, planDecryption} from './plan.js';
import {readPayload} from './read-payload.js';
import {composeResult} from './result.js';

interface Options {
  /** Default: those of paylens. */
  readonly terminals?: TerminalSet | undefined;
  /** Looks up the device by its serial; throws 1202, 1203 or 1205. */
  readonly checkDevice?: (serial: string) => void;
  /** Told how the payload is decrypted. */
  readonly observer?: DecryptionObserver | undefined;
}

/**
 * The pipeline from a terminal's payload to the card data of the response, the only one: `decrypt`,
 * `serve`, `diagnose`, the batch workers and the tests all use it.
 *
 * Throws, in this order (docs/formats/common.md#order-of-checks): 2001 unknown terminal, 2100 and 2102 form, 2101 damage,
 * 2110 clear data, 2111 scheme, 2103 serial, 2400 KSN, 2602 IV, errors of `checkDevice`, 2600 key,
 * 2601 plaintext, 2800 PAN.
 */
export function processPayload(
  request: AnyRequest,
  keys: KeyRing,
  {terminals = KNOWN_TERMINALS, checkDevice, observer}: Options = {},
): ProcessPayloadResult {
  const terminal = terminals.get(request.deviceType);
  const reading = readPayload(terminal, request.devicePayload);
  if (reading.refusal) throw reading.refusal;
  const plan = planDecryption(reading, request, keys);
  if (!reading.serialInside) checkDevice?.(plan.serial);

  const content = decrypt(plan, keys, observer);
  verifySeals(reading.seals ?? [], keys);
  const serial =
    content.serial === undefined
      ? plan.serial
      : (agreedSerial(content.serial, request.deviceSerial) ?? plan.serial);
  if (reading.serialInside) checkDevice?.(serial);

  const {manufacturer} = terminal;
  return composeResult({manufacturer, serial, reading, content, extracted: extract(content)});
}
