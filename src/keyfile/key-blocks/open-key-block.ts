import {PaylensError} from '../../contract/paylens-error.js';
import {type KeyBlockHeader, readHeader} from '../../engine/key-block/header.js';
import {unwrapKeyBlock} from '../../engine/key-block/key-block.js';
import {type KeyAlgorithm, type KeyEntry, type KeyKind, keyEntryOf} from '../keys/key-entry.js';
import {checkKcvBlock} from './block-kcv.js';
import {checkVersion, versionWarnings} from './block-version.js';
import {kbpkText} from './select-kbpk.js';

/** A key as a key block (TR-31, ANSI X9.143) in JSON, with what the block does not say. */
export interface KeyBlockForm {
  readonly name?: string | undefined;
  readonly keyBlock: string;
  /** In place of the one in the block. */
  readonly ksnPrefix?: string | undefined;
  readonly compatibility?: boolean | undefined;
  /** The name of the key block protection key; absent: the one that is asked for. */
  readonly kbpk?: string | undefined;
}

/** The key of a block, and what a person should know about it. */
export interface OpenedKeyBlock {
  readonly key: KeyEntry;
  readonly warnings: readonly string[];
}

/** Which kind of key a usage makes (ANSI X9.143:2021, 6.3.1). */
const KINDS: Readonly<Record<string, KeyKind>> = {
  B0: 'bdk',
  B1: 'ik',
  D0: 'working',
  K0: 'kbpk',
  K1: 'kbpk',
};

/** Purpose of other common key usages, by their first letter or both characters. */
const OTHER_USAGES: Readonly<Record<string, string>> = {
  B2: 'base key of a variant key',
  B3: 'key derivation key',
  C: 'card verification',
  D: 'data encryption',
  E: 'EMV master key',
  I: 'initialisation vector',
  K: 'key encryption',
  M: 'MAC',
  P: 'PIN encryption',
  S: 'asymmetric key pair',
  V: 'PIN verification',
};

const ALGORITHMS: Readonly<Record<string, KeyAlgorithm>> = {T: 'tdes', D: 'tdes', A: 'aes'};

/**
 * Opens a key block under `kbpk` and makes a key of it: B0 a bdk, B1 an ik, D0 a working key, K0 and
 * K1 a kbpk. `where`
 * names the block in messages. Throws 9015 for a block that does not open, another usage or
 * algorithm, a KCV in it that is not that of the key, or a key that a keyfile does not take.
 */
export function openKeyBlock(form: KeyBlockForm, kbpk: KeyEntry, where: string): OpenedKeyBlock {
  const {header, key: secret} = unwrap(form.keyBlock, kbpk, where);
  const kind = kindOf(header, where);
  const algorithm = algorithmOf(header, where);
  const {name, compatibility} = form;
  const ksnPrefix = form.ksnPrefix ?? prefixIn(header, kind, where);
  const key = keyEntryOf({name, kind, algorithm, ksnPrefix, compatibility}, secret, where);
  const kcv = optionalBlock(header, 'KC', where);
  if (kcv !== undefined) checkKcvBlock(kcv, algorithm, secret.reveal(), where);
  return {key, warnings: warningsOf(header).map((warning) => `${where}: ${warning}`)};
}

function unwrap(block: string, kbpk: KeyEntry, where: string) {
  refuseClearKey(block, where);
  const {header} = named(where, () => readHeader(block.trim()));
  checkVersion(header.version, kbpk, where);
  return named(where, () => unwrapKeyBlock(block, kbpk.secret), `; tried ${kbpkText(kbpk)}`);
}

// A clear key must not be read as a header: messages quote headers.
function refuseClearKey(block: string, where: string): void {
  if (!/^\s*(?:[0-9a-f]{2}\s*){1,32}$/i.test(block)) return;
  const found = 'found hex digits, which may be a clear key';
  throw new PaylensError(9015, `${where}: expected a key block, ${found}`, {
    hint: 'Add clear keys with `paylens key add --key-file`.',
  });
}

/** Runs `open` and puts place and circumstances into the error that it throws. */
function named<T>(where: string, open: () => T, tried = ''): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    throw new PaylensError(error.code, `${where}: ${error.detail}${tried}`);
  }
}

function kindOf({usage}: KeyBlockHeader, where: string): KeyKind {
  const kind = KINDS[usage];
  if (kind) return kind;
  const meaning = OTHER_USAGES[usage] ?? OTHER_USAGES[usage.charAt(0)] ?? 'not known';
  throw new PaylensError(
    9015,
    `${where}: expected usage B0 (BDK), B1 (initial key), D0 (working key), K0 or K1 (KBPK), found ${usage} (${meaning})`,
  );
}

function algorithmOf({algorithm}: KeyBlockHeader, where: string): KeyAlgorithm {
  const known = ALGORITHMS[algorithm];
  if (known) return known;
  throw new PaylensError(
    9015,
    `${where}: expected algorithm T (TDES), D (DES) or A (AES), found ${algorithm}`,
  );
}

/** Digits of the part of a whole KSN that names the key set of its BDK (X9.24-1 and X9.24-3). */
const KEY_SET_DIGITS: Readonly<Record<number, number>> = {20: 10, 24: 8};

/**
 * The KSNs that the block names: `KS`, or those of X9.143 for AES: `IK` (initial key id) and `BI`
 * (00 and a key set, or 01 and a BDK id). Of a whole KSN a bdk serves the key set.
 */
function prefixIn(header: KeyBlockHeader, kind: KeyKind, where: string): string | undefined {
  if (kind === 'kbpk') return undefined;
  const ksn = optionalBlock(header, 'KS', where) ?? optionalBlock(header, 'IK', where);
  if (ksn === undefined) return optionalBlock(header, 'BI', where)?.slice(2);
  return kind === 'bdk' ? ksn.slice(0, KEY_SET_DIGITS[ksn.length]) : ksn;
}

/** The data of the optional block `wanted`. Throws 9015 if it occurs twice with different data. */
function optionalBlock(
  {optional}: KeyBlockHeader,
  wanted: string,
  where: string,
): string | undefined {
  const found = optional.filter(({id}) => id === wanted).map(({data}) => data);
  const [data, ...others] = new Set(found);
  if (others.length === 0) return data;
  throw new PaylensError(9015, `${where}: expected one block ${wanted}, found two that differ`);
}

function warningsOf({version, exportability}: KeyBlockHeader): string[] {
  const notExported = 'the block marks its key as non-exportable; a keyfile does not preserve this';
  return [...versionWarnings(version), ...(exportability === 'N' ? [notExported] : [])];
}
