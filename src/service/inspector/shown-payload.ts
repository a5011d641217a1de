import type {InspectedPayload} from '../../contract/control/inspected-request.js';
import type {JsonObject} from '../../contract/parse-json.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import {maskedPayload} from '../../engine/inspection/hidden-cells.js';
import {type Inspection, inspectBoth} from '../../engine/inspection/inspect-payload.js';
import {maskUnknown} from '../../engine/inspection/mask-part.js';
import {textMember} from '../operations/scripted-answer.js';
import {starLetters} from './shown-body.js';

/** The read in a body; undefined without a payload of a known type. */
export function sentRead(sent: JsonObject | undefined) {
  const of = (name: string) => textMember(sent, name);
  const [deviceType, devicePayload] = [of('deviceType'), of('devicePayload')];
  if (deviceType === undefined || !devicePayload || !KNOWN_TERMINALS.has(deviceType))
    return undefined;
  return {deviceType, devicePayload, ksn: of('ksn'), iv: of('iv')};
}

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
  const read = sentRead(sent);
  if (!read) return undefined;
  const {deviceType, devicePayload, ksn, iv} = read;
  const both = inspectBoth(read);
  const {cells, hidden, text} = maskedPayload(devicePayload, both);
  const own = {...(ksn && {ksn}), ...(iv && {iv}), ...(hidden.includes(1) && {holdsCard: true})};
  // Encrypted bytes stay: without the key they reveal nothing.
  const codes = () => Array.from(cells, (code, i) => (hidden[i] === 1 ? null : code));
  const payload = {
    deviceType,
    ...(isTest ? {text: devicePayload, ...own} : {cells: codes()}),
    ...inspectedMembers(both.masked),
  };
  return {payload, masked: text};
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

/** Masks the payload of a body: one that could not be read is hidden whole if it may hold a card. */
export function payloadMask(
  sent: JsonObject | undefined,
  shown: Pick<ShownPayload, 'masked'> | undefined,
): (member: string, text: string) => string | undefined {
  const own = textMember(sent, 'devicePayload');
  return (member, text) => {
    if (member !== 'devicePayload') return undefined;
    if (shown && text === own) return shown.masked;
    return maskUnknown(text) === text ? text : starLetters(text);
  };
}
