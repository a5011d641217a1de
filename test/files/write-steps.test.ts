import type * as crypto from 'node:crypto';
import {
  chmodSync,
  chownSync,
  constants,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type * as promises from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {removeAllTemporary} from '../../src/files/temporary-files.js';
import {writeDurably} from '../../src/files/write-durably.js';
import {tempFolder} from '../keyfile/temp-folder.js';

type Handle = promises.FileHandle;

/** What was asked of the file system, what is to fail with which code, and how it answers. */
const disk = vi.hoisted(() => ({
  steps: [] as string[],
  flags: [] as number[],
  fails: new Map<string, string>(),
  longestWrite: Number.POSITIVE_INFINITY,
  readsBack: undefined as Buffer | undefined,
  during: () => {},
}));

const DRAW = 'ab'.repeat(6);

vi.mock('node:crypto', async (importOriginal) => ({
  ...(await importOriginal<typeof crypto>()),
  randomBytes: (size: number) => Buffer.alloc(size, 0xab),
}));

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof promises>();
  const step = (name: string) => {
    disk.steps.push(name);
    const code = disk.fails.get(name);
    if (code) throw Object.assign(new Error(code), {code});
  };
  const watched = (handle: Handle, name: string) => ({
    stat: () => handle.stat(),
    chmod: (mode: number) => handle.chmod(mode),
    chown: (uid: number, gid: number) => {
      step(`chown ${uid}:${gid}`);
      return handle.chown(uid, gid);
    },
    write: (bytes: Uint8Array, at: number, length: number) => {
      step(`write ${name}`);
      return handle.write(bytes, at, Math.min(length, disk.longestWrite));
    },
    sync: async () => {
      step(`flush ${name}`);
      await handle.sync();
    },
    close: async () => {
      await handle.close();
      step(`close ${name}`);
    },
  });
  return {
    ...real,
    open: async (path: string, flags: number, mode?: number) => {
      const name = path.endsWith('.tmp') ? 'file' : 'folder';
      step(`open ${name}`);
      disk.flags.push(flags);
      return watched(await real.open(path, flags, mode), name);
    },
    rename: (from: string, to: string) => {
      disk.during();
      step('rename');
      return real.rename(from, to);
    },
    readFile: async (path: string) => disk.readsBack ?? (await real.readFile(path)),
  };
});

beforeEach(() => {
  disk.steps.length = 0;
  disk.flags.length = 0;
  disk.fails.clear();
  disk.longestWrite = Number.POSITIVE_INFINITY;
  disk.readsBack = undefined;
  disk.during = () => {};
});

afterEach(() => {
  vi.restoreAllMocks();
});

const OLD = 'old';
const NEW = Buffer.from('the new content');

function oldFile(mode = 0o600): string {
  const path = join(tempFolder(), 'keyfile.age');
  writeFileSync(path, OLD);
  chmodSync(path, mode);
  return path;
}

const left = (path: string) => [readdirSync(dirname(path)), readFileSync(path, 'utf8')];

describe.skipIf(process.platform === 'win32')('a save', () => {
  it('flushes the file before its name changes, and the folder after', async () => {
    await writeDurably(oldFile(), NEW);
    expect(disk.steps).toEqual([
      ...['open file', 'write file', 'flush file', 'close file', 'rename'],
      ...['open folder', 'flush folder', 'close folder'],
    ]);
  });

  it('opens its file for itself alone, and through no link', async () => {
    const {O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY} = constants;
    await writeDurably(oldFile(), NEW);
    expect(disk.flags[0]).toBe(O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY);
  });

  it('leaves nothing to a process that ends before the rename', async () => {
    const path = oldFile();
    const names: string[] = [];
    disk.during = () => {
      removeAllTemporary();
      names.push(...readdirSync(dirname(path)));
    };
    await expect(writeDurably(path, NEW)).rejects.toMatchObject({code: 9014});
    expect([names, left(path)]).toEqual([['keyfile.age'], [['keyfile.age'], OLD]]);
  });

  it('does not save an empty file', async () => {
    const path = oldFile();
    await expect(writeDurably(path, new Uint8Array())).rejects.toMatchObject({code: 9014});
    expect(left(path)).toEqual([['keyfile.age'], OLD]);
  });

  it('does not take a file over that has the name of its own', async () => {
    const path = oldFile();
    writeFileSync(join(dirname(path), `.keyfile.age.${DRAW}.tmp`), 'of somebody else');
    await expect(writeDurably(path, NEW)).rejects.toMatchObject({code: 9014});
    expect(readFileSync(path, 'utf8')).toBe(OLD);
  });

  it.each(['write file', 'flush file', 'close file', 'rename'])(
    'leaves the old file and nothing else when "%s" fails',
    async (step) => {
      const path = oldFile();
      disk.fails.set(step, 'EIO');
      await expect(writeDurably(path, NEW)).rejects.toMatchObject({
        ...{code: 9014, detail: expect.stringContaining('was not saved')},
      });
      expect(left(path)).toEqual([['keyfile.age'], OLD]);
    },
  );

  it.each(['write file', 'flush file'])('closes its file when "%s" fails', async (step) => {
    disk.fails.set(step, 'EIO');
    await expect(writeDurably(oldFile(), NEW)).rejects.toThrow();
    expect(disk.steps).toContain('close file');
  });

  it('says so when the folder cannot be flushed', async () => {
    const path = oldFile();
    disk.fails.set('flush folder', 'EIO');
    await expect(writeDurably(path, NEW)).rejects.toMatchObject({
      ...{code: 9014, detail: expect.stringContaining('was saved but not flushed')},
    });
    expect([disk.steps.at(-1), readFileSync(path, 'utf8')]).toEqual(['close folder', `${NEW}`]);
  });

  it.each(['EINVAL', 'ENOTSUP', 'EPERM'])(
    'is done where a folder cannot be flushed at all: %s',
    async (code) => {
      const path = oldFile();
      disk.fails.set('flush folder', code);
      await writeDurably(path, NEW);
      expect([disk.steps.at(-1), readFileSync(path, 'utf8')]).toEqual(['close folder', `${NEW}`]);
    },
  );

  it('goes on where a write took only a part', async () => {
    const path = oldFile();
    disk.longestWrite = 4;
    await writeDurably(path, NEW);
    expect(readFileSync(path, 'utf8')).toBe(`${NEW}`);
    expect(disk.steps.filter((step) => step === 'write file')).toHaveLength(4);
  });

  it('leaves the old file when the copy reads back differently', async () => {
    const path = oldFile();
    disk.readsBack = Buffer.from('the new conteNt');
    await expect(writeDurably(path, NEW)).rejects.toThrow('the copy on disk differs');
    expect(left(path)).toEqual([['keyfile.age'], OLD]);
  });

  it('never replaces a file by an empty one', async () => {
    const path = oldFile();
    await expect(writeDurably(path, Buffer.alloc(0))).rejects.toMatchObject({code: 9014});
    expect(left(path)).toEqual([['keyfile.age'], OLD]);
  });

  it.each([
    [0o640, {}, 0o600],
    [0o640, {keepMode: true}, 0o640],
    [0o640, {mode: 0o400}, 0o400],
    [0o604, {keepMode: true, mode: 0o600}, 0o604],
  ])('of a file of mode %o with %j leaves one of mode %o', async (old, options, mode) => {
    const path = oldFile(old);
    await writeDurably(path, NEW, options);
    expect(statSync(path).mode & 0o777).toBe(mode);
  });

  it('by root leaves the file to whom it belongs', async () => {
    const path = oldFile();
    if (process.getuid?.() === 0) chownSync(path, 54_321, 54_322);
    const {uid, gid} = statSync(path);
    vi.spyOn(process, 'getuid').mockReturnValue(0);
    await writeDurably(path, NEW);
    expect(disk.steps.slice(0, 3)).toEqual(['open file', `chown ${uid}:${gid}`, 'write file']);
    expect([statSync(path).uid, statSync(path).gid]).toEqual([uid, gid]);
  });

  it('by anybody else changes no owner', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue(4711);
    const path = oldFile();
    if (process.geteuid?.() === 0) chownSync(path, 54_321, 54_322);
    await writeDurably(path, NEW);
    expect(disk.steps.filter((step) => step.startsWith('chown'))).toEqual([]);
  });

  it('of a new file gives it the mode that is asked for', async () => {
    const path = join(tempFolder(), 'new');
    await writeDurably(path, NEW, {keepMode: true, mode: 0o400});
    expect(statSync(path).mode & 0o777).toBe(0o400);
  });
});
