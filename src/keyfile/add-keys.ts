import {checkKeySet} from './check-key-set.js';
import type {KeyEntry} from './key-entry.js';
import type {Keyfile} from './keyfile.js';

/** The keyfile with more keys, all or none. Throws 9015 when two keys cannot stand together. */
export function addKeys(keyfile: Keyfile, added: readonly KeyEntry[]): Keyfile {
  const keys = [...keyfile.keys, ...added];
  const first = keyfile.keys.length;
  checkKeySet(keys, (index) => {
    if (index < first) return 'a key of the keyfile';
    return added.length === 1 ? 'the key' : `keys[${index - first}]`;
  });
  return {...keyfile, keys};
}
