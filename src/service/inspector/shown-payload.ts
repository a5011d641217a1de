import type {InspectedPayload} from '../../contract/control/inspected-request.js';
import type {JsonObject} from '../../contract/parse-json.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import {cellsOf} from '../../engine/inspection/cells.js';
import {hiddenCells} from '../../engine/inspection/hidden-cells.js';
import {type Inspection, inspectBoth} from '../../engine/inspection/inspect-payload.js';
import {maskUnknown} from '../../engine/inspection/mask-part.js';
import {textMember} from '../operations/scripted-answer.js';

/**
 * The parts of the payload in a body as far as they are known without a key, card data masked;
 * undefined if it has no payload of a known type. `isTest`: includes the payload itself.
 */
export function shownPayload(sent: JsonObject, isTest: boolean): InspectedPayload | undefined {
  const of = (name: string) => textMember(sent, name);
  const [deviceType, devicePayload] = [of('deviceType'), of('devicePayload')];
  if (deviceType === undefined || !devicePayload || !KNOWN_TERMINALS.has(deviceType))
    return undefined;
  const [ksn, iv] = [of('ksn'), of('iv')];
  const request = {deviceType, devicePayload, ksn, iv};
  const {masked, clear} = inspectBoth(request);
  const cells = cellsWithoutCard(devicePayload, masked, clear);
  const holdsCard = cells.includes(null);
  const own = {...(ksn && {ksn}), ...(iv && {iv}), ...(holdsCard && {holdsCard})};
  return {
    deviceType,
    ...(isTest ? {text: devicePayload, ...own} : {cells}),
    ...inspectedMembers(masked),
  };
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

/** A payload as part of a body that is shown: only its length if it contains clear card data. */
export function payloadInBody(
  text: string,
  payload: InspectedPayload | undefined,
  isTest: boolean,
): string {
  const isHidden = payload ? payload.holdsCard : maskUnknown(text) !== text;
  return isTest && !isHidden ? text : `[${text.length} characters]`;
}

/** Encrypted bytes stay: without the key they reveal nothing. */
function cellsWithoutCard(payload: string, masked: Inspection, clear: Inspection) {
  const pairs = clear.parts.map((part, i) => ({clear: part, masked: masked.parts[i] ?? part}));
  const cells = cellsOf(payload, clear.unit);
  const hidden = hiddenCells(cells, clear.unit, pairs);
  return Array.from(cells, (code, i) => (hidden[i] === 1 ? null : code));
}
