import {redactKeys} from '../contract/masks/redact-keys.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {Keyfile} from './keyfile.js';
import {checkKeySet} from './keys/check-key-set.js';
import type {KeyEntry} from './keys/key-entry.js';

/**
 * The keyfile with more keys, all or none. `where` names an added key in messages by its index.
 * Throws 9015 if two keys conflict, or a name, which is shown, may be a key.
 */
export function addKeys(
  keyfile: Keyfile,
  added: readonly KeyEntry[],
  where: (index: number) => string = (index) =>
    added.length === 1 ? 'the key' : `key ${index + 1}`,
): Keyfile {
  const names = added.map(({name = ''}) => name.replace(/\s/g, ''));
  const keyLike = names.findIndex((name) => redactKeys(name) !== name);
  if (keyLike >= 0) {
    const hint = 'Choose another name; --key-file reads the key itself.';
    throw new PaylensError(9015, `${where(keyLike)}: its name may be a key`, {hint});
  }
  const keys = [...keyfile.keys, ...added];
  const first = keyfile.keys.length;
  checkKeySet(keys, (index) => (index < first ? 'a key of the keyfile' : where(index - first)));
  return {...keyfile, keys};
}
