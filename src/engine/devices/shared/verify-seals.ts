import {PaylensError} from '../../../contract/paylens-error.js';
import {upperHexOf} from '../../../platform/bytes.js';
import {equalBytes} from '../../../platform/hash.js';
import type {KeyRing} from '../../dukpt/key-ring.js';
import {type Ksn, transactionKsn} from '../../dukpt/ksn.js';
import {macOf, schemeOfMac} from '../../dukpt/mac.js';
import {schemeFor} from '../../dukpt/ring-key.js';
import type {Seal} from '../../reading.js';

/**
 * Checks the MACs of a payload whose KSN has a key; the others are skipped. They are checked after
 * the plaintext was accepted, since a MAC cannot reveal a wrong key. Throws 2101 on a mismatch.
 */
export function verifySeals(seals: readonly Seal[], keys: KeyRing): void {
  for (const seal of seals) {
    if (isSealed(seal, keys) !== false) continue;
    throw new PaylensError(
      2101,
      `${seal.name} at byte ${seal.offset}: found ${upperHexOf(seal.mac.subarray(0, 4))}.., which is not the MAC of the data`,
    );
  }
}

/** Whether a MAC is that of its data; undefined where the keys cannot check it. */
export function isSealed(seal: Seal, keys: KeyRing): boolean | undefined {
  const ksn = ksnOfSeal(seal, keys);
  if (!ksn) return undefined;
  const transaction = keys.transaction(ksn);
  const expected = macOf(transaction, seal, seal.message).subarray(0, seal.sent);
  transaction.wipe();
  return equalBytes(expected, seal.mac);
}

/** The KSN of a MAC that the keys can check; undefined where they cannot. */
function ksnOfSeal(seal: Seal, keys: KeyRing): Ksn | undefined {
  const ksn = transactionKsn(seal.ksn);
  const served = ksn && keys.find(ksn);
  // A working key of card data is not that of the MAC.
  if (!served || served.kind === 'working') return undefined;
  return schemeFor(served, ksn) === schemeOfMac(seal) ? ksn : undefined;
}
