import {spawnSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import {writeDurably} from '../../src/files/write-durably.js';
import {tempFolder} from '../keyfile/temp-folder.js';

const CHILD = fileURLToPath(new URL('../keyfile/write-child.ts', import.meta.url));
const OLD = 'the old content';

describe('writeDurably', () => {
  it('replaces the content and leaves nothing else behind', async () => {
    const path = oldFile();
    await writeDurably(path, Buffer.from('new'));
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(join(path, '..'))).toEqual(['keyfile.age']);
  });

  it.skipIf(process.platform === 'win32')('gives the file mode 0600', async () => {
    const path = oldFile();
    chmodSync(path, 0o666);
    await writeDurably(path, Buffer.from('new'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('clears away what a killed writer left more than a minute ago, and only that', async () => {
    const path = oldFile();
    const folder = join(path, '..');
    const leftovers = ['.keyfile.age.0123.tmp', '.keyfile.age.4567.tmp', '.other.age.89ab.tmp'];
    for (const name of leftovers) writeFileSync(join(folder, name), 'x');
    const past = Date.now() / 1000 - 61;
    for (const name of [leftovers[0], leftovers[2]])
      utimesSync(join(folder, `${name}`), past, past);
    await writeDurably(path, Buffer.from('new'));
    expect(readdirSync(folder).sort()).toEqual([...leftovers.slice(1), 'keyfile.age'].sort());
  });

  it('does not write through a link that somebody put in place of the file', async () => {
    const path = oldFile();
    const target = join(path, '..', 'target');
    writeFileSync(target, OLD);
    symlinkSync(target, `${path}.link`);
    await writeDurably(`${path}.link`, Buffer.from('new'));
    expect(readFileSync(target, 'utf8')).toBe(OLD);
  });

  it('says 9014 when the folder is missing', async () => {
    const path = join(tempFolder(), 'no', 'keyfile.age');
    await expect(writeDurably(path, Buffer.from('new'))).rejects.toMatchObject({code: 9014});
  });

  it.skipIf(process.platform === 'win32')(
    'leaves the old file when no byte more can be written (file size limit)',
    () => {
      const path = oldFile();
      // The limit counts blocks of 1 KiB; a write across it is cut short first, then fails.
      const script = `trap "" XFSZ; ulimit -f 1; exec "$0" --import tsx '${CHILD}' '${path}' 4000`;
      expect(outcome(script)).toEqual({stdout: '9014 EFBIG\n', status: 0});
      expect(leftIn(path)).toEqual({names: ['keyfile.age'], content: OLD});
    },
  );

  it.skipIf(!canMount())('leaves the old file when the disk is full', () => {
    const folder = tempFolder();
    const path = join(folder, 'keyfile.age');
    const mount = `mount -t tmpfs -o size=64k none ${folder} && printf '%s' '${OLD}' > ${path}`;
    const child = `"$0" --import tsx '${CHILD}' '${path}' 100000`;
    const show = `ls -A ${folder} && cat ${path}`;
    const {stdout} = outcome(`${mount} && ${child} && ${show}`, ['unshare', '-m', 'bash']);
    expect(stdout).toBe(`9014 ENOSPC\nkeyfile.age\n${OLD}`);
  });

  it.skipIf(process.platform === 'win32')(
    'leaves the old file when the folder is read-only',
    async () => {
      const path = oldFile();
      const before = statSync(path).mtimeMs;
      await asOrdinaryUser(path, async () => {
        chmodSync(join(path, '..'), 0o555);
        await expect(writeDurably(path, Buffer.from('new'))).rejects.toMatchObject({code: 9014});
      });
      chmodSync(join(path, '..'), 0o755);
      expect(leftIn(path)).toEqual({names: ['keyfile.age'], content: OLD});
      expect(statSync(path).mtimeMs).toBe(before);
    },
  );
});

function oldFile(): string {
  const path = join(tempFolder(), 'keyfile.age');
  writeFileSync(path, OLD, {mode: 0o600});
  return path;
}

function leftIn(path: string): {names: string[]; content: string} {
  return {names: readdirSync(join(path, '..')), content: readFileSync(path, 'utf8')};
}

function outcome(script: string, shell = ['bash']): {stdout: string; status: number | null} {
  const [command = 'bash', ...args] = shell;
  const run = spawnSync(command, [...args, '-c', script, process.execPath], {encoding: 'utf8'});
  return {stdout: run.stdout, status: run.status};
}

function canMount(): boolean {
  const probe = 'mount -t tmpfs -o size=64k none /mnt';
  return existsSync('/mnt') && spawnSync('unshare', ['-m', 'bash', '-c', probe]).status === 0;
}

/** Root may write everywhere: be nobody for a while. */
async function asOrdinaryUser(path: string, work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  spawnSync('chown', ['-R', '65534', join(path, '..')]);
  process.seteuid?.(65534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}
