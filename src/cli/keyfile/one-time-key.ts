import {PaylensError} from '../../contract/paylens-error.js';
import type {Secret} from '../../contract/secret.js';
import {checkRingKey, type RingKey, type RingKeyKind} from '../../engine/dukpt/ring-key.js';
import type {KeyFlags} from './key-flags.js';
import {askKey, keyFromFile} from './read-key.js';

/**
 * The one key that a command is given for this run, valid for every KSN; undefined when none is.
 * Throws 9001 without a terminal to prompt on, or for a kind or an algorithm without a key, 9002 for
 * the file, 9015 for a malformed key.
 */
export async function readOneTimeKey(flags: KeyFlags): Promise<RingKey | undefined> {
  const {'key-file': file, 'key-prompt': isAsked} = flags;
  const stated = (['key-kind', 'key-algorithm'] as const).find((name) => flags[name] !== undefined);
  if (file === undefined && !isAsked) {
    if (stated === undefined) return undefined;
    throw new PaylensError(9001, `--${stated} requires --key-file or --key-prompt`);
  }
  const check = (secret: Secret) => checkRingKey(ringKey(flags, secret));
  const hint = 'Put the key in a file and pass it with --key-file.';
  if (file === undefined) return ringKey(flags, await askKey('Key in hex:', check, hint));
  const secret = await keyFromFile(file, '--key-file');
  check(secret);
  return ringKey(flags, secret);
}

function ringKey(
  {'key-kind': kind = 'bdk', 'key-algorithm': algorithm, 'key-file': file}: KeyFlags,
  secret: Secret,
): RingKey {
  const prefix = kind === 'ik' ? {ksnPrefix: ''} : {};
  const name = `${NAMES[kind]} ${file === undefined ? 'entered' : 'of --key-file'}`;
  return {name, kind, secret, ...prefix, ...(algorithm && {algorithm})};
}

const NAMES: Readonly<Record<RingKeyKind, string>> = {
  bdk: 'BDK',
  ik: 'IK',
  working: 'working key',
};
