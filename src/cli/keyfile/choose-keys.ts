import {type RingKey, testKeys} from '../../engine/dukpt/key-ring.js';
import type {KeyFlags} from './key-flags.js';

/**
 * The keys that the flags choose: the test keys, a one-time key, else the keys of the keyfiles; none of
 * these if that `isOptional`, no keyfile is named, and the default one does not exist. Throws as
 * readOneTimeKey and loadRingKeys do.
 */
export async function chooseKeys(flags: KeyFlags, isOptional = false): Promise<readonly RingKey[]> {
  // What follows is imported late: the test keys need none of these modules.
  if (flags['test-keys']) return testKeys();
  const {readOneTimeKey} = await import('./one-time-key.js');
  const key = await readOneTimeKey(flags);
  if (key) return [key];
  const {hasKeyfile, loadRingKeys} = await import('./open-keyfile.js');
  return isOptional && !hasKeyfile(flags) ? [] : loadRingKeys(flags);
}
