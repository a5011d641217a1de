import type {InspectedPayload} from '../../contract/control/inspected-request.js';
import type {JsonObject} from '../../contract/parse-json.js';
import {isBinary} from '../../engine/decode-input.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import {compactHex} from '../../engine/forms/payload-bytes.js';
import {cellsOf} from '../../engine/inspection/cells.js';
import {hiddenCells} from '../../engine/inspection/hidden-cells.js';
import {type Inspection, inspectBoth} from '../../engine/inspection/inspect-payload.js';
import {maskUnknown} from '../../engine/inspection/mask-part.js';
import type {Unit} from '../../engine/trace.js';
import {textMember} from '../operations/scripted-answer.js';
import {starLetters} from './shown-body.js';

/** The payload of a body as the inspector shows it. */
export interface ShownPayload {
  readonly payload: InspectedPayload;
  /** Its text with an asterisk for each character of card data. */
  readonly masked: string;
}

/**
 * The parts of the payload in a body as far as they are known without a key, card data masked;
 * undefined if it has no payload of a known type. `isTest`: includes the payload itself.
 */
export function shownPayload(sent: JsonObject, isTest: boolean): ShownPayload | undefined {
  const of = (name: string) => textMember(sent, name);
  const [deviceType, devicePayload] = [of('deviceType'), of('devicePayload')];
  if (deviceType === undefined || !devicePayload || !KNOWN_TERMINALS.has(deviceType))
    return undefined;
  const [ksn, iv] = [of('ksn'), of('iv')];
  const {masked, clear} = inspectBoth({deviceType, devicePayload, ksn, iv});
  const {unit} = clear;
  const pairs = clear.parts.map((part, i) => ({clear: part, masked: masked.parts[i] ?? part}));
  const cells = cellsOf(devicePayload, unit);
  const hidden = hiddenCells(cells, unit, pairs);
  const own = {...(ksn && {ksn}), ...(iv && {iv}), ...(hidden.includes(1) && {holdsCard: true})};
  // Encrypted bytes stay: without the key they reveal nothing.
  const codes = () => Array.from(cells, (code, i) => (hidden[i] === 1 ? null : code));
  const payload = {
    deviceType,
    ...(isTest ? {text: devicePayload, ...own} : {cells: codes()}),
    ...inspectedMembers(masked),
  };
  return {payload, masked: starredCells(devicePayload, unit, hidden)};
}

/** Only these members are sent to the page. */
function inspectedMembers({form, unit, parts, encrypted, checks, failure}: Inspection) {
  return {
    ...(form !== undefined && {form}),
    unit,
    parts: parts.map(({offset, length, depth, name, value, meaning}) => {
      return {offset, length, depth, name, value, ...(meaning !== undefined && {meaning})};
    }),
    encrypted: encrypted.map(({name, offset, length, ksn, setting}) => {
      return {name, offset, length, setting, ...(ksn !== undefined && {ksn})};
    }),
    checks: checks.map(({offset, name, expected, found, ok}) => {
      return {offset, name, expected, found, ok};
    }),
    ...(failure && {
      failure: {errCode: failure.code, message: failure.message, hint: failure.hint},
    }),
  };
}

/** A payload with the characters of hidden cells as asterisks; in hex two for each. */
export function starredCells(payload: string, unit: Unit, hidden: Uint8Array): string {
  const isHex = unit === 'byte' && !isBinary(payload) && compactHex(payload) !== undefined;
  let digit = 0;
  return isHex
    ? payload.replace(/\S/g, (shown) => (hidden[digit++ >> 1] === 1 ? '*' : shown))
    : Array.from({length: payload.length}, (_, i) => (hidden[i] === 1 ? '*' : payload[i])).join('');
}

/** Masks the payload of a body: one that could not be read is hidden whole if it may hold a card. */
export function payloadMask(
  sent: JsonObject | undefined,
  shown: ShownPayload | undefined,
): (member: string, text: string) => string | undefined {
  const own = textMember(sent, 'devicePayload');
  return (member, text) => {
    if (member !== 'devicePayload') return undefined;
    if (shown && text === own) return shown.masked;
    return maskUnknown(text) === text ? text : starLetters(text);
  };
}
