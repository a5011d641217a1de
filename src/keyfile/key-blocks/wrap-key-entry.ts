import {PaylensError} from '../../contract/paylens-error.js';
import type {
  KeyBlockHeader,
  KeyBlockVersion,
  OptionalBlock,
} from '../../engine/key-block/header.js';
import {wrapKeyBlock} from '../../engine/key-block/key-block.js';
import {algorithmsOf, type KeyAlgorithm, type KeyEntry} from '../keys/key-entry.js';
import {kcvBlock} from './block-kcv.js';
import {protectionOf} from './block-version.js';
import {kbpkText} from './select-kbpk.js';

/** The KBPK and a key block version that accepts it. */
export interface KeyBlockTerms {
  readonly kbpk: KeyEntry;
  readonly version: KeyBlockVersion;
  /** Random bytes that pad the last cipher block. */
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Usage and mode of use: derive for base and initial keys, encrypt and decrypt for a working key, wrap
 * and unwrap for a KBPK.
 */
const USES = {
  bdk: {usage: 'B0', mode: 'X'},
  ik: {usage: 'B1', mode: 'X'},
  working: {usage: 'D0', mode: 'B'},
  kbpk: {usage: 'K1', mode: 'B'},
} as const;

/** Bits of strength by bytes of key (NIST SP 800-57 Part 1, 5.6.1.1). */
const STRENGTHS: Readonly<Record<KeyAlgorithm, Readonly<Record<number, number>>>> = {
  tdes: {8: 56, 16: 80, 24: 112},
  aes: {16: 128, 24: 192, 32: 256},
};

/** The key is padded to the longest key of its algorithm, which hides its length. */
const KEY_FIELDS = {tdes: 24, aes: 32} as const;

/**
 * Wraps a key as a key block with its KSN prefix (`KS`) and KCV (`KC`). `where` names it in messages.
 * Throws 9015 when the key is stronger than the KBPK.
 */
export function wrapKeyEntry(key: KeyEntry, terms: KeyBlockTerms, where: string): string {
  const {kbpk, version, random} = terms;
  const algorithm = blockAlgorithm(key);
  checkStrength(key, terms, where);
  const header: KeyBlockHeader = {
    version,
    ...USES[key.kind],
    algorithm: algorithm === 'aes' ? 'A' : key.secret.length === 8 ? 'D' : 'T',
    keyVersion: '00',
    exportability: 'E',
    optional: optionalBlocks(key, algorithm),
  };
  const options = {random, keyField: KEY_FIELDS[algorithm]};
  return wrapKeyBlock({header, key: key.secret}, kbpk.secret, options);
}

/** Algorithm named in the key block; a key whose algorithm follows its KSN is exported as TDES. */
export function blockAlgorithm(key: KeyEntry): KeyAlgorithm {
  return algorithmsOf(key)[0] ?? 'tdes';
}

function checkStrength(key: KeyEntry, {kbpk, version}: KeyBlockTerms, where: string): void {
  const needed = strengthOf(blockAlgorithm(key), key);
  const found = strengthOf(protectionOf(version), kbpk);
  if (needed <= found) return;
  throw new PaylensError(
    9015,
    `${where}: expected a KBPK as strong as the key (${needed} bits), found ${kbpkText(kbpk)} of ${found} bits`,
    {hint: 'Choose a stronger KBPK with --kbpk.'},
  );
}

function strengthOf(algorithm: KeyAlgorithm, {secret}: KeyEntry): number {
  return STRENGTHS[algorithm][secret.length] ?? 0;
}

function optionalBlocks({ksnPrefix, secret}: KeyEntry, algorithm: KeyAlgorithm): OptionalBlock[] {
  return [
    ...(ksnPrefix === undefined ? [] : [{id: 'KS', data: ksnPrefix}]),
    {id: 'KC', data: kcvBlock(algorithm, secret.reveal())},
  ];
}
