import {PaylensError} from '../../contract/paylens-error.js';
import type {KeyBlockVersion} from '../../engine/key-block/header.js';
import {algorithmsOf, type KeyAlgorithm, type KeyEntry} from '../keys/key-entry.js';
import {kbpkText} from './select-kbpk.js';

export const KEY_BLOCK_VERSIONS = ['A', 'B', 'C', 'D'] as const;

/** The version to write under `kbpk`: B where it is TDES, D where it is AES. Throws 9001, 9015. */
export function versionFor(kbpk: KeyEntry, asked?: KeyBlockVersion): KeyBlockVersion {
  if (asked !== undefined) {
    checkVersion(asked, kbpk, 'the export');
    return asked;
  }
  const [algorithm, other] = algorithmsOf(kbpk);
  if (other === undefined) return algorithm === 'aes' ? 'D' : 'B';
  throw new PaylensError(9001, `${kbpkText(kbpk)} could be a TDES or an AES key`, {
    hint: 'Pass --version B (TDES) or --version D (AES).',
  });
}

/** The algorithm of the protection key of a version. */
export function protectionOf(version: KeyBlockVersion): KeyAlgorithm {
  return version === 'D' ? 'aes' : 'tdes';
}

/** Refuses a KBPK of the other algorithm with 9015. */
export function checkVersion(version: KeyBlockVersion, kbpk: KeyEntry, where: string): void {
  const algorithm = protectionOf(version);
  if (algorithmsOf(kbpk).includes(algorithm)) return;
  throw new PaylensError(
    9015,
    `${where}: key block: version ${version} requires a KBPK of ${algorithm.toUpperCase()}, found ${kbpkText(kbpk)}`,
  );
}

/** A warning about a deprecated version; none for B and D. */
export function versionWarnings(version: KeyBlockVersion): string[] {
  if (version === 'B' || version === 'D') return [];
  return [`version ${version} of key blocks is deprecated: use B, or D under an AES KBPK`];
}
