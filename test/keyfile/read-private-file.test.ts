import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {readPrivateFile} from '../../src/keyfile/read-private-file.js';
import {tempFolder} from './temp-folder.js';

describe('readPrivateFile', () => {
  it('reads a file of mode 0600 without a warning', async () => {
    const path = file(0o600);
    expect(await readPrivateFile(path)).toEqual({bytes: Buffer.from('content')});
  });

  it.each([0o644, 0o640, 0o604, 0o660])('reads a file of mode %o with a warning', async (mode) => {
    const path = file(mode);
    const {bytes, warning} = await readPrivateFile(path);
    expect(Buffer.from(bytes).toString()).toBe('content');
    expect(warning).toContain(
      `${path} can be read or changed by others (mode ${mode.toString(8)})`,
    );
  });

  it('follows a symbolic link and warns about the file behind it', async () => {
    const path = file(0o644);
    symlinkSync(path, `${path}.link`);
    expect((await readPrivateFile(`${path}.link`)).warning).toContain('chmod 600');
  });

  it('says 9010 when the file is missing', async () => {
    await expect(readPrivateFile(`${file(0o600)}.no`)).rejects.toMatchObject({code: 9010});
  });

  it('says 9010 when a part of the path is no folder', async () => {
    await expect(readPrivateFile(`${file(0o600)}/x`)).rejects.toMatchObject({code: 9010});
  });

  it('refuses a folder with 9012', async () => {
    const path = join(tempFolder(), 'folder');
    mkdirSync(path);
    await expect(readPrivateFile(path)).rejects.toMatchObject({code: 9012});
  });

  it.skipIf(process.platform === 'win32')('refuses a named pipe without waiting', async () => {
    const path = join(tempFolder(), 'pipe');
    spawnSync('mkfifo', [path]);
    await expect(readPrivateFile(path)).rejects.toMatchObject({code: 9012});
  });

  it('refuses more than 1 MiB with 9012', async () => {
    const path = file(0o600);
    truncateSync(path, (1 << 20) + 1);
    await expect(readPrivateFile(path)).rejects.toMatchObject({code: 9012});
    truncateSync(path, 1 << 20);
    await expect(readPrivateFile(path)).resolves.toBeDefined();
  });
});

function file(mode: number): string {
  const path = join(tempFolder(), 'keyfile.age');
  writeFileSync(path, 'content');
  chmodSync(path, mode);
  return path;
}
