import {latin1Of, looseBase64} from '../../platform/bytes.js';

/** Three digits in base64: their position shows where the groups of four begin. */
const DIGITS = /[MNO][DTjz][AEIMQUYcgk][w-z0-5]/g;
const TOKEN = /[\w+/-]{16,}/g;

/**
 * Hides in base64 what `redact` hides in the encoded text: the characters of each hidden byte
 * become asterisks. `redact` must keep lengths. Base64 of text without digits is not decoded. Takes
 * linear time.
 */
export function redactBase64(text: string, redact: (decoded: string) => string): string {
  return text.replace(TOKEN, (token) => {
    let shown = token;
    for (const start of groupStarts(token)) shown = redactFrom(start, token, shown, redact);
    return shown;
  });
}

function groupStarts(token: string): Set<number> {
  const starts = new Set<number>();
  for (const {index} of token.matchAll(DIGITS)) {
    starts.add(index % 4);
    if (starts.size === 4) break;
  }
  return starts;
}

function redactFrom(
  start: number,
  token: string,
  shown: string,
  redact: (decoded: string) => string,
): string {
  const decoded = latin1Of(looseBase64(token.slice(start)));
  const redacted = redact(decoded);
  if (redacted === decoded) return shown;
  const characters = [...shown];
  for (let i = 0; i < decoded.length; i++) {
    if (redacted[i] === decoded[i]) continue;
    const last = Math.floor((8 * i + 7) / 6);
    for (let at = Math.floor((8 * i) / 6); at <= last; at++) characters[start + at] = '*';
  }
  return characters.join('');
}
