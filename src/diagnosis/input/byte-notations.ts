import {isHex, upperHexOf} from '../../platform/bytes.js';

/** A line of `xxd`, `hexdump -C` or a debugger: offset, bytes in groups, their characters. */
const DUMP_LINE =
  /^\s*(?:0x)?[0-9a-f]{4,16}[:h]?\s+((?:[0-9a-f]{2}){1,8}(?:[ -][ ]?(?:[0-9a-f]{2}){1,8})*)(?:\s{2,}.*|\s*\|.*|\s*)$/i;

/** The bytes of a hex dump, in hex; undefined if a line is not part of a dump. */
export function fromDump(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const bytes = lines.map((line) => DUMP_LINE.exec(line)?.[1]?.replaceAll(/[ -]/g, ''));
  if (lines.length < 2 || bytes.some((one) => one === undefined || one.length > 64))
    return undefined;
  const hex = bytes.join('');
  return hex.length >= 16 && isHex(hex) ? hex : undefined;
}

/** At least eight numbers, with or without brackets. */
const DECIMALS = /^[[({]? ?(-?\d{1,3}(?:\s*[,;]\s*-?\d{1,3}|\s+-?\d{1,3}){7,}) ?[\])}]?;?$/;

/**
 * Bytes written as decimal numbers, signed (as Java prints them) or unsigned, in hex: `[-114, -126,
 * 206]`.
 */
export function fromDecimals(text: string): string | undefined {
  const [, list] = DECIMALS.exec(text.trim()) ?? [];
  if (list === undefined) return undefined;
  const numbers = list.split(/[\s,;]+/).map(Number);
  if (numbers.some((one) => one < -128 || one > 255)) return undefined;
  // Pairs of digits below 100 are hex separated by spaces.
  if (/^\d\d(?:\D+\d\d)*$/.test(list)) return undefined;
  return upperHexOf(Uint8Array.from(numbers));
}

/** Hex with letters mistaken for digits: O for 0, I and l for 1. */
export function fromLookAlikes(text: string): string | undefined {
  const digits = text.replaceAll(/\s/g, '').replaceAll(/O/gi, '0').replaceAll(/[IL]/gi, '1');
  return /[OIL]/i.test(text) && digits.length >= 16 && isHex(digits) ? digits : undefined;
}
