import type {InspectedPayload} from '../../contract/control/inspected-request.js';
import type {JsonObject} from '../../contract/parse-json.js';
import type {TerminalSet} from '../../engine/devices/terminal-set.js';
import {cellsOf} from '../../engine/inspection/cells.js';
import {hiddenCells} from '../../engine/inspection/hidden-cells.js';
import {type Inspection, inspectPayload} from '../../engine/inspection/inspect-payload.js';
import {maskUnknown} from '../../engine/inspection/mask-part.js';

/**
 * What can be told of the payload in a body without a key, its card data masked; undefined: it has
 * none of a known type. `isTest`: the payload itself may be shown as well.
 */
export function shownPayload(
  sent: JsonObject,
  terminals: TerminalSet,
  isTest: boolean,
): InspectedPayload | undefined {
  const of = (name: string) => textOf(sent, name);
  const [deviceType, devicePayload] = [of('deviceType'), of('devicePayload')];
  if (deviceType === undefined || !devicePayload || !terminals.has(deviceType)) return undefined;
  const ksn = of('ksn');
  const iv = of('iv');
  const request = {deviceType, devicePayload, ksn, iv};
  const found = inspectPayload(request, false, terminals);
  const clear = inspectPayload(request, true, terminals);
  const {form, unit, parts, encrypted, checks, failure} = found;
  const cells = cellsWithoutCard(devicePayload, found, clear);
  const holdsCard = cells.includes(null);
  return {
    deviceType,
    ...(isTest
      ? {
          text: devicePayload,
          ...(ksn && {ksn}),
          ...(iv && {iv}),
          ...(holdsCard && {holdsCard}),
        }
      : {cells}),
    ...(form !== undefined && {form}),
    unit,
    parts: parts.map(({offset, length, depth, name, value, meaning}) => {
      return {offset, length, depth, name, value, ...(meaning !== undefined && {meaning})};
    }),
    encrypted: encrypted.map(({name, offset, length, ksn: own, setting}) => {
      return {name, offset, length, setting, ...(own !== undefined && {ksn: own})};
    }),
    checks: checks.map(({offset, name, expected, found: value, ok}) => {
      return {offset, name, expected, found: value, ok};
    }),
    ...(failure && {
      failure: {errCode: failure.code, message: failure.message, hint: failure.hint},
    }),
  };
}

/** A payload as it stands in a body that is shown: not at all where it has card data in clear. */
export function payloadInBody(
  text: string,
  payload: InspectedPayload | undefined,
  isTest: boolean,
): string {
  const isHidden = payload ? payload.holdsCard : maskUnknown(text) !== text;
  return isTest && !isHidden ? text : `[${text.length} characters]`;
}

/** What is encrypted stays: it is the payload as it was received, and opens with a key alone. */
function cellsWithoutCard(payload: string, masked: Inspection, clear: Inspection) {
  const pairs = clear.parts.map((part, i) => ({clear: part, masked: masked.parts[i] ?? part}));
  const cells = cellsOf(payload, clear.unit);
  const hidden = hiddenCells(cells, clear.unit, pairs);
  return Array.from(cells, (code, i) => (hidden[i] === 1 ? null : code));
}

function textOf(sent: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
