import type {Kcvs, KeyDescription} from '../../keyfile/keys/describe-key.js';
import type {Layout} from '../output/layout/layout.js';
import {single, table} from '../output/layout/table.js';

/** Keys as a table for people: never their bytes. */
export function keyTable(keys: readonly KeyDescription[]): Layout {
  return table(KEY_COLUMNS, keys.map(keyRow));
}

/** One key for people: never its bytes. */
export function keyDetails(key: KeyDescription): Layout {
  return single(KEY_COLUMNS, keyRow(key));
}

const KEY_COLUMNS = ['name', 'kind', 'algorithm', 'KSN prefix', 'KCV'];

/** KCVs in one line: `08D7B4 (TDES), 0A1B2C3D4E (AES)`. */
export function kcvText(kcvs: Kcvs): string {
  return Object.entries(kcvs)
    .map(([algorithm, kcv]) => `${kcv} (${algorithm.toUpperCase()})`)
    .join(', ');
}

function keyRow(key: KeyDescription): string[] {
  return [key.name ?? '-', key.kind, algorithmText(key), prefixText(key), kcvText(key.kcv)];
}

function algorithmText({algorithm, bytes, kind, compatibility}: KeyDescription): string {
  const unset = {kbpk: 'either', working: 'as the format', bdk: 'as the KSN', ik: 'as the KSN'}[
    kind
  ];
  const name = bytes === 8 ? 'DES' : (algorithm?.toUpperCase() ?? unset);
  return `${name}, ${bytes} bytes${compatibility ? ', also 10-byte KSNs' : ''}`;
}

function prefixText({ksnPrefix, kind}: KeyDescription): string {
  return ksnPrefix ?? (kind === 'kbpk' ? '-' : 'every KSN');
}
