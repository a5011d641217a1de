import {DESCRIBED_TYPE} from '../../contract/device-types.js';
import {PaylensError, resultOrError} from '../../contract/paylens-error.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {compactHex} from '../../engine/forms/payload-bytes.js';
import {cellsOf} from '../../engine/inspection/cells.js';
import {hiddenCells, type PartPair} from '../../engine/inspection/hidden-cells.js';
import {type Inspection, inspectBoth} from '../../engine/inspection/inspect-payload.js';
import type {ShownPart} from '../../engine/inspection/mask-part.js';
import {UNREAD} from '../../engine/inspection/name-unread.js';
import {ofRecognised} from '../../engine/recognise.js';
import {isHex} from '../../platform/bytes.js';
import {type ErrorView, errorView} from './advice.js';
import type {Step} from './derivation.js';
import {type Field, KINDS, type Kind, listed} from './field.js';
import {fieldsOf} from './fields.js';
import {hasKeys, type KeyChoice} from './keys.js';
import {type CheckedMac, type Opened, openPayload, type Tried} from './open-payload.js';
import {candidatesOf, type Read, type ReadSettings, type Requests, readOf} from './read.js';

/** A text to explore, the rows that were filled in by hand, and the keys. */
export interface ExplorationOrder extends ReadSettings {
  readonly text: string;
  readonly keys: KeyChoice;
}

/** An inspection as `inspect --json` prints it. */
export type InspectionView = Omit<Inspection, 'failure'> & {
  readonly error?: {readonly errCode: number; readonly errMessage: string};
};

/** Everything that is shown of a payload, as plain data: a worker may have read it. */
export interface Exploration {
  readonly input: Omit<Read, 'failure'> & {
    readonly request?: AnyRequest;
    /** The payload does not say how it is encrypted: its rows may. */
    readonly isOpenEnded?: boolean;
  };
  readonly inspection: InspectionView;
  readonly cells: Uint16Array;
  /** For each cell: whether it is masked while card numbers are. */
  readonly hidden: Uint8Array;
  readonly fields: readonly Field[];
  /** For each cell: one more than the id of the innermost field of the payload itself; 0: none. */
  readonly fieldOf: Uint16Array;
  /** For each cell: its kind, which gives its colour, as an index of `KINDS`. */
  readonly kinds: Uint8Array;
  /** Where parsing stopped. */
  readonly stop?: number;
  readonly opened?: Opened;
  /** The MACs and hashes that a key could check. */
  readonly macs: readonly CheckedMac[];
  /** Why it was not read or decrypted. */
  readonly failure?: ErrorView;
}

/** Reads a text, names its bytes, and decrypts it where there is a key. */
export function explore({keys, ...order}: ExplorationOrder): Exploration {
  const {failure: unreadable, ...read} = readOf(order);
  const planned = unreadable ?? resultOrError(() => candidatesOf(read));
  const {requests, bareFrom} = planned instanceof PaylensError ? NO_REQUESTS : planned;
  const first = requests[0] && inspectBoth(requests[0]);
  const tried: Opening =
    first && !first.clear.failure ? openFirst(requests, keys, first.clear) : {};
  const {request = requests[0]} = tried;
  const isBare = request !== undefined && requests.indexOf(request) >= bareFrom;
  const payload = isBare || !request ? read.payload : request.devicePayload;
  const inspected = request === requests[0] ? first : request && inspectBoth(request);
  const {masked, clear} =
    inspected && !isBare ? inspected : unread(payload, inspected?.clear.encrypted);
  const pairs = clear.parts.map((part, i) => ({clear: part, masked: masked.parts[i] ?? part}));
  const cells = cellsOf(payload, clear.unit);
  const {opened, macs = []} = tried;
  const fields = listed(fieldsOf(pairs, clear, opened?.parts, macs));
  const refusal = clear.refusal && new PaylensError(clear.refusal.errCode);
  const stopped = planned instanceof PaylensError ? planned : clear.failure;
  const failure = stopped ?? tried.failure ?? (request && !hasKeys(keys) ? refusal : undefined);
  const stop = stopped ? stopOf(pairs, cells.length) : undefined;
  return {
    input: {
      ...read,
      isOpenEnded: requests.length > 1 || request?.deviceType === DESCRIBED_TYPE,
      ...(request && {request}),
    },
    inspection: inspectionView(masked),
    cells,
    hidden: hiddenCells(cells, clear, pairs),
    fields,
    fieldOf: fieldByCell(fields, cells.length),
    kinds: kindByCell(fields, cells.length, clear.unit),
    ...(stop === undefined ? {} : {stop}),
    macs,
    ...(opened ? {opened} : {}),
    ...(failure ? {failure: errorView(read.terminal ? failure : ofRecognised(failure))} : {}),
  };
}

const NO_REQUESTS: Requests = {requests: [], bareFrom: 0};

/** What came of decrypting, and which request was opened. */
type Opening = Tried & {readonly request?: AnyRequest};

/** Opens the first request that the keys open; otherwise the error of the first is the most useful one. */
function openFirst(
  requests: readonly AnyRequest[],
  keys: KeyChoice,
  {encrypted}: Inspection,
): Opening {
  const ksns = [...new Set(encrypted.flatMap(({ksn}) => ksn ?? []))];
  let first: Opening | undefined;
  for (const request of hasKeys(keys) ? requests : []) {
    const tried = resultOrError(() => openPayload(request, keys, ksns));
    if (tried instanceof PaylensError) return {failure: tried};
    if (tried.opened) return {...tried, request};
    first ??= tried;
  }
  return first ?? {};
}

/** Wipes the keys that were derived for an exploration; they last no longer than it does. */
export function wipeKeys(exploration: Exploration | undefined): void {
  for (const {key} of stepsOf(exploration)) key.wipe();
}

/** The steps of all derivations, in their order. */
export function stepsOf(exploration: Exploration | undefined): readonly Step[] {
  return exploration?.opened?.parts.flatMap(({steps}) => steps) ?? [];
}

function inspectionView({failure, ...inspection}: Inspection): InspectionView {
  if (!failure) return inspection;
  return {...inspection, error: {errCode: failure.code, errMessage: failure.message}};
}

/** A payload that no reader accepts is one part; so is bare ciphertext, with how it is encrypted. */
function unread(
  payload: string,
  how: Inspection['encrypted'] = [],
): Record<'masked' | 'clear', Inspection> {
  const hex = compactHex(payload);
  const unit = hex === undefined ? 'character' : 'byte';
  const length = hex === undefined ? payload.length : Math.ceil(hex.length / 2);
  const encrypted = how.map((one) => ({...one, offset: 0, length}));
  const [{name = UNREAD} = {}] = encrypted;
  const value = encrypted.length > 0 ? (hex ?? '') : '';
  const parts: ShownPart[] = length > 0 ? [{offset: 0, length, depth: 0, name, value}] : [];
  const form = encrypted.length > 0 && {form: 'bare ciphertext'};
  const inspection: Inspection = {deviceType: '', ...form, unit, parts, checks: [], encrypted};
  return {masked: inspection, clear: inspection};
}

function stopOf(pairs: readonly PartPair[], length: number): number | undefined {
  const last = pairs.at(-1)?.clear;
  return last?.name === UNREAD && last.offset + last.length >= length ? last.offset : undefined;
}

/** For each cell, one more than the id of its innermost field. */
export function fieldByCell(fields: readonly Field[], cells: number): Uint16Array {
  const byCell = new Uint16Array(cells);
  for (const {id, offset, length, kind, opened} of fields) {
    const isInside = kind === 'bit' || (kind === 'card' && opened !== undefined);
    if (!isInside) byCell.fill(id + 1, offset, offset + length);
  }
  return byCell;
}

/** Kind of each cell; the cells before the value of a field are its tag and length. */
export function kindByCell(fields: readonly Field[], cells: number, unit: string): Uint8Array {
  const kinds = new Uint8Array(cells).fill(codeOf('structure'));
  for (const {offset, length, kind, opened, value, check, level} of fields) {
    const isInside = kind === 'bit' || (kind === 'card' && opened !== undefined);
    if (isInside || (kind === 'key' && level > 1 && value.clear.length < 16)) continue;
    const size = unit === 'byte' ? sizeOf(value.clear, length) : length;
    const at = offset + Math.max(0, length - size);
    kinds.fill(codeOf('length'), offset, at);
    kinds.fill(codeOf(check?.ok === false ? 'failed' : kind), at, offset + length);
  }
  return kinds;
}

function codeOf(kind: Kind): number {
  return KINDS.indexOf(kind);
}

/** The bytes of a value in hex, or in text of the length of its field. */
function sizeOf(value: string, length: number): number {
  const isText = value === '' || value.length === length || !isHex(value);
  return isText ? length : value.length / 2;
}
