import {PaylensError} from '../../../contract/paylens-error.js';
import {hexByte} from '../../../platform/bytes.js';
import {severalReads} from '../../forms/one-read.js';
import {compactHex} from '../../forms/payload-bytes.js';
import type {Trace} from '../../trace.js';
import {ENCRYPTIONS, MESSAGE_FIELDS, STATUSES, XPI_DATA_TYPES} from './layout.js';

const STX = 0x02;
const ETX = 0x03;
const FS = 0x1c;

/** A field: its text and the character at which it begins. */
interface MessageField {
  readonly text: string;
  readonly offset: number;
}

/** The head of message E07, and the fields after it. */
export interface XpiMessage {
  readonly status: string;
  readonly encryption: string;
  readonly rest: readonly MessageField[];
}

/** Control characters, raw or spelled out as in manuals and logs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTER = /\[(STX|ETX|FS)\]|<(STX|ETX|FS)>|[\x02\x03\x1c]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BEGIN = /^\s*(\x02|\[STX\]|<STX>)?(?:(E07|C30|C31)|)/;

/** A failed read may end after the head, which by itself looks like hex with an odd digit. */
const BARE_HEAD = /^\s*E07\d{4}\s*$/;

/**
 * The name of the XPI message in `payload`: E07 has card data, C30 and C31 clear EMV data; empty
 * for any other after STX, undefined if no message begins there.
 */
export function messageName(payload: string): string | undefined {
  if (BARE_HEAD.test(payload)) return 'E07';
  if (compactHex(payload) !== undefined) return undefined;
  const [, stx, name] = BEGIN.exec(payload) ?? [];
  return name ?? (stx === undefined ? undefined : '');
}

/**
 * Splits message E07 into its fields, with or without STX, ETX and LRC
 * (docs/terminals/verifone.md#xpi).
 *
 * Throws 2100 if its head is malformed, 2102 if the head is truncated. A wrong LRC is recorded in
 * the trace.
 */
export function readXpiMessage(payload: string, trace: Trace): XpiMessage {
  trace.unit = 'character';
  const fields = splitXpiFields(payload, trace);
  const [head, ...rest] = fields;
  const [, status, encryption] = /^\s*E07(\d\d)(\d\d)\s*$/.exec(head?.text ?? '') ?? [];
  if (!head || status === undefined || encryption === undefined) {
    throw new PaylensError(
      fields.length > 1 ? 2100 : 2102,
      `character ${head?.offset ?? 0}: expected E07, two digits of status and two of encryption type`,
    );
  }
  noteHead(trace, head, status, encryption);
  const [dataType] = rest;
  if (dataType?.text) noteDataType(trace, dataType);
  return {status, encryption, rest};
}

/**
 * The data type of a message with VSD, and its blob. Throws 2100 if a field is malformed, 2102 if
 * the message ends before its blob.
 */
export function blobOf({rest}: XpiMessage): {dataType: string; blob: MessageField} {
  const [dataType, blob] = rest;
  if (!dataType || !blob)
    throw new PaylensError(2102, 'the message ends before the encrypted data');
  if (!/^\d\d$/.test(dataType.text)) {
    throw new PaylensError(2100, `data type at character ${dataType.offset}: expected two digits`);
  }
  if (rest.length > 2) {
    throw new PaylensError(2100, `expected 3 fields, found ${rest.length + 1}`);
  }
  return {dataType: dataType.text, blob};
}

/** Splits the text at its control characters and records these; checks the LRC after ETX. */
function splitXpiFields(payload: string, trace: Trace): MessageField[] {
  const fields: MessageField[] = [];
  let at = 0;
  for (const match of payload.matchAll(CONTROL_CHARACTER)) {
    const {code, name} = controlOf(match[1] ?? match[2] ?? match[0]);
    const [token] = match;
    const end = match.index + token.length;
    noteField(trace, match.index, token.length, name, hexByte(code));
    if (code !== STX || fields.length > 0)
      fields.push({text: payload.slice(at, match.index), offset: at});
    at = end;
    if (code !== ETX) continue;
    checkLrc(payload, end, trace);
    return fields;
  }
  fields.push({text: payload.slice(at), offset: at});
  return fields;
}

function controlOf(token: string): {code: number; name: string} {
  if (token === 'STX' || token === '\x02') return {code: STX, name: MESSAGE_FIELDS.stx};
  if (token === 'ETX' || token === '\x03') return {code: ETX, name: MESSAGE_FIELDS.etx};
  return {code: FS, name: MESSAGE_FIELDS.separator};
}

/**
 * XOR of the characters after STX up to and including ETX; a spelled-out control character counts
 * as one.
 */
export function messageLrc(text: string): number {
  const canonical = text.replaceAll(CONTROL_CHARACTER, (token, square, angle) =>
    String.fromCharCode(controlOf(square ?? angle ?? token).code),
  );
  let lrc = 0;
  const start = canonical.indexOf(String.fromCharCode(STX)) + 1;
  for (let i = start; i < canonical.length; i++) {
    lrc ^= canonical.charCodeAt(i);
  }
  return lrc & 0xff;
}

function checkLrc(payload: string, at: number, trace: Trace): void {
  const found = payload.charCodeAt(at);
  if (Number.isNaN(found)) throw new PaylensError(2102, `character ${at}: no LRC after ETX`);
  trace.check('LRC', at, hexByte(messageLrc(payload.slice(0, at))), hexByte(found & 0xff));
  noteField(trace, at, 1, MESSAGE_FIELDS.lrc, hexByte(found & 0xff));
  const rest = payload.slice(at + 1);
  if (rest === '') return;
  if (messageName(rest) === 'E07') {
    throw severalReads(`a second message E07 begins after character ${at}`);
  }
  const ok = rest.trim() === '';
  trace.check('end of message', at + 1, 'nothing', ok ? 'nothing' : 'other data', ok);
  noteField(trace, at + 1, rest.length, 'after the message', rest);
}

function noteHead(trace: Trace, head: MessageField, status: string, encryption: string): void {
  const at = head.offset + head.text.indexOf('E07');
  noteField(trace, at, 3, MESSAGE_FIELDS.command, 'E07');
  noteField(trace, at + 3, 2, MESSAGE_FIELDS.status, status, STATUSES[status]);
  noteField(trace, at + 5, 2, MESSAGE_FIELDS.encryption, encryption, ENCRYPTIONS[encryption]);
}

function noteDataType(trace: Trace, {text, offset}: MessageField): void {
  noteField(trace, offset, text.length, MESSAGE_FIELDS.dataType, text, XPI_DATA_TYPES[text]);
}

function noteField(
  trace: Trace,
  offset: number,
  length: number,
  name: string,
  value: string,
  meaning?: string,
): void {
  trace.note({offset, length, depth: 0, name, value, ...(meaning ? {meaning} : {})});
}
