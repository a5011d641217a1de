import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {beforeAll, describe, expect, it} from 'vitest';
import {BIN} from '../cli/run-bin.js';

const SWIPE = fileURLToPath(new URL('../../samples/idtech-swipe.json', import.meta.url));
const OPEN = '--keyfile k.age --passphrase-file pass.txt';

/** Every command that prints, and every way of printing. */
const PRINTERS = [
  '--version',
  '--help',
  'help decrypt',
  `decrypt '${SWIPE}' --test-keys`,
  `decrypt '${SWIPE}' --test-keys --json`,
  'decrypt no.json --test-keys --json',
  'nonsense --json',
  'sample idtech-swipe',
  'export curl',
  'send partner --base-url http://127.0.0.1:1 --partner A --shared-key-file key.txt --json',
  'decrypt lines.jsonl --batch --test-keys --threads 1',
  'decrypt lines.jsonl --batch --test-keys --threads 2',
  `inspect '${SWIPE}'`,
  `inspect '${SWIPE}' --json`,
  `diagnose '${SWIPE}' --test-keys`,
  'simulate --device-type idtech --test-keys',
  'simulate --device-type generic --test-keys --count 5000',
  'derive FFFF9876543210E00001 --test-keys',
  'sign {} --target /api/v1/partner/validate --partner A --shared-key-file key.txt',
  'errors',
  'verify --list',
  'keyfile show --keyfile k.age --passphrase-file pass.txt',
  `key list ${OPEN}`,
  `key list ${OPEN} --json`,
  `partner list ${OPEN}`,
  'device list --devices devices.jsonl',
  'profile list',
  'completion bash',
  'serve --demo --port 0 --quiet',
];

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unwritable-'));
  const files = {
    'pass.txt': 'pass\n',
    'key.txt': '0123456789ABCDEFFEDCBA9876543210',
    'lines.jsonl': '{"deviceType":"idtech","devicePayload":"02"}\n'.repeat(2000),
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, {mode: 0o600});
  }
  await shell(`
    paylens keyfile create ${OPEN} --work-factor 10
    paylens key add a --key-file key.txt ${OPEN}
    paylens partner add A --method hmac --shared-key-file key.txt ${OPEN}
    paylens device add 1 --partner A --devices devices.jsonl
    paylens profile add x --base-url http://127.0.0.1`);
  return () => rmSync(folder, {recursive: true});
}, 60_000);

describe.skipIf(process.platform !== 'linux')('on a full disk', () => {
  it.concurrent.each(PRINTERS)('paylens %s says so and ends with 3', async (argv) => {
    const {exitCode, stderr} = await shell(`paylens ${argv} > /dev/full`);
    expect(stderr).toMatch(
      /^Error 9014: File locked or not saved: stdout was not written: no space left on device \(ENOSPC\)\nFree disk space, or send the output elsewhere\. What was written before is incomplete\.$/m,
    );
    expect(stderr.match(/^Error/gm)).toHaveLength(1);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(exitCode).toBe(3);
  });
});

describe.skipIf(process.platform === 'win32')('when the reader is gone', () => {
  const some = PRINTERS.filter((argv) => /^(?:--version|decrypt|simulate|errors|serve)/.test(argv));
  it.concurrent.each(some)('paylens %s is quiet about it', async (argv) => {
    // The left side waits until the right one has closed the pipe.
    const {stderr} = await shell(`{ sleep 0.2; paylens ${argv}; } | true`);
    expect(stderr).not.toMatch(/EPIPE|written|^ +at /m);
  });
});

function shell(script: string) {
  const env = {XDG_CONFIG_HOME: folder};
  const paylens = `paylens() { '${process.execPath}' '${BIN}' "$@"; }`;
  return execa('bash', ['-c', `${paylens}\n${script}`], {
    cwd: folder,
    env,
    reject: false,
    timeout: 55_000,
  });
}
