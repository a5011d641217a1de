import type {RingKey} from '../../engine/dukpt/ring-key.js';
import type {KeyEntry} from './key-entry.js';

/** Whether working keys are derived from a key (bdk, ik), so that it belongs in the key ring. */
export function isRingKey(key: KeyEntry): key is KeyEntry & RingKey {
  return key.kind !== 'kbpk';
}
