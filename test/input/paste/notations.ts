import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Bytes as a person may paste them: by an independent tool where there is one. */
export type Writer = (payloads: readonly Buffer[]) => readonly string[];

/** One process for all: each payload is a file `N`, what is made of it a file `N.out`. */
function tool(command: string): Writer {
  return (payloads) => {
    const folder = mkdtempSync(join(tmpdir(), 'paylens-paste-'));
    payloads.forEach((bytes, i) => {
      writeFileSync(join(folder, `${i}`), bytes);
    });
    execFileSync('sh', ['-c', command], {cwd: folder});
    const made = payloads.map((_, i) => readFileSync(join(folder, `${i}.out`), 'latin1'));
    rmSync(folder, {recursive: true});
    return made;
  };
}

function shell(command: string): Writer {
  return tool(`for f in *; do ${command} $f > $f.out; done`);
}

function python(expression: string): Writer {
  return tool(`python3 -c '
import base64, json, os
for f in os.listdir("."):
    b = open(f, "rb").read()
    open(f + ".out", "w").write(str(${expression}))
'`);
}

function each(write: (bytes: Buffer) => string): Writer {
  return (payloads) => payloads.map(write);
}

function spelled(bytes: Buffer, separator: string, prefix = ''): string {
  return [...bytes].map((byte) => `${prefix}${hexByte(byte)}`).join(separator);
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function lines(text: string, width: number): string {
  return text.replaceAll(new RegExp(`.{1,${width}}`, 'g'), '$&\n');
}

const STAMP = '2026-11-22 13:00:01.123 INFO  [reader-1] pid=4711';

/** Twenty notations and more. */
export const NOTATIONS: Readonly<Record<string, Writer>> = {
  xxd: shell('xxd'),
  'xxd, single bytes in upper case': shell('xxd -g1 -u'),
  'xxd, eight in a line': shell('xxd -c 8 -g 4'),
  'xxd -i': shell('xxd -i'),
  'hexdump -C': shell('hexdump -v -C'),
  'od -t x1': shell('od -v -t x1'),
  'od -A x -t x1z': shell('od -v -A x -t x1z'),
  'od -A d -t x1': shell('od -v -A d -t x1'),
  base64: shell('base64'),
  'base64 in one line': shell('base64 -w 0'),
  'base64url without padding': python('base64.urlsafe_b64encode(b).decode().rstrip("=")'),
  'repr of Python': python('repr(b)'),
  'bytearray of Python': python('repr(bytearray(b))'),
  'list of Python': python('list(b)'),
  'JSON string': python('json.dumps(b.decode("latin1"))'),
  '0x in front of all': each((bytes) => `0x${bytes.toString('hex')}`),
  '0x and commas': each((bytes) => spelled(bytes, ', ', '0x')),
  '0x and spaces': each((bytes) => spelled(bytes, ' ', '0x')),
  commas: each((bytes) => spelled(bytes, ',')),
  colons: each((bytes) => spelled(bytes, ':')),
  dashes: each((bytes) => spelled(bytes, '-').toUpperCase()),
  'escapes of C': each((bytes) => `"${spelled(bytes, '', '\\x')}"`),
  'array of C': each(
    (bytes) =>
      `static const uint8_t frame[${bytes.length}] = {\n${lines(spelled(bytes, ', ', '0x'), 72)}};`,
  ),
  'array of Java': each(
    (bytes) => `byte[] frame = new byte[] {${spelled(bytes, ', ', '(byte) 0x')}};`,
  ),
  'Arrays.toString of Java': each((bytes) => `[${[...new Int8Array(bytes)].join(', ')}]`),
  'hex in quotes': each((bytes) => `'${bytes.toString('hex')}'`),
  'hex in a log line': each(
    (bytes) => `${STAMP} payload="${bytes.toString('hex')}" length=${bytes.length} ok`,
  ),
  'base64 in a log line': each(
    (bytes) => `${STAMP} received ${bytes.toString('base64')} from COM3`,
  ),
  'member of a JSON log': each((bytes) =>
    JSON.stringify({level: 'info', message: 'card read', raw: bytes.toString('hex')}),
  ),
  'array of Go': each((bytes) => `[]byte{${spelled(bytes, ', ', '0x')}}`),
  'vec of Rust': each((bytes) => `let frame = vec![${spelled(bytes, ', ', '0x')}];`),
  'array of C#': each((bytes) => `var frame = new byte[] { ${spelled(bytes, ', ', '0x')} };`),
  'byteArrayOf of Kotlin': each(
    (bytes) => `val frame = byteArrayOf(${[...bytes].map(kotlinByte).join(', ')})`,
  ),
  'ubyteArrayOf of Kotlin': each(
    (bytes) => `ubyteArrayOf(${[...bytes].map((byte) => `0x${hexByte(byte)}u`).join(', ')})`,
  ),
  'binary of Erlang': each((bytes) => `<<${spelled(bytes, ',', '16#')}>>`),
  'db of an assembler': each(
    (bytes) => `db ${[...bytes].map((byte) => `0${hexByte(byte)}h`).join(', ')}`,
  ),
  'X of SQL': each((bytes) => `INSERT INTO reads VALUES (1, X'${bytes.toString('hex')}');`),
  'literal of Verilog': each((bytes) => `${8 * bytes.length}'h${bytes.toString('hex')}`),
  'URL encoding of all': each((bytes) => spelled(bytes, '', '%').toUpperCase()),
  'escapes of JSON': each((bytes) => `"${spelled(bytes, '', '\\u00')}"`),
  'data URL': each((bytes) => `data:application/octet-stream;base64,${bytes.toString('base64')}`),
  armour: each(
    (bytes) =>
      `-----BEGIN CARD DATA-----\n${lines(bytes.toString('base64'), 64)}-----END CARD DATA-----\n`,
  ),
  '!!binary of YAML': each(
    (bytes) =>
      `raw: !!binary |\n${lines(bytes.toString('base64'), 64).replaceAll(/^(?=.)/gm, '  ')}`,
  ),
  'quoted mail': each(
    (bytes) => `Jane wrote:\n${lines(bytes.toString('hex'), 64).replaceAll(/^(?=.)/gm, '> ')}`,
  ),
  'lines with times': each((bytes) =>
    lines(bytes.toString('hex'), 64).replaceAll(
      /^(?=.)/gm,
      '11-22 13:00:01.123  4711  4733 D Reader: ',
    ),
  ),
  'Format-Hex': each(formatHex),
  'Buffer of Node': each((bytes) => `<Buffer ${spelled(bytes, ' ')}>`),
  'Uint8Array of DevTools': each(
    (bytes) => `Uint8Array(${bytes.length}) [${[...bytes].join(', ')}]`,
  ),
  dots: each((bytes) => spelled(bytes, '.')),
  'characters without width': each((bytes) =>
    lines(bytes.toString('hex'), 32).replaceAll('\n', '\u200b'),
  ),
  'dashes of a word processor': each((bytes) => spelled(bytes, '\u2013')),
  'full-width digits': each((bytes) =>
    bytes.toString('hex').replaceAll(/./g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  ),
};

function kotlinByte(byte: number): string {
  return byte < 128 ? `0x${hexByte(byte)}` : `0x${hexByte(byte)}.toByte()`;
}

/** As PowerShell 5 prints it. */
function formatHex(bytes: Buffer): string {
  const rows = (
    bytes
      .toString('hex')
      .toUpperCase()
      .match(/.{1,32}/g) ?? []
  ).map((row, i) => {
    const offset = (16 * i).toString(16).toUpperCase().padStart(8, '0');
    return `${offset}   ${(row.match(/../g) ?? []).join(' ').padEnd(47)}  ................`;
  });
  const head = `${' '.repeat(11)}00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F`;
  return `           Path: C:\\tmp\\frame.bin\r\n\r\n${head}\r\n\r\n${rows.join('\r\n')}\r\n`;
}
