import type {InspectedPayload} from '../../contract/control/inspected-request.js';
import type {JsonObject} from '../../contract/parse-json.js';
import type {TerminalSet} from '../../engine/devices/terminal-set.js';
import {inspectPayload} from '../../engine/inspection/inspect-payload.js';

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
  const found = inspectPayload({deviceType, devicePayload, ksn, iv}, false, terminals);
  const {form, unit, parts, encrypted, failure} = found;
  return {
    deviceType,
    ...(isTest && {text: devicePayload, ...(ksn && {ksn}), ...(iv && {iv})}),
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

function textOf(sent: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
