import {PaylensError} from '../../contract/paylens-error.js';
import {serveSameKsns} from './check-key-set.js';
import {type KeyEntry, kindText} from './key-entry.js';

/** A keyfile's keys, with its path for messages. */
export interface KeySource {
  readonly path: string;
  readonly keys: readonly KeyEntry[];
}

/**
 * The keys of several keyfiles as one list. A key that is in two files counts once. Throws 9015 if
 * two files contain different keys for the same KSNs.
 */
export function mergeKeys(sources: readonly KeySource[]): readonly KeyEntry[] {
  const merged: {key: KeyEntry; path: string}[] = [];
  for (const {path, keys} of sources) {
    for (const key of keys) {
      const twins = merged.filter((other) => other.path !== path && serveSameKsns(other.key, key));
      const other = twins.find((twin) => !twin.key.secret.equals(key.secret));
      if (other) throw contradiction(key, other.path, path);
      if (!twins.some((twin) => servesAll(twin.key, key))) merged.push({key, path});
    }
  }
  return merged.map(({key}) => key);
}

function servesAll(twin: KeyEntry, key: KeyEntry): boolean {
  return twin.algorithm === key.algorithm && twin.compatibility === key.compatibility;
}

function contradiction(key: KeyEntry, first: string, second: string): PaylensError {
  const served = key.ksnPrefix === undefined ? 'every KSN' : `KSN ${key.ksnPrefix}..`;
  return new PaylensError(
    9015,
    `${first} and ${second} contain different keys: ${kindText(key.kind)} for ${served}`,
    {hint: 'Remove one of them with `paylens key remove`, or pass only one keyfile.'},
  );
}
