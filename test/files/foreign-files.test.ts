import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {runBin} from '../cli/run-bin.js';
import {tempFolder} from '../keyfile/temp-folder.js';

const KEYFILE = 'age-encryption.org/v1\n-> scrypt AAAA 18\n';
const READ = readFileSync(new URL('../../samples/idtech-swipe.json', import.meta.url), 'utf8');

/** Files of others: a keyfile, requests, a page, a report, and text without a line end. */
const FOREIGN = [
  ['keys.age', KEYFILE],
  ['requests.jsonl', '{"deviceType":"idtech","devicePayload":"02"}\n'],
  ['index.html', '<!doctype html><html><title>mine</title></html>'],
  ['tests.xml', '<?xml version="1.0"?>\n<testsuite name="my tests" tests="1"></testsuite>\n'],
  ['notes.txt', 'x'],
] as const;

const WRITERS: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ['listen --save', ['listen', '-', '--test-keys', '--save']],
  ['serve --record', ['serve', '--upstream', 'http://127.0.0.1:1', '--port', '0', '--record']],
  ['verify --junit', ['verify', 'http://127.0.0.1:1', '--only', 'partner-valid', '--junit']],
  ['explore --write', ['explore', '--write']],
  ['serve --pid-file', ['serve', '--demo', '--port', '0', '--pid-file']],
  ['serve --ready-file', ['serve', '--demo', '--port', '0', '--ready-file']],
];

function digest(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

it.each(WRITERS)('%s leaves files of others as they are, and says so', async (_, argv) => {
  const folder = tempFolder();
  const options = {cwd: folder, input: READ, env: {XDG_CONFIG_HOME: folder}, timeout: 30_000};
  const leaves = async ([name, content]: (typeof FOREIGN)[number]) => {
    writeFileSync(join(folder, name), content, {mode: 0o600});
    const {exitCode, stdout, stderr} = await runBin([...argv, name], options);
    expect([exitCode, stdout]).toEqual([3, '']);
    const [first, hint] = stderr.split('\n').filter((line) => !line.startsWith('Warning'));
    expect(first).toMatch(`Error 9014: File locked or not saved: ${name} exists, and `);
    expect(hint).toContain('name another file');
    expect(digest(readFileSync(join(folder, name)))).toBe(digest(content));
  };
  // What `listen` saves are requests as well.
  const isOfListen = (name: string) => argv[0] === 'listen' && name === 'requests.jsonl';
  await Promise.all(FOREIGN.filter(([name]) => !isOfListen(name)).map(leaves));
});

it('what paylens has written is written again, and so is an empty file', async () => {
  const folder = tempFolder();
  const options = {cwd: folder, input: JSON.parse(READ).devicePayload, reject: false};
  writeFileSync(join(folder, 'empty.jsonl'), '');
  for (const [lines, file] of [
    [1, 'reads.jsonl'],
    [2, 'reads.jsonl'],
    [1, 'empty.jsonl'],
  ] as const) {
    await runBin(['listen', '-', '--test-keys', '--save', file], options);
    expect(readFileSync(join(folder, file), 'utf8').split('\n')).toHaveLength(lines + 1);
  }
  const verify = ['verify', 'http://127.0.0.1:1', '--only', 'partner-valid', '--junit', 'r.xml'];
  for (const argv of [verify, ['explore', '--write', 'page.html']])
    for (let i = 0; i < 2; i++) {
      const {stderr} = await runBin(argv, options);
      expect(stderr).not.toContain('9014');
    }
});
