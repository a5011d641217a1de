import {didYouMean} from '../../contract/nearest-name.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {type KeyAlgorithm, type KeyEntry, type KeyKind, normaliseKsnPrefix} from './key-entry.js';

/** Says which key is meant: by its name, or by its kind and KSN prefix. */
export interface KeySelector {
  readonly name?: string | undefined;
  readonly kind?: KeyKind | undefined;
  /** Absent, with a kind: the key without a prefix. */
  readonly ksnPrefix?: string | undefined;
  readonly algorithm?: KeyAlgorithm | undefined;
}

const SEE_ALL = 'Run `paylens key list` to see the keys.';

/** The one key that is meant. Throws 9001 when none or several fit, 9015 for a malformed prefix. */
export function selectKey(keys: readonly KeyEntry[], selector: KeySelector): KeyEntry {
  const matching = keys.filter(matcher(selector));
  const [key] = matching;
  if (!key) throw noKey(keys, selector.name);
  if (matching.length === 1) return key;
  throw new PaylensError(9001, `${matching.length} keys match: pass a name or --algorithm`, {
    hint: SEE_ALL,
  });
}

function noKey(keys: readonly KeyEntry[], typed = ''): PaylensError {
  const names = keys.flatMap(({name}) => name ?? []);
  return new PaylensError(9001, 'no matching key in the keyfile', {
    hint: didYouMean(typed, names) ?? SEE_ALL,
  });
}

function matcher({name, kind, ksnPrefix, algorithm}: KeySelector): (key: KeyEntry) => boolean {
  if (name !== undefined) return (key) => key.name === name;
  if (kind === undefined)
    throw new PaylensError(9001, 'expected a name, or --kind and --ksn-prefix');
  const prefix = normaliseKsnPrefix(kind, ksnPrefix, 'the key');
  return (key) =>
    key.kind === kind &&
    key.ksnPrefix === prefix &&
    (algorithm === undefined || key.algorithm === algorithm);
}
