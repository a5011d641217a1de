import type {RingKey} from '../../engine/dukpt/ring-key.js';
import type {KeyEntry} from './key-entry.js';

/** Whether a key decrypts payloads (bdk, ik, working), so that it belongs in the key ring. */
export function isRingKey(key: KeyEntry): key is KeyEntry & RingKey {
  return key.kind !== 'kbpk';
}
