import {existsSync} from 'node:fs';
import {PaylensError} from '../../contract/paylens-error.js';
import type {Secret} from '../../contract/secret.js';
import type {RingKey} from '../../engine/dukpt/key-ring.js';
import {readPrivateFile} from '../../files/read-private-file.js';
import {keyfilePaths} from '../../keyfile/keyfile-path.js';
import type {KeyEntry} from '../../keyfile/keys/key-entry.js';
import {mergeKeys} from '../../keyfile/keys/merge-keys.js';
import {isRingKey} from '../../keyfile/keys/ring-keys.js';
import {type OpenedKeyfile, openKeyfile, type Unlock} from '../../keyfile/open-keyfile.js';
import {type Change, updateKeyfile} from '../../keyfile/save-keyfile.js';
import {askSecret} from '../input/prompt.js';
import {warn} from '../output/output.js';
import type {KeyfileFlags} from './key-flags.js';
import {readIdentities, readPassphrase} from './passphrase.js';

/** An opened keyfile and where it is. */
export interface LoadedKeyfile extends OpenedKeyfile {
  readonly path: string;
}

/** The keys of every keyfile that decrypt data. Throws as `loadKeys` does. */
export async function loadRingKeys(flags: KeyfileFlags): Promise<readonly RingKey[]> {
  return (await loadKeys(flags)).filter(isRingKey);
}

/**
 * The keys of every keyfile that flags and environment name, as one list. Throws 9010 to 9015:
 * missing, not opened, damaged, newer, or with conflicting keys.
 */
export async function loadKeys(flags: KeyfileFlags): Promise<readonly KeyEntry[]> {
  const loaded = await loadKeyfiles(flags);
  return mergeKeys(loaded.map(({path, keyfile}) => ({path, keys: keyfile.keys})));
}

/** Finds the secret that decrypts the keyfile at a path. */
type UnlockByPath = (path: string) => Promise<Unlock>;

/** Opens every keyfile that flags and environment name, in their order. */
export async function loadKeyfiles(
  flags: KeyfileFlags,
  unlock: UnlockByPath = (path) => unlockFor(path, flags),
): Promise<readonly LoadedKeyfile[]> {
  const loaded: LoadedKeyfile[] = [];
  for (const path of pathsOf(flags)) loaded.push(await loadKeyfile(path, await unlock(path)));
  return loaded;
}

/** The same; none if only the default one is meant, and is not there. */
export async function loadKeyfilesIfAny(
  flags: KeyfileFlags,
  unlock?: UnlockByPath,
): Promise<readonly LoadedKeyfile[]> {
  try {
    return await loadKeyfiles(flags, unlock);
  } catch (error) {
    if (!isNamed(flags) && error instanceof PaylensError && error.code === 9010) return [];
    throw error;
  }
}

function isNamed({keyfile = []}: KeyfileFlags): boolean {
  return keyfile.length > 0 || Boolean(process.env.PAYLENS_KEYFILE);
}

/**
 * For keyfiles that are opened several times: files are read every time, but a passphrase from the
 * environment or a prompt is remembered.
 */
export function rememberUnlocks(flags: KeyfileFlags): UnlockByPath {
  const remembered = new Map<string, Secret>();
  return async (path) => {
    const unlock = await unlockFor(path, flags);
    if (flags['passphrase-file'] !== undefined) return unlock;
    const passphrase = async () => {
      const found = remembered.get(path) ?? (await unlock.passphrase());
      remembered.set(path, found);
      return found;
    };
    return {...unlock, passphrase};
  };
}

/** Whether a keyfile is named, or the default one exists. */
export function hasKeyfile(flags: KeyfileFlags): boolean {
  return isNamed(flags) || pathsOf(flags).some((path) => existsSync(path));
}

/**
 * The one keyfile that flags and environment name: `load` opens it, `update` also saves what `change`
 * makes of it, and returns that; both warn when others can read, change or replace it. Throws 9001 when
 * they name several.
 */
export async function writableKeyfile(flags: KeyfileFlags) {
  const path = onlyKeyfile(flags);
  const unlock = await unlockFor(path, flags);
  const update = async (change: (opened: OpenedKeyfile) => Change) => {
    const {warnings} = await readPrivateFile(path);
    warnings.forEach(warn);
    return naming(path, updateKeyfile(path, unlock, change));
  };
  return {path, load: () => loadKeyfile(path, unlock), update};
}

async function loadKeyfile(path: string, unlock: Unlock): Promise<LoadedKeyfile> {
  const {bytes, warnings} = await readPrivateFile(path);
  warnings.forEach(warn);
  return {path, ...(await naming(path, openKeyfile(bytes, unlock)))};
}

/** The one keyfile that a command may write. Throws 9001 when several are named. */
export function onlyKeyfile(flags: KeyfileFlags): string {
  const [path, ...more] = pathsOf(flags);
  if (path !== undefined && more.length === 0) return path;
  throw new PaylensError(9001, `expected one keyfile to write, found ${more.length + 1}`);
}

/**
 * How the keyfile at `path` is opened: by identity (flag, then environment); by passphrase from a
 * file, then the environment, then a prompt, once and only if it is needed.
 */
async function unlockFor(path: string, flags: KeyfileFlags): Promise<Unlock> {
  let passphrase: Promise<Secret> | undefined;
  const noTerminal = new PaylensError(
    9011,
    `${path} needs a passphrase, but there is no terminal to prompt on`,
    {hint: 'Provide it with --passphrase-file or PAYLENS_PASSPHRASE.'},
  );
  const find = async () =>
    (await readPassphrase(flags['passphrase-file'])) ??
    askSecret(`Passphrase of ${path}:`, noTerminal, (typed) => typed);
  return {
    identities: await readIdentities(flags.identity),
    passphrase: () => {
      passphrase ??= find();
      return passphrase;
    },
  };
}

function pathsOf(flags: KeyfileFlags): readonly string[] {
  return keyfilePaths(flags.keyfile ?? [], process.env);
}

/** Names the file in the error of opening it. */
async function naming<T>(path: string, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof PaylensError) || error.detail.includes(path)) throw error;
    const {code, detail, hint, cause} = error;
    throw new PaylensError(code, detail === '' ? path : `${path}: ${detail}`, {hint, cause});
  }
}
