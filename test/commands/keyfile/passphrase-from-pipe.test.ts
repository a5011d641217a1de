import {spawnSync} from 'node:child_process';
import {constants} from 'node:fs';
import {type FileHandle, open, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import {describe, expect, it, onTestFinished} from 'vitest';
import {encryptKeyfile} from '../../../src/keyfile/encrypt-keyfile.js';
import {BIN} from '../../cli/run-bin.js';
import {PASSPHRASE, passphraseEncryption, sampleKeyfile} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

describe.skipIf(process.platform === 'win32')('A named pipe that a passphrase comes from', () => {
  it('may be written to later', async () => {
    const {child, writer} = await waiting(['key', 'list', '--json']);
    await writer.write(PASSPHRASE.slice(0, 5));
    await wait(50);
    await writer.write(`${PASSPHRASE.slice(5)}\n`);
    await writer.close();
    const {exitCode, stdout} = await child;
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, [{name: 'test'}]]);
  });

  it.each([
    ['serve', 'SIGTERM', 0],
    ['serve', 'SIGINT', 0],
    ['key list', 'SIGINT', 130],
  ] as const)('does not keep %s from ending with %s', async (command, signal, code) => {
    const {child, writer} = await waiting(command.split(' '));
    child.kill(signal);
    expect((await child).exitCode).toBe(code);
    await writer.close();
  });
});

/** A command that waits for the passphrase of its keyfile, and the pipe that it reads. */
async function waiting(command: readonly string[]) {
  const folder = tempFolder();
  const [keyfile, pipe] = [join(folder, 'keys.age'), join(folder, 'pipe')];
  await writeFile(keyfile, await encryptKeyfile(sampleKeyfile(), passphraseEncryption()), {
    mode: 0o600,
  });
  spawnSync('mkfifo', [pipe]);
  const argv = [BIN, ...command, '--keyfile', keyfile, '--passphrase-file', pipe];
  const child = execa(process.execPath, argv, {reject: false});
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return {child, writer: await openForWriting(pipe)};
}

/** Opens a pipe as soon as somebody reads from it. */
async function openForWriting(pipe: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      await wait(20);
    }
  }
}
