import {KeyRing, type RingKey, testKeyRing, testKeys} from '../../engine/dukpt/key-ring.js';
import type {OnceFlags} from './key-for-once.js';
import type {KeyfileFlags} from './open-keyfile.js';

/** The values of `keyFlags`. */
export interface KeyFlags extends KeyfileFlags, OnceFlags {
  readonly 'test-keys'?: boolean | undefined;
}

/**
 * A ring of the keys that a command was told to use: the test keys, the one key for once, else those
 * of the keyfiles. Throws as readKeyForOnce and loadKeyRing do.
 */
export async function chooseKeyRing(flags: KeyFlags): Promise<KeyRing> {
  return flags['test-keys'] ? testKeyRing() : new KeyRing(await keysOfUser(flags));
}

/** The keys of that ring, for whoever makes several of them. */
export async function chooseKeys(flags: KeyFlags): Promise<readonly RingKey[]> {
  return flags['test-keys'] ? testKeys() : keysOfUser(flags);
}

// Imported lazily: the test keys need none of these modules.
async function keysOfUser(flags: KeyFlags): Promise<readonly RingKey[]> {
  const {readKeyForOnce} = await import('./key-for-once.js');
  const key = await readKeyForOnce(flags);
  if (key) return [key];
  const {loadRingKeys} = await import('./open-keyfile.js');
  return loadRingKeys(flags);
}
