import {spawnSync} from 'node:child_process';
import type * as crypto from 'node:crypto';
import type * as fs from 'node:fs';
import {readdirSync, writeFileSync} from 'node:fs';
import type * as promises from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {liveness, ownMark} from '../../src/files/process-mark.js';
import {withWriterLock} from '../../src/files/writer-lock.js';
import {tempFolder} from '../keyfile/temp-folder.js';

/** What fails with which code, and what the system tells of processes in /proc. */
const system = vi.hoisted(() => ({
  fails: new Map<string, string>(),
  hasProc: true,
  stat: undefined as string | undefined,
}));

vi.mock('node:crypto', async (importOriginal) => ({
  ...(await importOriginal<typeof crypto>()),
  randomBytes: (size: number) => Buffer.alloc(size, 0xab),
}));

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  const unlessMissing =
    <A extends unknown[], R>(read: (path: string, ...rest: A) => R) =>
    (path: string, ...rest: A) =>
      read(system.hasProc ? path : path.replace('/proc', '/no-proc'), ...rest);
  const read = unlessMissing(real.readFileSync as never);
  return {
    ...real,
    readFileSync: (path: string, ...rest: never[]) => system.stat ?? read(path, ...rest),
    readlinkSync: unlessMissing(real.readlinkSync as never),
  };
});

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof promises>();
  const after = async <T>(name: string, result: Promise<T>): Promise<T> => {
    const done = await result;
    const code = system.fails.get(name);
    if (code) throw Object.assign(new Error(code), {code});
    return done;
  };
  return {
    ...real,
    writeFile: (path: string, text: string, options: object) =>
      after('write', real.writeFile(path, text, options)),
    readdir: (path: string) => after('list', real.readdir(path)),
  };
});

afterEach(() => {
  system.fails.clear();
  system.hasProc = true;
  system.stat = undefined;
  vi.restoreAllMocks();
});

const keyfile = () => join(tempFolder(), 'keyfile.age');
const work = async () => 'done';

describe.skipIf(process.platform === 'win32')('a writer', () => {
  it('leaves a lock alone that has the name of its own', async () => {
    const path = keyfile();
    const {realm, pid, start} = ownMark();
    const lock = `.keyfile.age.lock.${realm}.${pid}.${start}.abababab`;
    writeFileSync(join(dirname(path), lock), '');
    await expect(withWriterLock(path, work, 0)).rejects.toMatchObject({code: 9014});
    expect(readdirSync(dirname(path))).toEqual([lock]);
  });

  it.each([
    ['the disk is full when its lock is filled', 'write', 'ENOSPC'],
    ['it cannot look for others', 'list', 'EIO'],
  ])('leaves no lock behind when %s', async (_, step, code) => {
    const path = keyfile();
    system.fails.set(step, code);
    await expect(withWriterLock(path, work)).rejects.toMatchObject({code: 9014, cause: {code}});
    expect(readdirSync(dirname(path))).toEqual([]);
  });
});

// proc(5): pid, name in brackets, state, and as field 22 the start time.
describe('what /proc says of a process', () => {
  const tell = (state: string, start: string) => {
    system.stat = `4711 (a) b) ${[state, ...Array(18).fill('7'), start, '9'].join(' ')}`;
  };

  it.each([
    ['R', 'alive'],
    ['S', 'alive'],
    ['D', 'alive'],
    ['T', 'alive'],
    ['Z', 'dead'],
    ['X', 'dead'],
  ])('in state %s makes it %s, whatever its name', (state, expected) => {
    const {realm} = ownMark();
    tell(state, '12345');
    expect(liveness({realm, pid: 4711, start: '12345'})).toBe(expected);
  });

  it('is of another process when the start time is another', () => {
    const {realm} = ownMark();
    tell('S', '12345');
    expect(liveness({realm, pid: 4711, start: '12346'})).toBe('dead');
    expect(ownMark()).toEqual({realm, pid: process.pid, start: '12345'});
  });

  it('counts on this host only', () => {
    const {realm, ...rest} = ownMark();
    expect(realm).toMatch(/^[0-9a-f]{8}$/);
    expect(liveness({...rest, realm: realm === '00000000' ? '11111111' : '00000000'})).toBe(
      'unknown',
    );
  });
});

describe.skipIf(process.platform === 'win32')('where no /proc tells of processes', () => {
  const markOf = (pid: number) => {
    system.hasProc = false;
    return {...ownMark(), pid};
  };

  it('a process has no start time', () => {
    system.hasProc = false;
    expect(ownMark()).toMatchObject({pid: process.pid, start: '0'});
  });

  it('one that takes a signal is alive, one that has ended is dead', () => {
    expect(liveness(markOf(process.pid))).toBe('alive');
    expect(liveness(markOf(spawnSync('true').pid))).toBe('dead');
  });

  it.each([
    ['EPERM', 'alive'],
    ['ESRCH', 'dead'],
  ])('one whose signal is answered by %s is %s', (code, state) => {
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), {code});
    });
    expect(liveness(markOf(4711))).toBe(state);
  });
});
