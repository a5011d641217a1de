import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {BIN} from '../cli/run-bin.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {tenthOf} from '../long.js';

const KEY = '0123456789ABCDEFFEDCBA9876543210';
const OPEN = '--keyfile k.age --passphrase-file pass.txt';
const FILES = ['k.age', 'devices.jsonl', 'config/paylens/profiles.json', 'old.xml'];

/** What each command writes to, where it cannot: nothing may be lost, and the error says why. */
const WRITERS = [
  `key add b --ksn-prefix FFFF --key-file key.hex ${OPEN}`,
  `key remove a --yes ${OPEN}`,
  `partner add B --method hmac ${OPEN}`,
  `keyfile rekey --new-passphrase-file pass.txt ${OPEN}`,
  'keyfile create --keyfile new.age --passphrase-file pass.txt --work-factor 10',
  `key export --output exported.json ${OPEN}`,
  'device add 2 --partner A --devices devices.jsonl',
  'device remove 1 --partner A --yes --devices devices.jsonl',
  'device import more.csv --devices devices.jsonl',
  'profile add y --base-url http://127.0.0.1',
  'profile remove x',
  'verify http://127.0.0.1:1 --junit new.xml --only partner-valid',
  'verify http://127.0.0.1:1 --junit old.xml --only partner-valid',
];

interface Outcome {
  readonly exitCode: number;
  readonly stderr: string;
}

describe.skipIf(!canMount()).each([
  // Saving fails alike on either; of the second a long run tries every writer.
  ['a full disk', WRITERS, 'dd if=/dev/zero of=filler bs=1k 2> /dev/null || true', /ENOSPC/],
  ['a read-only disk', tenthOf(WRITERS, (argv) => argv), 'mount -o remount,ro "$PWD"', /EROFS/],
])('on %s', (_, writers, spoil, reason) => {
  let outcomes: readonly Outcome[] = [];
  let kept = '';
  beforeAll(() => {
    ({outcomes, kept} = runAll(writers, spoil));
  }, 120_000);

  it.each(writers.map((argv, i) => [argv, i] as const))('%s says so', (_, i) => {
    const {exitCode, stderr = ''} = outcomes[i] ?? {};
    expect(stderr).toMatch(/^Error 9014: File locked or not saved: \S+ was not saved: .*\n.+$/m);
    expect(stderr).toMatch(reason);
    expect(exitCode).toBe(3);
  });

  it('every file is as it was, and no other is left', () => {
    expect(kept).toBe(FILES.map((file) => `${file}: OK\n`).join(''));
  });
});

/** Makes the files on a small disk, spoils it, runs each writer, and compares the files. */
function runAll(
  writers: readonly string[],
  spoil: string,
): {outcomes: readonly Outcome[]; kept: string} {
  const script = `
    set -e
    mount -t tmpfs -o size=256k none "$PWD"; cd "$PWD"
    export XDG_CONFIG_HOME="$PWD/config"; umask 077
    echo pass > pass.txt; echo ${KEY} > key.hex; echo '<?xml version="1.0"?><testsuite name="paylens verify x"/>' > old.xml
    printf 'serial,partnerId\\n3,A\\n' > more.csv
    run() { "$0" '${BIN}' "$@"; }
    run keyfile create ${OPEN} --work-factor 10 --quiet
    run key add a --key-file key.hex ${OPEN} --quiet > /dev/null
    run device add 1 --partner A --devices devices.jsonl --quiet
    run profile add x --base-url http://127.0.0.1 --quiet
    ${spoil}
    sums=$(md5sum ${FILES.join(' ')}); before=$(find . | sort)
    set +e
    ${writers.map((argv) => `run ${argv} 2>&1 > /dev/null; echo "exit $?"`).join('\n')}
    echo ---
    echo "$sums" | md5sum -c 2>&1
    [ "$before" = "$(find . | sort)" ] || find .`;
  const {stdout} = spawnSync('unshare', ['-m', 'bash', '-c', script, process.execPath], {
    cwd: tempFolder(),
    encoding: 'utf8',
  });
  const [output = '', kept = ''] = stdout.split('---\n');
  const outcomes = [...output.matchAll(/([\s\S]*?)exit (\d+)\n/g)].map(([, stderr = '', code]) => ({
    exitCode: Number(code),
    stderr,
  }));
  return {outcomes, kept};
}

function canMount(): boolean {
  const probe = `mount -t tmpfs -o size=64k none ${join('/', 'mnt')}`;
  return existsSync('/mnt') && spawnSync('unshare', ['-m', 'bash', '-c', probe]).status === 0;
}
