import {bytesFromHex, isHex} from '../../../../platform/bytes.js';
import type {RepairedFrame} from '../../terminal.js';

/** Characters around the card data: STX, length, LRC, checksum, ETX. */
const AROUND_TEXT = 12;
const MAX_REPAIRS = 1600;

/**
 * The possible originals of a damaged ID TECH frame (docs/terminals/idtech.md#the-swipe-frame). Its
 * length gives the number of missing or extra characters, its LRC and checksum identify them. All
 * possible positions are returned, since only decryption can decide between them.
 */
export function repairedFrames(given: string): RepairedFrame[] {
  const text = given.trim();
  if (!/^02[0-9A-F]{4}/i.test(text)) return [];
  const frames = isHex(text) ? hexRepairs(text) : keyboardRepairs(text);
  return frames.slice(0, MAX_REPAIRS);
}

function keyboardRepairs(text: string): RepairedFrame[] {
  const length = declaredLength(text);
  const missing = length + AROUND_TEXT - text.length;
  if (missing === -1) return withoutOne(text);
  if (missing < 1 || missing > 80) return [];
  return [...(missing === 1 ? withOne(text) : []), ...collapsedRuns(text, missing)];
}

function declaredLength(text: string): number {
  const [low = 0, high = 0] = bytesFromHex(text.slice(2, 6)) ?? [];
  return low + 256 * high;
}

/** Adds one character: the LRC gives it, the checksum confirms that it is the only one. */
function withOne(text: string): RepairedFrame[] {
  const data = text.slice(6, -6);
  const code = lrcOf(data) ^ Number.parseInt(text.slice(-6, -4), 16);
  if (code < 0x20 || code > 0x7e || !sumFits(text, data, code)) return [];
  return Array.from({length: data.length + 1}, (_, at) => ({
    text: text.slice(0, 6 + at) + String.fromCharCode(code) + text.slice(6 + at),
    change: 'lost',
    detail: `A character was lost at ${6 + at}.`,
  }));
}

function withoutOne(text: string): RepairedFrame[] {
  const data = text.slice(6, -6);
  const code = lrcOf(data) ^ Number.parseInt(text.slice(-6, -4), 16);
  if (!sumFits(text, data, -code)) return [];
  const found: RepairedFrame[] = [];
  for (let at = 0; at < data.length; at++) {
    if (data.charCodeAt(at) !== code) continue;
    const repaired = text.slice(0, 6 + at) + text.slice(7 + at);
    const detail = `The character at ${6 + at} is extra.`;
    found.push({text: repaired, change: 'added', detail});
  }
  return found;
}

function sumFits(text: string, data: string, change: number): boolean {
  let sum = change;
  for (let i = 0; i < data.length; i++) sum += data.charCodeAt(i);
  return (sum & 0xff) === Number.parseInt(text.slice(-4, -2), 16);
}

/** Restores runs of asterisks or spaces that were collapsed in print. */
function collapsedRuns(text: string, missing: number): RepairedFrame[] {
  return [...text.matchAll(/\*+| +/g)].map(({0: run, index}) => ({
    text: text.slice(0, index) + run.charAt(0).repeat(missing) + text.slice(index),
    change: 'lost',
    detail: `${missing} ${run.charAt(0) === '*' ? 'stars' : 'blanks'} were lost at ${index}.`,
  }));
}

/** Repairs of hex: one digit, or both digits of a byte, missing or extra. */
function hexRepairs(text: string): RepairedFrame[] {
  const missing = 2 * (declaredLength(text) + AROUND_TEXT / 2) - text.length;
  if (missing === 1) return digitRepairs(text);
  if (missing === -1) return digitRemovals(text);
  return missing === 2 ? byteRepairs(text) : [];
}

function digitRepairs(text: string): RepairedFrame[] {
  const found: RepairedFrame[] = [];
  for (let at = 6; at <= text.length - 6; at++) {
    for (const digit of '0123456789ABCDEF') {
      if (digit === text.charAt(at - 1).toUpperCase() && at > 6) continue;
      const repaired = text.slice(0, at) + digit + text.slice(at);
      const detail = `A hex digit was lost at ${at}.`;
      if (isWhole(repaired)) found.push({text: repaired, change: 'lost', detail});
    }
  }
  return found;
}

function digitRemovals(text: string): RepairedFrame[] {
  const found: RepairedFrame[] = [];
  for (let at = 6; at < text.length - 6; at++) {
    const repaired = text.slice(0, at) + text.slice(at + 1);
    const detail = `The hex digit at ${at} is extra.`;
    if (isWhole(repaired)) found.push({text: repaired, change: 'added', detail});
  }
  return found;
}

function byteRepairs(text: string): RepairedFrame[] {
  const bytes = bytesFromHex(text) ?? new Uint8Array();
  const data = bytes.subarray(3, -3);
  const value = data.reduce((lrc, byte) => lrc ^ byte, 0) ^ (bytes.at(-3) ?? 0);
  const hex = value.toString(16).toUpperCase().padStart(2, '0');
  return Array.from({length: data.length + 1}, (_, i): RepairedFrame => {
    const at = 6 + 2 * i;
    const repaired = text.slice(0, at) + hex + text.slice(at);
    return {text: repaired, change: 'lost', detail: `A byte was lost at ${at / 2}.`};
  }).filter(({text: repaired}) => isWhole(repaired));
}

/** True if LRC and checksum of a frame in hex are correct. */
function isWhole(text: string): boolean {
  const bytes = bytesFromHex(text);
  if (!bytes) return false;
  let lrc = 0;
  let sum = 0;
  for (const byte of bytes.subarray(3, -3)) {
    lrc ^= byte;
    sum += byte;
  }
  return lrc === bytes.at(-3) && (sum & 0xff) === bytes.at(-2) && bytes.at(-1) === 3;
}

function lrcOf(text: string): number {
  let lrc = 0;
  for (let i = 0; i < text.length; i++) lrc ^= text.charCodeAt(i);
  return lrc;
}
