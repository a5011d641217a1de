import {bytesOfHex, hexByte} from '../../platform/bytes.js';
import {isBinary} from '../decode-input.js';
import {compactHex} from '../forms/payload-bytes.js';
import type {Unit} from '../trace.js';

/**
 * The payload in the units of its offsets: bytes, or the characters of a text. A character beyond
 * Latin-1 keeps its code, which has no two digits.
 */
export function cellsOf(payload: string, unit: Unit): Uint16Array {
  const hex = unit === 'byte' && !isBinary(payload) ? compactHex(payload) : undefined;
  if (hex === undefined) {
    const cells = new Uint16Array(payload.length);
    for (let i = 0; i < payload.length; i++) cells[i] = payload.charCodeAt(i);
    return cells;
  }
  return Uint16Array.from(bytesOfHex(hex.length % 2 === 0 ? hex : `${hex}0`));
}

/** The two digits of a cell. */
export function hexOfCell(code: number): string {
  return code > 0xff ? '··' : hexByte(code);
}

/** A cell as a character; what cannot be seen is a point. */
export function textOfCell(code: number): string {
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '·';
}
