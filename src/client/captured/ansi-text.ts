/** The text of bash's `$'...'`, without its quotes; one byte a character. */
export function ansiText(written: string): string {
  const text = written.replace(ESCAPE, (_, code: string) => escapedText(code));
  // A NUL ends the string, as in bash, even one that is not escaped.
  return text.split('\0', 1)[0] ?? '';
}

const HEX = '[\\da-fA-F]';
const ESCAPE = new RegExp(`\\\\([0-7]{1,3}|x${HEX}{1,2}|u${HEX}{1,4}|U${HEX}{1,8}|c[^]|[^])`, 'g');

const CONTROLS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

function escapedText(code: string): string {
  const [kind = ''] = code;
  const rest = code.slice(1);
  if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
  if (rest === '') return CONTROLS[kind] ?? `\\${kind}`;
  if (kind === 'c') return String.fromCharCode(rest.charCodeAt(0) & 0x1f);
  const value = Number.parseInt(rest, 16);
  return kind === 'x' ? String.fromCharCode(value) : utf8(value);
}

// Half of a surrogate pair has its three bytes, too, which Buffer would not write.
function utf8(code: number): string {
  if (code > 0x10ffff) return '';
  if (code < 0xd800 || code > 0xdfff)
    return Buffer.from(String.fromCodePoint(code)).toString('latin1');
  return String.fromCharCode(
    0xe0 | (code >> 12),
    0x80 | ((code >> 6) & 0x3f),
    0x80 | (code & 0x3f),
  );
}
