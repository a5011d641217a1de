import type {EncryptedPart, Inspection} from '../../engine/inspection/inspect-payload.js';
import type {ShownPart} from '../../engine/inspection/mask-part.js';
import type {WordedPart} from '../../engine/inspection/part-words.js';
import type {CipherSetting} from '../../engine/reading.js';
import type {Check} from '../../engine/trace.js';
import {byteRows} from './layout/byte-rows.js';
import {type Layout, stack} from './layout/layout.js';
import {type Cell, table} from './layout/table.js';
import {UNLIMITED} from './layout/text-width.js';
import {colors} from './output.js';
import {printable} from './terminal-text.js';

/** The tables of an inspection for people: what it is, the parts, the checks, the ciphertexts. */
export function inspectionTable(
  inspection: Inspection & {readonly parts: readonly WordedPart<ShownPart>[]},
): Layout {
  const {parts, checks, encrypted} = inspection;
  const sections = [
    headline(inspection),
    parts.length > 0 && partsTable(parts),
    checks.length > 0 && table(['check', 'offset', 'expected', 'found', ''], checks.map(checkRow)),
    encrypted.length > 0 &&
      table(['encrypted', 'offset', 'length', 'KSN', 'under'], encrypted.map(encryptedRow)),
  ];
  return stack(...sections.filter((section) => section !== false));
}

/** On a terminal, long values are in rows below their part. The bits that are set are rows, too. */
function partsTable(parts: readonly WordedPart<ShownPart>[]): Layout {
  const head = ['offset', 'length', 'name', 'value', 'meaning'];
  const rows = parts.flatMap((part) => {
    const below = byteRows(part);
    const short = partRow(below ? {...part, value: ''} : part);
    const words = wordRows(part).map((row) => ({row, short: row, below: undefined}));
    return [{row: partRow(part), short, below}, ...words];
  });
  const below = rows.map((one) => one.below);
  const piped = table(
    head,
    rows.map(({row}) => row),
  );
  const shown = table(
    head,
    rows.map(({short}) => short),
    {titled: 3, below},
  );
  return (width) => (width === UNLIMITED ? piped : shown)(width);
}

function wordRows({depth, words = []}: WordedPart<ShownPart>): string[][] {
  return words
    .filter(({isSet}) => isSet !== false)
    .map(({name, meaning}) => ['', '', '  '.repeat(depth + 1) + name, '', meaning]);
}

function headline({deviceType, form, serial, unit}: Inspection): string {
  const what = form === undefined ? deviceType : `${deviceType}: ${form}`;
  const whose = serial === undefined ? '' : `, serial ${printable(serial)}`;
  return `${what}${whose} (offsets and lengths in ${unit}s)`;
}

function partRow({offset, length, depth, name, value, meaning = ''}: ShownPart): string[] {
  return [
    String(offset),
    String(length),
    '  '.repeat(depth) + name,
    printable(value),
    printable(meaning),
  ];
}

function checkRow({name, offset, expected, found, ok}: Check): Cell[] {
  const mark = ok ? {text: '✓', paint: colors.green} : {text: '✗', paint: colors.red};
  return [name, String(offset), expected, found, mark];
}

function encryptedRow({name, offset, length, ksn = 'from request', setting}: EncryptedPart) {
  return [name, String(offset), String(length), ksn, settingText(setting)];
}

function settingText({algorithm, mode, variant, selfEncrypted}: CipherSetting): string {
  const key = `${variant} variant${selfEncrypted ? ', self-encrypted' : ''}`;
  return `${algorithm.toUpperCase()} ${mode.toUpperCase()}, ${key}`;
}
