import {PaylensError} from '../contract/paylens-error.js';
import type {KeyEntry} from './key-entry.js';

/**
 * Checks that no two keys answer to the same name, or serve the same KSNs: same kind and prefix,
 * and the same algorithm or one that follows the KSN. Unnamed kbpks count as the same.
 * `where` names a key in messages by its index. Throws 9015.
 */
export function checkKeySet(
  keys: readonly KeyEntry[],
  where: (index: number) => string = (index) => `keys[${index}]`,
): void {
  keys.forEach((key, index) => {
    const twin = keys.slice(0, index).findIndex((earlier) => conflict(earlier, key) !== undefined);
    const earlier = keys[twin];
    if (!earlier) return;
    const what = conflict(earlier, key);
    throw new PaylensError(9015, `${where(index)}: ${what} already taken by ${where(twin)}`, {
      hint: 'Remove the other key first, or give this one another name or KSN prefix.',
    });
  });
}

/** True when both keys would be found for the same KSN (or both are kbpks without a name). */
export function serveSameKsns(a: KeyEntry, b: KeyEntry): boolean {
  if (a.kind !== b.kind || a.ksnPrefix !== b.ksnPrefix) return false;
  if (a.kind === 'kbpk' && (a.name !== undefined || b.name !== undefined)) return false;
  return a.algorithm === b.algorithm || a.algorithm === undefined || b.algorithm === undefined;
}

function conflict(a: KeyEntry, b: KeyEntry): string | undefined {
  if (a.name !== undefined && a.name === b.name) return `the name "${a.name}" is`;
  if (!serveSameKsns(a, b)) return undefined;
  if (a.kind === 'kbpk') return 'the place of a kbpk without a name is';
  return `${a.kind} for ${a.ksnPrefix === undefined ? 'every KSN' : `KSN ${a.ksnPrefix}..`} is`;
}
