import {lstat, mkdir, realpath} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {PaylensError} from '../contract/paylens-error.js';
import {readPrivateFile} from '../files/read-private-file.js';
import {notSaved, writeDurably} from '../files/write-durably.js';
import {withWriterLock} from '../files/writer-lock.js';
import {encryptKeyfile, type KeyfileEncryption} from './encrypt-keyfile.js';
import type {Keyfile} from './keyfile.js';
import {needsPassphrase, type OpenedKeyfile, openKeyfile, type Unlock} from './open-keyfile.js';

/** The content to save; without `encryption` the passphrase or recipients are kept. */
export interface Change {
  readonly keyfile: Keyfile;
  readonly encryption?: KeyfileEncryption;
}

/**
 * Makes a keyfile at `path`, and its folder (0700). Throws 9001 when something is there already,
 * 9014 when it cannot be saved.
 */
export async function createKeyfile(
  path: string,
  keyfile: Keyfile,
  encryption: KeyfileEncryption,
): Promise<void> {
  await refuseExisting(path);
  const bytes = await encryptKeyfile(keyfile, encryption);
  await mkdir(dirname(path), {recursive: true, mode: 0o700}).catch((error) => {
    throw notSaved(path, error);
  });
  const real = join(await realpath(dirname(path)), basename(path));
  await withWriterLock(real, async () => {
    await refuseExisting(real);
    await writeDurably(real, bytes);
  });
}

/**
 * Opens the keyfile at `path`, lets `change` make the new content, and saves it, under one writer's
 * lock from the first read to the last; returns what was saved. On any failure the file stays unchanged.
 * Throws what opening throws, and 9014 when it is locked or cannot be saved.
 */
export async function updateKeyfile(
  path: string,
  unlock: Unlock,
  change: (opened: OpenedKeyfile) => Change | Promise<Change>,
): Promise<Keyfile> {
  // Prompt before taking the lock: a user at a prompt must not hold it.
  if (needsPassphrase((await readPrivateFile(path)).bytes)) await unlock.passphrase();
  const real = await realpath(path);
  return withWriterLock(real, async () => {
    const {bytes} = await readPrivateFile(real);
    const opened = await openKeyfile(bytes, unlock);
    const {keyfile, encryption = opened.encryption} = await change(opened);
    await writeDurably(real, await encryptKeyfile(keyfile, encryption));
    return keyfile;
  });
}

async function refuseExisting(path: string): Promise<void> {
  const status = await lstat(path).catch(() => undefined);
  if (!status) return;
  // Opening a link says what it lacks.
  if (status.isSymbolicLink()) await readPrivateFile(path);
  throw new PaylensError(9001, `${path} already exists`, {
    hint: 'Choose another path with --keyfile, or run `paylens keyfile rekey` to change the passphrase.',
  });
}
