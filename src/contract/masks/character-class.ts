/** What a character is, besides the digit of that value. */
export const GAP = 10;
export const LETTER = 11;
export const OTHER = 12;
/** No place in a text. */
export const NOWHERE = -100;

const ASCII = Uint8Array.from({length: 128}, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\d/.test(character)) return Number(character);
  if (/[ \-\0]/.test(character)) return GAP;
  return /[a-z]/i.test(character) ? LETTER : OTHER;
});

/** Between groups of digits, at most one: spaces and hyphens of all kinds, NUL as in UTF-16. */
export function classOf(code: number): number {
  if (code < 128) return ASCII[code] ?? OTHER;
  return isWideGap(code) ? GAP : OTHER;
}

function isWideGap(code: number): boolean {
  if (code < 0x2000) return code === 0xa0 || code === 0xad;
  if (code <= 0x200b || (code >= 0x2010 && code <= 0x2015)) return true;
  return [0x202f, 0x205f, 0x2060, 0x2212, 0x3000, 0xfeff].includes(code);
}

const NONE = 255;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The value of a hex digit, or more than any has. */
export function nibbleOf(code: number): number {
  return code < 128 ? (NIBBLES[code] ?? NONE) : NONE;
}

const NIBBLES = Uint8Array.from({length: 128}, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? NONE : value;
});

export function isNibble(code: number): boolean {
  return nibbleOf(code) !== NONE;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The value of a character of base64, in either alphabet, or more than any has. */
export function sextetOf(code: number): number {
  return code < 128 ? (SEXTETS[code] ?? NONE) : NONE;
}

const SEXTETS = Uint8Array.from({length: 128}, (_, code) => {
  const index = BASE64.indexOf(String.fromCharCode(code));
  if (index >= 0) return index;
  return {'-': 62, _: 63}[String.fromCharCode(code)] ?? NONE;
});
