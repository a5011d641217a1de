import {PaylensError} from '../../contract/paylens-error.js';
import {slotsOf} from './check-key-set.js';
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
  const merged: KeyEntry[] = [];
  const holders = new Map<string, {key: KeyEntry; path: string}[]>();
  for (const {path, keys} of sources) {
    for (const key of keys) {
      const slots = slotsOf(key);
      const twins = slots.flatMap((slot) => holders.get(slot) ?? []);
      const others = twins.filter((twin) => twin.path !== path);
      const other = others.find((twin) => !twin.key.secret.equals(key.secret));
      if (other) throw contradiction(key, other.path, path);
      if (others.some((twin) => servesAll(twin.key, key))) continue;
      merged.push(key);
      for (const slot of slots) holders.set(slot, [...(holders.get(slot) ?? []), {key, path}]);
    }
  }
  return merged;
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
