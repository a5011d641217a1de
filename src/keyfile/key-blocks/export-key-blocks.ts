import type {KeyBlockVersion} from '../../engine/key-block/header.js';
import {allOrNone} from '../keys/all-or-none.js';
import {type KeyEntry, kindText} from '../keys/key-entry.js';
import {versionFor, versionWarnings} from './block-version.js';
import type {KeyBlockForm} from './open-key-block.js';
import {selectKbpk} from './select-kbpk.js';
import {blockAlgorithm, wrapKeyEntry} from './wrap-key-entry.js';

interface ExportOptions {
  /** Absent: every key but the KBPK. */
  readonly chosen?: readonly KeyEntry[] | undefined;
  /** The name of the KBPK; absent: the only one. */
  readonly kbpk?: string | undefined;
  /** Absent: as the KBPK asks for. */
  readonly version?: KeyBlockVersion | undefined;
  /** Random bytes that pad the last cipher block. */
  readonly random: (bytes: number) => Uint8Array;
}

/** Key blocks in JSON form, and what a person should know about them. */
interface ExportedBlocks {
  readonly forms: readonly KeyBlockForm[];
  readonly warnings: readonly string[];
}

/**
 * Wraps keys under a KBPK of `keys`, all or none. Throws 9001 for the choice of KBPK and version, 9015
 * with all keys that are stronger than it.
 */
export function exportKeyBlocks(
  keys: readonly KeyEntry[],
  {chosen, kbpk: name, version: asked, random}: ExportOptions,
): ExportedBlocks {
  const kbpk = selectKbpk(keys, name);
  const version = versionFor(kbpk, asked);
  const wrapped = chosen ?? keys.filter((key) => key !== kbpk);
  const terms = {kbpk, version, random};
  const forms = allOrNone(wrapped, (key) =>
    formOf(key, kbpk, wrapKeyEntry(key, terms, keyText(key))),
  );
  const guessed = wrapped.filter((key) => key.algorithm === undefined).map(guessWarning);
  return {forms, warnings: [...versionWarnings(version), ...guessed]};
}

function formOf(key: KeyEntry, kbpk: KeyEntry, keyBlock: string): KeyBlockForm {
  return {
    ...(key.name === undefined ? {} : {name: key.name}),
    keyBlock,
    ...(key.compatibility === undefined ? {} : {compatibility: key.compatibility}),
    ...(kbpk.name === undefined ? {} : {kbpk: kbpk.name}),
  };
}

function guessWarning(key: KeyEntry): string {
  const algorithm = blockAlgorithm(key).toUpperCase();
  return `${keyText(key)}: its algorithm is not set; the block specifies ${algorithm}`;
}

/** How messages name a key. */
function keyText({name, kind: one, ksnPrefix}: KeyEntry): string {
  const kind = kindText(one);
  if (name !== undefined) return `${kind} "${name}"`;
  return ksnPrefix === undefined ? kind : `${kind} for KSN ${ksnPrefix}..`;
}
