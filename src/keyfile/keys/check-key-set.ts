import {PaylensError} from '../../contract/paylens-error.js';
import {servedPrefixes} from '../../engine/dukpt/ring-key.js';
import {type KeyEntry, kindText} from './key-entry.js';
import {isRingKey} from './ring-keys.js';

/**
 * Checks that no two keys answer to the same name, and that no two of a kind are registered for
 * the same KSNs of one algorithm. Unnamed kbpks count as the same.
 * `where` names a key in messages by its index. Throws 9015.
 */
export function checkKeySet(
  keys: readonly KeyEntry[],
  where: (index: number) => string = (index) => `key ${index + 1}`,
): void {
  const takenBy = new Map<string, number>();
  keys.forEach((key, index) => {
    const named = key.name === undefined ? [] : [`name ${key.name}`];
    for (const slot of [...named, ...slotsOf(key)]) {
      const twin = takenBy.get(slot);
      takenBy.set(slot, index);
      if (twin === undefined) continue;
      const what = named.includes(slot) ? `the name "${key.name}" is` : `${slotText(key)} is`;
      throw new PaylensError(9015, `${where(index)}: ${what} already taken by ${where(twin)}`, {
        hint: 'Remove the other key first, or use a different name or KSN prefix.',
      });
    }
  });
}

/**
 * What only one key of a set may serve: the KSNs of a kind and an algorithm, or being the KBPK
 * without a name.
 */
export function slotsOf(key: KeyEntry): readonly string[] {
  if (!isRingKey(key)) return key.name === undefined ? ['kbpk'] : [];
  const served = Object.entries(servedPrefixes(key));
  return served.map(([algorithm, prefix]) => `${key.kind} ${algorithm} ${prefix}`);
}

function slotText({kind, ksnPrefix}: KeyEntry): string {
  if (kind === 'kbpk') return 'the slot of the unnamed KBPK';
  return `${kindText(kind)} for ${ksnPrefix === undefined ? 'every KSN' : `KSN ${ksnPrefix}..`}`;
}
