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
  where: (index: number) => string = (index) => `keys[${index}]`,
): void {
  keys.forEach((key, index) => {
    const conflicts = keys.slice(0, index).map((earlier) => conflict(earlier, key));
    const twin = conflicts.findIndex((one) => one !== undefined);
    const what = conflicts[twin];
    if (what === undefined) return;
    throw new PaylensError(9015, `${where(index)}: ${what} already taken by ${where(twin)}`, {
      hint: 'Remove the other key first, or use a different name or KSN prefix.',
    });
  });
}

/** True when both are of a kind and registered for the same KSNs (kbpks: both without a name). */
export function serveSameKsns(a: KeyEntry, b: KeyEntry): boolean {
  if (a.kind !== b.kind) return false;
  if (!isRingKey(a) || !isRingKey(b)) return a.name === undefined && b.name === undefined;
  const [left, right] = [servedPrefixes(a), servedPrefixes(b)];
  return same(left.tdes, right.tdes) || same(left.aes, right.aes);
}

function same(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a === b;
}

function conflict(a: KeyEntry, b: KeyEntry): string | undefined {
  if (a.name !== undefined && a.name === b.name) return `the name "${a.name}" is`;
  if (!serveSameKsns(a, b)) return undefined;
  if (a.kind === 'kbpk') return 'the slot of the unnamed KBPK is';
  return `${kindText(a.kind)} for ${a.ksnPrefix === undefined ? 'every KSN' : `KSN ${a.ksnPrefix}..`} is`;
}
