import type {ErrorCode} from '../../contract/error-catalogue.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {PaylensError, resultOrError} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../families/registry.js';
import type {AnyRequest, TerminalSet} from '../families/terminal-set.js';
import {readPayload} from '../read-payload.js';
import type {CipherSetting, EncryptedField, Reading} from '../reading.js';
import {withOwnType} from '../recognise.js';
import {type Check, type Part, type Sensitivity, Trace, type Unit} from '../trace.js';
import {hiddenTogether} from './hidden-cells.js';
import {maskParts, maskValue, revealPart, type ShownPart} from './mask-part.js';
import {nameUnread} from './name-unread.js';

/** A ciphertext in the payload, and how it is encrypted. */
export interface EncryptedPart {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly ksn?: string;
  readonly setting: CipherSetting;
}

/** Everything that can be said about a payload without a key. */
export interface Inspection {
  readonly deviceType: string;
  readonly form?: string;
  readonly serial?: string;
  /** Unit of offsets and lengths. */
  readonly unit: Unit;
  readonly parts: readonly ShownPart[];
  readonly checks: readonly Check[];
  readonly encrypted: readonly EncryptedPart[];
  /** Why decrypt refuses the payload although it is well-formed. */
  readonly refusal?: {readonly errCode: ErrorCode; readonly errMessage: string};
  /** Where parsing stopped, or which check failed. */
  readonly failure?: PaylensError;
}

/** Parses the payload of `request` and names its bytes; card data is masked unless `reveal`. */
export function inspectPayload(
  request: AnyRequest,
  reveal: boolean,
  terminals: TerminalSet = KNOWN_TERMINALS,
): Inspection {
  return inspectionOf(request, terminals)(reveal);
}

/** The same, masked and not, of one reading of the payload. */
export function inspectBoth(
  request: AnyRequest,
  terminals: TerminalSet = KNOWN_TERMINALS,
): Readonly<Record<'masked' | 'clear', Inspection>> {
  const shown = inspectionOf(request, terminals);
  return {masked: shown(false), clear: shown(true)};
}

function inspectionOf(
  request: AnyRequest,
  terminals: TerminalSet,
): (reveal: boolean) => Inspection {
  const {deviceType, devicePayload} = request;
  const terminal = terminals.get(deviceType);
  const trace = new Trace();
  const reading = resultOrError(() => readPayload(terminal, devicePayload, trace, terminals));
  const stopped = reading instanceof PaylensError ? reading : trace.damage();
  const failure = stopped && withOwnType(stopped, request, terminals);
  const {checks} = trace;
  const named = nameUnread(trace, devicePayload);
  const {unit} = named;
  const isRead = !(reading instanceof PaylensError);
  return (reveal) => {
    const hide = isRead ? undefined : hiddenTogether(devicePayload, unit, named.parts);
    const parts = reveal ? named.parts.map(revealPart) : maskParts(named.parts, isRead, hide);
    const show = reveal ? (value: string) => value : maskValue;
    return {
      deviceType,
      ...(reading instanceof PaylensError
        ? {encrypted: []}
        : describeReading(reading, request, parts, {
            name: show,
            fact: (value) => show(value, kindOf(value, named.parts)),
          })),
      unit,
      parts,
      checks,
      ...(failure && {failure}),
    };
  };
}

const KSN_FORM = /^(?:[\da-f]{20}|[\da-f]{24})$/i;

/**
 * A KSN or serial number is shown as the part is from which it was read. What was given beside the
 * payload and has not the form of a KSN may be a card number.
 */
function kindOf(fact: string, parts: readonly Part[]): Sensitivity | undefined {
  const digits = fact.toUpperCase();
  const part = parts.find((one) => one.text?.trim() === fact || one.value.toUpperCase() === digits);
  if (part) return part.sensitivity;
  return KSN_FORM.test(fact) ? 'harmless' : 'opaque';
}

/** How the words of an inspection are shown, and the facts read from its payload. */
interface Shown {
  readonly name: (name: string) => string;
  readonly fact: (fact: string) => string;
}

function describeReading(
  {form, serial, refusal, candidates}: Reading,
  {ksn}: AnyRequest,
  parts: readonly ShownPart[],
  show: Shown,
) {
  const [likeliest = []] = candidates;
  return {
    form,
    ...(serial !== undefined && {serial: show.fact(serial)}),
    encrypted: likeliest.map(({ksn: own = ksn, ...field}) => ({
      ...encryptedPart(field, parts, show.name),
      ...(own !== undefined && {ksn: show.fact(own)}),
      setting: field.setting,
    })),
    ...(refusal && {
      refusal: {errCode: refusal.code, errMessage: redactCardNumbers(refusal.message)},
    }),
  };
}

// The length is in the unit of the offset: characters of keyboard text, not bytes.
function encryptedPart(
  {name, offset, ciphertext}: EncryptedField,
  parts: readonly ShownPart[],
  show: (name: string) => string,
) {
  const length = parts.find((part) => part.offset === offset)?.length ?? ciphertext.length;
  return {name: show(name), offset, length};
}
