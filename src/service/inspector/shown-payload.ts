import type {InspectedPayload} from '../../contract/control/inspected-request.js';
import type {JsonObject} from '../../contract/parse-json.js';
import type {TerminalSet} from '../../engine/devices/terminal-set.js';
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
  const {form, unit, parts, encrypted, failure} = found;
  return {
    deviceType,
    ...(isTest && {text: devicePayload, ...(ksn && {ksn}), ...(iv && {iv})}),
    ...(isTest && isMasked(found, inspectPayload(request, true, terminals)) && {holdsCard: true}),
    ...(form !== undefined && {form}),
    unit,
    parts: parts.map(({offset, length, depth, name, value, meaning}) => {
      return {offset, length, depth, name, value, ...(meaning !== undefined && {meaning})};
    }),
    encrypted: encrypted.map(({offset, length}) => ({offset, length})),
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

function isMasked({parts}: Inspection, {parts: clear}: Inspection): boolean {
  return parts.some(({value}, i) => value !== clear[i]?.value);
}

function textOf(sent: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
