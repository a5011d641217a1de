import type {EncryptedPart, Inspection} from '../../engine/inspection/inspect-payload.js';
import type {ShownPart} from '../../engine/inspection/mask-part.js';
import type {CipherSetting} from '../../engine/reading.js';
import type {Check} from '../../engine/trace.js';
import {type Layout, stack} from './layout/layout.js';
import {type Cell, table} from './layout/table.js';
import {colors} from './output.js';
import {printable} from './terminal-text.js';

/** The tables of an inspection for people: what it is, the parts, the checks, the ciphertexts. */
export function inspectionTable(inspection: Inspection): Layout {
  const {parts, checks, encrypted} = inspection;
  const sections = [
    headline(inspection),
    parts.length > 0 &&
      table(['offset', 'length', 'name', 'value', 'meaning'], parts.map(partRow), 3),
    checks.length > 0 && table(['check', 'offset', 'expected', 'found', ''], checks.map(checkRow)),
    encrypted.length > 0 &&
      table(['encrypted', 'offset', 'length', 'KSN', 'under'], encrypted.map(encryptedRow)),
  ];
  return stack(...sections.filter((section) => section !== false));
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
