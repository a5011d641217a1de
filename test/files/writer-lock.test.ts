import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, it, vi} from 'vitest';
import {liveness, ownMark, type ProcessMark} from '../../src/files/process-mark.js';
import {withWriterLock} from '../../src/files/writer-lock.js';
import {tempFolder} from '../keyfile/temp-folder.js';

describe('withWriterLock', () => {
  it('gives the result of the work and leaves no lock behind', async () => {
    const path = keyfile();
    expect(await withWriterLock(path, async () => 42)).toBe(42);
    expect(locksOf(path)).toEqual([]);
  });

  it('leaves no lock behind when the work fails', async () => {
    const path = keyfile();
    const work = () => Promise.reject(new Error('at work'));
    await expect(withWriterLock(path, work)).rejects.toThrow('at work');
    expect(locksOf(path)).toEqual([]);
  });

  it('notes pid and start time in the lock while it is held', async () => {
    const path = keyfile();
    const [text, mode] = await withWriterLock(path, async () => {
      const [lock = ''] = locksOf(path);
      const file = join(dirname(path), lock);
      return [readFileSync(file, 'utf8'), statSync(file).mode & 0o777];
    });
    expect(text).toBe(`pid ${process.pid}, started ${ownMark().start}\n`);
    expect(mode).toBe(0o600);
  });

  it('lets one writer in at a time', async () => {
    const path = keyfile();
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await delay(5);
      inside -= 1;
    };
    await Promise.all(Array.from({length: 8}, () => withWriterLock(path, work)));
    expect(most).toBe(1);
  });

  it('says 9014 and names the process when another writer does not end', async () => {
    const path = keyfile();
    await withWriterLock(path, async () => {
      const second = withWriterLock(path, async () => undefined, 50);
      await expect(second).rejects.toMatchObject({
        code: 9014,
        detail: `process ${process.pid} has ${path}`,
      });
    });
  });

  it('does not wait longer when the clock is set back meanwhile', async () => {
    const path = keyfile();
    await withWriterLock(path, async () => {
      const second = withWriterLock(path, async () => undefined, 50);
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
      await expect(second).rejects.toMatchObject({code: 9014});
      clock.mockRestore();
    });
  });

  it.each([
    ['a process that has ended', {pid: deadPid()}, true],
    ['a process whose pid was used again', {start: '1'}, process.platform === 'linux'],
  ])('passes over and removes the lock of %s', async (_, mark, known) => {
    if (!known) return;
    const path = keyfile();
    putLock(path, {...ownMark(), ...mark});
    await withWriterLock(path, async () => expect(locksOf(path)).toHaveLength(1), 0);
    expect(locksOf(path)).toEqual([]);
  });

  it('passes over the lock of a killed process that its parent has not awaited', async () => {
    const child = spawn('sleep', ['60']);
    const mark = {...ownMark(), pid: child.pid ?? 0, start: startOf(child.pid ?? 0)};
    expect(liveness(mark)).toBe('alive');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(liveness(mark)).toBe('dead');
  });

  it.runIf(process.geteuid?.() === 0)('passes over the lock that another user made', async () => {
    const path = keyfile();
    const lock = putLock(path, {realm: '00000000', pid: 1, start: '1'});
    chmodSync(dirname(path), 0o777);
    chownSync(lock, 12_345, 12_345);
    expect(await withWriterLock(path, async () => 1, 0)).toBe(1);
    expect(locksOf(path)).toHaveLength(1);
  });

  it('honours the lock of another host or container for ten minutes', async () => {
    const path = keyfile();
    const lock = putLock(path, {realm: '00000000', pid: 1, start: '1'});
    await expect(withWriterLock(path, async () => 1, 0)).rejects.toMatchObject({code: 9014});
    const past = Date.now() / 1000 - 601;
    utimesSync(lock, past, past);
    expect(await withWriterLock(path, async () => 1, 0)).toBe(1);
  });
});

function keyfile(): string {
  return join(tempFolder(), 'keyfile.age');
}

function locksOf(path: string): string[] {
  return readdirSync(dirname(path)).filter((name) => name.includes('.lock.'));
}

function putLock(path: string, {realm, pid, start}: ProcessMark): string {
  const lock = join(dirname(path), `.keyfile.age.lock.${realm}.${pid}.${start}.0badcafe`);
  writeFileSync(lock, '');
  return lock;
}

function deadPid(): number {
  return spawnSync('true').pid;
}

function startOf(pid: number): string {
  if (process.platform !== 'linux') return '0';
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';
}
