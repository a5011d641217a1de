import {DESCRIBED_TYPE} from '../../contract/device-types.js';
import {parseJsonObject} from '../../contract/parse-json.js';
import {CIPHER_MODES, GENERIC_VARIANTS} from '../../engine/families/generic/layout.js';
import type {TerminalType} from '../../engine/families/registry.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {compactHex} from '../../engine/forms/payload-bytes.js';
import {judge} from '../../input/paste/judge.js';
import {toRequest} from '../../input/paste/request-input.js';
import {ksnDigits} from '../../input/written-ksn.js';
import {BLOCK_DIGITS, type ReadInput, type RequestFields, readInput} from './read-input.js';

/** The rows of a read besides its payload and keys; undefined where the text or nothing says it. */
export interface ReadSettings extends RequestFields {
  readonly terminal?: TerminalType | undefined;
  /** The serial number that a request gives beside its payload. */
  readonly deviceSerial?: string | undefined;
  /** Of a payload that does not say how it is encrypted. */
  readonly variant?: string | undefined;
  readonly mode?: string | undefined;
}

export const NO_ROWS: ReadSettings = {
  terminal: undefined,
  ksn: undefined,
  iv: undefined,
  deviceSerial: undefined,
  variant: undefined,
  mode: undefined,
};

/** One read with all its rows. */
export interface Read extends ReadSettings, Pick<ReadInput, 'payload' | 'note' | 'failure'> {}

/** The read that a text and the rows give together: what is in a row comes first. */
export function readOf({text, ...rows}: ReadSettings & {readonly text: string}): Read {
  const found = readInput(text, rows.terminal);
  const ksn = rows.ksn ?? found.ksn;
  return {
    ...found,
    terminal: rows.terminal ?? found.terminal,
    ksn: ksn && ksnDigits(ksn),
    iv: (rows.iv ?? found.iv)?.replaceAll(/[\s:-]/g, '') || undefined,
    deviceSerial: rows.deviceSerial ?? found.deviceSerial,
    variant: rows.variant,
    mode: rows.mode,
  };
}

/** The requests that a read may be, the likeliest first: bare ciphertext does not say how it is encrypted. */
export interface Requests {
  readonly requests: readonly AnyRequest[];
  /** From here on the payload is taken for bare ciphertext. */
  readonly bareFrom: number;
}

/** The requests that a read may be. Throws as `toRequest`. */
export function candidatesOf({payload, terminal, variant, mode, ...more}: Read): Requests {
  const {ksn, iv, deviceSerial} = more;
  const fields = {...(ksn && {ksn}), ...(iv && {iv}), ...(deviceSerial && {deviceSerial})};
  const isDescribed = variant !== undefined || mode !== undefined;
  const data =
    terminal === undefined || terminal === DESCRIBED_TYPE ? compactHex(payload) : undefined;
  const judgement = data && data.length % BLOCK_DIGITS === 0 ? judge(data) : undefined;
  const described = (members: object): AnyRequest => ({
    deviceType: DESCRIBED_TYPE,
    devicePayload: JSON.stringify(members),
    ...fields,
  });
  if (judgement === 'weak' || judgement === 'none') {
    const isRead = judgement === 'weak' && terminal === undefined && !isDescribed;
    const read = isRead ? [toRequest(payload, undefined, fields)] : [];
    const modes = mode === undefined ? BARE_MODES : [mode];
    const ways = (variant === undefined ? BARE_VARIANTS : [variant]).flatMap((variant) =>
      modes.map((mode) => described({data, variant, mode})),
    );
    return {requests: [...read, ...ways], bareFrom: read.length};
  }
  const request = toRequest(payload, undefined, {deviceType: terminal, ...fields});
  const isEdited = isDescribed && request.deviceType === DESCRIBED_TYPE && payload.startsWith('{');
  const members = {...(variant && {variant}), ...(mode && {mode})};
  const requests = [isEdited ? described({...parseJsonObject(payload), ...members}) : request];
  return {requests, bareFrom: 1};
}

export const BARE_VARIANTS = Object.keys(GENERIC_VARIANTS);
export const BARE_MODES = Object.keys(CIPHER_MODES);
