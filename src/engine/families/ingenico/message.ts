import {bytesFromHex, latin1Of} from '../../../platform/bytes.js';
import {compactHex, halfByte} from '../../forms/payload-bytes.js';
import {openTextMessage, type TextMessage} from '../../forms/text-message.js';
import type {Trace} from '../../trace.js';

/** The start of a message with a card; an exit type may be between id and source. */
const RBA_MESSAGE_START = /(?:23|41|87)\.\d?[A-Za-z]|33\.0[2357]/;

/** True if another message that may contain a card begins in `text`. */
export function holdsMessage(text: string): boolean {
  return RBA_MESSAGE_START.test(text);
}

/**
 * Opens an RBA message, in text or in hex (docs/terminals/ingenico.md#framing). Throws as
 * `openTextMessage` does.
 */
export function openRbaMessage(payload: string, trace: Trace): TextMessage {
  return openTextMessage(payload, trace, {bytes: hexMessage(payload), another: RBA_MESSAGE_START});
}

function hexMessage(payload: string): Uint8Array | undefined {
  const compact = compactHex(payload);
  if (compact === undefined) return undefined;
  const bytes = bytesFromHex(compact);
  if (bytes) return MESSAGE_TEXT.test(latin1Of(bytes)) ? bytes : undefined;
  if (!/^(?:02)?3\d3\d2e/i.test(compact)) return undefined;
  throw halfByte(compact);
}

/** Printable characters and separators up to ETX; the LRC after it may be any character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const MESSAGE_TEXT = /^[\x02\x1c\x1d\r\n -~]*(?:\x03|$)/;
