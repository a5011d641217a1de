import type {InspectedPayload} from '../../contract/control/inspected-request.js';
import type {EncryptedPart, Inspection} from '../../engine/inspection/inspect-payload.js';
import {UNREAD} from '../../engine/inspection/name-unread.js';
import {type Exploration, fieldByCell, kindByCell} from '../model/explore.js';
import {listed} from '../model/field.js';
import {fieldsOf} from '../model/fields.js';

/** A payload of a real service as the explorer shows one: what the service hid was never here. */
export function maskedExploration(payload: InspectedPayload): Exploration {
  const {deviceType, form, unit, parts, checks, failure} = payload;
  const inspection: Inspection = {
    ...{deviceType, unit, parts, checks},
    ...(form !== undefined && {form}),
    encrypted: payload.encrypted as readonly EncryptedPart[],
  };
  const given = payload.cells ?? [];
  const cells = Uint16Array.from(given, (code) => code ?? 0);
  const fields = listed(
    fieldsOf(
      parts.map((part) => ({masked: part, clear: part})),
      inspection,
    ),
  );
  const last = parts.at(-1);
  return {
    input: {payload: ''},
    inspection,
    cells,
    macs: [],
    hidden: Uint8Array.from(given, (code) => (code === null ? 1 : 0)),
    fields,
    fieldOf: fieldByCell(fields, cells.length),
    kinds: kindByCell(fields, cells.length, unit),
    ...(failure && last?.name === UNREAD && {stop: last.offset}),
  };
}
