import {PaylensError} from '../contract/paylens-error.js';
import type {ProcessPayloadResult} from '../contract/process-payload.js';
import type {CardContent} from './card/card-content.js';
import {extract} from './card/extract.js';
import {decrypt} from './decrypt.js';
import type {KeyRing} from './dukpt/key-ring.js';
import {transactionKsn} from './dukpt/ksn.js';
import type {DecryptionObserver} from './explanation.js';
import type {AnyTerminal} from './families/terminal.js';
import type {AnyRequest, TerminalSet} from './families/terminal-set.js';
import {withMaskedPlace} from './masked-place.js';
import {agreedSerial, type Plan, planDecryption} from './plan.js';
import {readPayload} from './read-payload.js';
import type {Reading} from './reading.js';
import {composeResult} from './result.js';

/** Callbacks while a payload is processed. */
export interface PipelineHooks {
  /** Called with what a payload contains, which may be a reason to refuse it. */
  readonly onReading?: ((reading: Reading) => void) | undefined;
  /** Looks up the device by its serial; throws 1202, 1203 or 1205. */
  readonly checkDevice?: ((serial: string) => void) | undefined;
  /** Receives each step of the decryption. */
  readonly observer?: DecryptionObserver | undefined;
  /** Called with the card before the response is composed. */
  readonly onCard?: ((card: OpenedCard) => void) | undefined;
}

/** A card that was decrypted, and what its payload was. */
export interface OpenedCard {
  readonly plan: Plan;
  readonly pan: string;
}

/** The pipeline for a payload of one of these terminals; the errors are those of `processPayload`. */
export function runPipeline(
  terminals: TerminalSet,
  request: AnyRequest,
  keys: KeyRing,
  {onReading, checkDevice, observer, onCard}: PipelineHooks,
): ProcessPayloadResult {
  const terminal = terminals.get(request.deviceType);
  const reading = readPayload(terminal, request.devicePayload, undefined, terminals);
  onReading?.(reading);
  if (reading.refusal && !hasItsKey(reading, request, keys)) throw reading.refusal;
  const plan = planDecryption(reading, request, keys);
  if (!reading.serialInside) checkDevice?.(plan.serial);

  let content: CardContent;
  try {
    content = decrypt(plan, keys, observer);
  } catch (error) {
    throw withMaskedPlace(error, terminal, request.devicePayload);
  }
  assertMacs(terminal, reading, keys);
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

function assertMacs({type, verifyMacs}: AnyTerminal, {macs = []}: Reading, keys: KeyRing): void {
  if (macs.length === 0) return;
  // An unchecked MAC must not look like a verified one.
  if (!verifyMacs) throw new PaylensError(1, `${type} does not verify the MACs that it reads`);
  verifyMacs(macs, keys);
}
