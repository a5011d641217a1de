import {PaylensError} from '../contract/paylens-error.js';
import type {ProcessPayloadResult} from '../contract/process-payload.js';
import {extract} from './card/extract.js';
import {decrypt} from './decrypt.js';
import type {AnyTerminal} from './devices/terminal.js';
import type {AnyRequest} from './devices/terminal-set.js';
import type {KeyRing} from './dukpt/key-ring.js';
import {transactionKsn} from './dukpt/ksn.js';
import type {DecryptionObserver} from './explanation.js';
import {agreedSerial, type Plan, planDecryption} from './plan.js';
import {readPayload} from './read-payload.js';
import type {Reading} from './reading.js';
import {composeResult} from './result.js';

/** Who is asked and told while a payload is processed. */
export interface Watchers {
  /** Looks up the device by its serial; throws 1202, 1203 or 1205. */
  readonly checkDevice?: ((serial: string) => void) | undefined;
  /** Told how the payload is decrypted. */
  readonly observer?: DecryptionObserver | undefined;
  /** Told of the card, before the answer is composed. */
  readonly onCard?: ((card: OpenedCard) => void) | undefined;
}

/** A card that was decrypted, and what its payload was. */
export interface OpenedCard {
  readonly plan: Plan;
  readonly pan: string;
}

/** The pipeline for a payload of one terminal; the errors are those of `processPayload`. */
export function runPipeline(
  terminal: AnyTerminal,
  request: AnyRequest,
  keys: KeyRing,
  {checkDevice, observer, onCard}: Watchers,
): ProcessPayloadResult {
  const reading = readPayload(terminal, request.devicePayload);
  if (reading.refusal && !hasItsKey(reading, request, keys)) throw reading.refusal;
  const plan = planDecryption(reading, request, keys);
  if (!reading.serialInside) checkDevice?.(plan.serial);

  const content = decrypt(plan, keys, observer);
  demandSeals(terminal, reading, keys);
  const serial =
    content.serial === undefined
      ? plan.serial
      : (agreedSerial(content.serial, request.deviceSerial) ?? plan.serial);
  if (reading.serialInside) checkDevice?.(serial);

  const extracted = extract(content);
  onCard?.({plan, pan: extracted.PAN});
  const {manufacturer} = terminal.decide?.(content) ?? terminal;
  return composeResult({manufacturer, serial, reading, content, extracted});
}

/** True where a working key replaces a key that cannot be derived. */
function hasItsKey({takesWorkingKey}: Reading, {ksn = ''}: AnyRequest, keys: KeyRing): boolean {
  return takesWorkingKey === true && keys.find(transactionKsn(ksn))?.kind === 'working';
}

function demandSeals({type, verifySeals}: AnyTerminal, {seals = []}: Reading, keys: KeyRing): void {
  if (seals.length === 0) return;
  // A MAC that nobody checks must not look like one that matched.
  if (!verifySeals) throw new PaylensError(1, `${type} does not verify the MACs that it reads`);
  verifySeals(seals, keys);
}
