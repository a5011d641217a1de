import {PaylensError} from '../../contract/paylens-error.js';
import type {Secret} from '../../contract/secret.js';
import type {Algorithm} from '../../engine/cipher/block-cipher.js';
import {checkRingKey, type RingKey, type RingKeyKind} from '../../engine/dukpt/ring-key.js';
import {askKey, keyFromFile} from './read-key.js';

/** Those of `keyFlags` that give one key. */
export interface OnceFlags {
  readonly 'key-file'?: string | undefined;
  readonly 'key-prompt'?: boolean | undefined;
  readonly 'key-kind'?: RingKeyKind | undefined;
  readonly 'key-algorithm'?: Algorithm | undefined;
}

/**
 * The one key that a command is given for this run, valid for every KSN; undefined when none is.
 * Throws 9001 when nobody can be asked or no key is there for a kind or an algorithm, 9002 for the file, 9015 for what is
 * no key.
 */
export async function readKeyForOnce(flags: OnceFlags): Promise<RingKey | undefined> {
  const {'key-file': file, 'key-prompt': isAsked} = flags;
  if (file === undefined && !isAsked) return withoutKey(flags);
  const check = (secret: Secret) => checkRingKey(ringKey(flags, secret));
  if (file === undefined) return ringKey(flags, await askKey('Key in hex:', {check, hint: HINT}));
  const secret = await keyFromFile(file);
  check(secret);
  return ringKey(flags, secret);
}

function ringKey(
  {'key-kind': kind = 'bdk', 'key-algorithm': algorithm}: OnceFlags,
  secret: Secret,
): RingKey {
  const prefix = kind === 'ik' ? {ksnPrefix: ''} : {};
  return {name: NAMES[kind], kind, secret, ...prefix, ...(algorithm && {algorithm})};
}

const NAMES: Readonly<Record<RingKeyKind, string>> = {
  bdk: 'the BDK given',
  ik: 'the IK given',
  working: 'the working key given',
};

const HINT = 'Put the key in a file and pass it with --key-file.';

function withoutKey(flags: OnceFlags): undefined {
  const stated = (['key-kind', 'key-algorithm'] as const).find((name) => flags[name] !== undefined);
  if (stated === undefined) return undefined;
  throw new PaylensError(9001, `--${stated} requires --key-file or --key-prompt`);
}
