import type {RingKey} from '../../engine/dukpt/ring-key.js';
import type {KeyEntry} from './key-entry.js';

/** Whether a key derives the keys of reads (bdk, ik), and so belongs into the key ring. */
export function isRingKey(key: KeyEntry): key is KeyEntry & RingKey {
  return key.kind !== 'kbpk';
}
