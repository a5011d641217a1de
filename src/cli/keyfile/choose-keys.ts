import {KeyRing, type RingKey, testKeyRing, testKeys} from '../../engine/dukpt/key-ring.js';
import type {KeyFlags} from './key-flags.js';

/**
 * A ring of the keys that the flags choose: the test keys, a one-time key, else the keys of
 * the keyfiles. Throws as readOneTimeKey and loadRingKeys do.
 */
export async function chooseKeyRing(flags: KeyFlags): Promise<KeyRing> {
  return flags['test-keys'] ? testKeyRing() : new KeyRing(await keysOfUser(flags));
}

/** The keys of that ring, for several rings. */
export async function chooseKeys(flags: KeyFlags): Promise<readonly RingKey[]> {
  return flags['test-keys'] ? testKeys() : keysOfUser(flags);
}

/** The same; none if no key is given, no keyfile is named, and the default one does not exist. */
export async function chooseKeysIfAny(flags: KeyFlags): Promise<readonly RingKey[]> {
  return flags['test-keys'] ? testKeys() : keysOfUser(flags, true);
}

// Imported lazily: the test keys need none of these modules.
async function keysOfUser(flags: KeyFlags, isOptional = false): Promise<readonly RingKey[]> {
  const {readOneTimeKey} = await import('./one-time-key.js');
  const key = await readOneTimeKey(flags);
  if (key) return [key];
  const {hasKeyfile, loadRingKeys} = await import('./open-keyfile.js');
  return isOptional && !hasKeyfile(flags) ? [] : loadRingKeys(flags);
}
