import {PaylensError} from '../../contract/paylens-error.js';
import {upperHexOf} from '../../platform/bytes.js';
import {equalBytes} from '../../platform/hash.js';
import type {KeyRing} from '../dukpt/key-ring.js';
import {type Ksn, transactionKsn} from '../dukpt/ksn.js';
import {macOf, schemeOfMac} from '../dukpt/mac.js';
import {schemeFor} from '../dukpt/ring-key.js';
import type {MessageMac} from '../reading.js';

/**
 * Checks the MACs of a payload whose KSN has a key; the others are skipped. They are checked after
 * the plaintext was accepted, since a MAC cannot reveal a wrong key. Throws 2101 on a mismatch.
 */
export function verifyMacs(macs: readonly MessageMac[], keys: KeyRing): void {
  for (const mac of macs) {
    if (isMacValid(mac, keys) !== false) continue;
    const detail = `${mac.name} at byte ${mac.offset}: found ${upperHexOf(mac.mac.subarray(0, 4))}.., which is not the MAC of the data`;
    throw new PaylensError(2101, detail);
  }
}

/** Whether a MAC is that of its data; undefined where the keys cannot check it. */
export function isMacValid(mac: MessageMac, keys: KeyRing): boolean | undefined {
  const ksn = macKsn(mac, keys);
  if (!ksn) return undefined;
  const transaction = keys.transaction(ksn);
  const expected = macOf(transaction, mac, mac.message).subarray(0, mac.sent);
  transaction.wipe();
  return equalBytes(expected, mac.mac);
}

/** The KSN of a MAC that the keys can check; undefined where they cannot. */
function macKsn(mac: MessageMac, keys: KeyRing): Ksn | undefined {
  const ksn = transactionKsn(mac.ksn);
  const served = ksn && keys.find(ksn);
  // A working key of card data is not that of the MAC.
  if (!served || served.kind === 'working') return undefined;
  return schemeFor(served, ksn) === schemeOfMac(mac) ? ksn : undefined;
}
