import {toBytes, toWords} from '../../engine/cipher/words.js';
import {DeviceCache} from '../../engine/dukpt/device-cache.js';
import type {Ksn} from '../../engine/dukpt/ksn.js';
import {prepareBdk, writeInitialKey} from '../../engine/dukpt/tdes.js';
import {type TdesRoot, TdesTransactionKey} from '../../engine/dukpt/tdes-transaction-key.js';
import {type KeyCandidate, oddParity} from '../candidates/key-candidates.js';

/**
 * The TDES transaction keys of candidates; the shared part for KSNs of one device is derived once.
 */
export class TdesTransactions {
  readonly #registers = new DeviceCache<string>(256);

  /** The two halves of the key of `ksn` as words, high word first. */
  of(key: KeyCandidate, ksn: Ksn): Int32Array {
    if (key.role === 'transaction') return toWords(key.bytes);
    // A mistyped key is tried once: caching its registers would only evict others.
    const cached = key.change === 'typo' ? undefined : `${key.role}${key.source}${key.change}`;
    const registers =
      cached === undefined
        ? undefined
        : this.#registers.registers(
            `${cached}${key.adjustIk}${key.bytes.join()}${ksn.initial}`,
            'tdes',
          );
    return toWords(new TdesTransactionKey(rootOf(key, ksn), ksn, registers).reveal());
  }
}

function rootOf(key: KeyCandidate, ksn: Ksn): TdesRoot {
  if (key.role === 'ik' && !key.adjustIk) return toWords(key.bytes);
  const bdk = prepareBdk(key.bytes);
  if (!key.adjustIk) return bdk;
  const ik = new Int32Array(4);
  writeInitialKey(ik, bdk, ksn);
  return toWords(oddParity(toBytes(ik)));
}
