import {spawnSync} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {privateFileWarnings, readPrivateFile} from '../../src/files/read-private-file.js';
import {tempFolder} from '../keyfile/temp-folder.js';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('readPrivateFile', () => {
  it('reads a file of mode 0600 without a warning', async () => {
    const path = file(0o600);
    expect(await readPrivateFile(path)).toEqual({
      bytes: Buffer.from('content'),
      warnings: [],
    });
  });

  it.each([0o644, 0o640, 0o604, 0o660])('reads a file of mode %o with a warning', async (mode) => {
    const path = file(mode);
    const {bytes, warnings} = await readPrivateFile(path);
    expect(Buffer.from(bytes).toString()).toBe('content');
    expect(warnings).toEqual([
      `${path} is accessible to other users (mode ${mode.toString(8)}): run chmod 600 on it`,
    ]);
  });

  it('reads a file of many chunks whole, and leaves no part of it behind', async () => {
    const path = file(0o600);
    const content = randomBytes(200_001);
    writeFileSync(path, content);
    const made = vi.spyOn(Buffer, 'alloc');
    const {bytes} = await readPrivateFile(path);
    expect(Buffer.compare(bytes, content)).toBe(0);
    const parts = made.mock.results.map(({value}) => value as Buffer);
    expect(parts.filter((part) => part.some((byte) => byte !== 0))).toEqual([bytes]);
    expect(parts.length).toBeGreaterThan(2);
  });

  it.skipIf(process.platform !== 'linux')('closes what it opened, read or refused', async () => {
    const path = file(0o600);
    const open = () =>
      readdirSync('/proc/self/fd')
        .map((fd) => target(fd))
        .filter((to) => to === path);
    await readPrivateFile(path);
    truncateSync(path, (1 << 20) + 1);
    await expect(readPrivateFile(path)).rejects.toThrow();
    expect(open()).toEqual([]);
  });

  it.skipIf(process.geteuid?.() !== 0)('writes a mode with three digits', async () => {
    expect((await readPrivateFile(file(0o044))).warnings).toEqual([
      expect.stringContaining('(mode 044)'),
    ]);
  });

  it('follows a symbolic link and warns about the file behind it', async () => {
    const path = file(0o644);
    symlinkSync(path, `${path}.link`);
    expect((await readPrivateFile(`${path}.link`)).warnings[0]).toContain('chmod 600');
  });

  describe.skipIf(process.platform === 'win32')('warns of', () => {
    it('a file that belongs to another user', async () => {
      const path = file(0o600);
      const uid = giveAway(path);
      expect((await readPrivateFile(path)).warnings).toEqual([
        `${path} belongs to another user (uid ${uid}), who can change it: run chown on it`,
      ]);
    });

    it.each([0o777, 0o703])('a folder of mode %o, where anybody can replace it', async (mode) => {
      const path = file(0o600);
      chmodSync(dirname(path), mode);
      expect((await readPrivateFile(path)).warnings).toEqual([
        `any user can replace ${path} in its directory (mode ${mode.toString(8)}): run chmod o-w on that`,
      ]);
    });

    it('the folder of the file that a symbolic link leads to', async () => {
      const path = file(0o600);
      chmodSync(dirname(path), 0o777);
      const link = join(tempFolder(), 'link');
      symlinkSync(path, link);
      expect((await readPrivateFile(link)).warnings[0]).toContain('any user can replace');
    });
  });

  describe.skipIf(process.platform === 'win32')('does not warn of', () => {
    it("root's file", async () => {
      vi.spyOn(process, 'geteuid').mockReturnValue(54_321);
      const {warnings} = await readPrivateFile('/etc/passwd');
      expect(warnings.filter((text) => text.includes('belongs'))).toEqual([]);
    });

    it('a folder for all where only owners replace their files, as /tmp', async () => {
      const path = file(0o600);
      chmodSync(dirname(path), 0o1777);
      expect((await readPrivateFile(path)).warnings).toEqual([]);
    });
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
    await expect(readPrivateFile(path)).rejects.toMatchObject({
      code: 9012,
      detail: `${path}: expected a regular file, found a folder`,
      hint: 'Pass the path of a regular file.',
    });
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

describe('privateFileWarnings', () => {
  it('says what readPrivateFile would, and nothing of what is no file', async () => {
    const path = file(0o644);
    expect(await privateFileWarnings(path)).toEqual((await readPrivateFile(path)).warnings);
    chmodSync(dirname(path), 0o755);
    expect(await privateFileWarnings(dirname(path))).toEqual([]);
    expect(await privateFileWarnings(`${path}.no`)).toEqual([]);
  });
});

function target(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

function file(mode: number): string {
  const path = join(tempFolder(), 'keyfile.age');
  writeFileSync(path, 'content');
  chmodSync(path, mode);
  return path;
}

/** Makes `path` another user's for this process; returns whose. */
function giveAway(path: string): number {
  const own = process.getuid?.() ?? 0;
  if (own !== 0) {
    vi.spyOn(process, 'geteuid').mockReturnValue(own + 1);
    return own;
  }
  chownSync(path, 54_321, 54_321);
  return 54_321;
}
