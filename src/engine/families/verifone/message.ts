import {PaylensError} from '../../../contract/paylens-error.js';
import {compactHex} from '../../forms/payload-bytes.js';
import {FS, openTextMessage, type TextMessage} from '../../forms/text-message.js';
import type {Trace} from '../../trace.js';
import {ENCRYPTIONS, STATUSES, XPI_DATA_TYPES} from './layout.js';

/** The head of message E07, and the fields after it: data type and blob. */
export interface XpiMessage {
  readonly status: string;
  readonly encryption: string;
  readonly body: TextMessage;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BEGIN = /^\s*(\x02|\[STX\]|<STX>)?(?:(E07|C30|C31)|)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const XPI_MESSAGE_START = /^\s*\x02?E07/;

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
 * Reads the fields of message E07, with or without STX, ETX and LRC
 * (docs/terminals/verifone.md#xpi).
 *
 * Throws 2100 if its head is malformed, 2102 if the head is truncated. A wrong LRC is recorded in
 * the trace.
 */
export function readXpiMessage(payload: string, trace: Trace): XpiMessage {
  const message = openTextMessage(payload, trace, {another: XPI_MESSAGE_START, isOpenEnded: true});
  const head = message.peek();
  if (!BARE_HEAD.test(head)) {
    const place = `character ${message.offset}`;
    const detail = `${place}: expected E07, two digits of status and two of encryption type`;
    throw new PaylensError(head === message.rest ? 2102 : 2100, detail);
  }
  message.take(3, 'message');
  const status = message.take(2, 'status', meaningIn(STATUSES));
  const encryption = message.take(2, 'encryption type', meaningIn(ENCRYPTIONS));
  message.field('padding after the head');
  return {status, encryption, body: message};
}

/**
 * The data type of a message with VSD, and its blob. Throws 2100 if a field is malformed, 2102 if
 * the message ends before its blob.
 */
export function readVsdFields(body: TextMessage) {
  const {offset} = body;
  const [dataType = '', blob, ...others] = body.rest.split(FS);
  noteXpiDataType(body);
  if (blob === undefined)
    throw new PaylensError(2102, 'the message ends before the encrypted data');
  if (!/^\d\d$/.test(dataType))
    throw new PaylensError(2100, `data type at character ${offset}: expected two digits`);
  if (others.length > 0)
    throw new PaylensError(2100, `expected 3 fields, found ${others.length + 3}`);
  return {dataType, blob, offset: body.offset};
}

/** Records the fields of a message that is refused by its head. */
export function noteRefusedFields(body: TextMessage): void {
  noteXpiDataType(body);
  while (body.rest !== '') body.field('blob, base64');
}

function noteXpiDataType(body: TextMessage): void {
  body.field('data type', meaningIn(XPI_DATA_TYPES));
}

function meaningIn(names: Readonly<Record<string, string>>) {
  return (value: string) => (names[value] ? {meaning: names[value]} : {});
}
