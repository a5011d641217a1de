import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, it, vi} from 'vitest';
import {COMMANDS} from '../src/command-list.js';
import {Secret} from '../src/contract/secret.js';
import {wrapKeyBlock} from '../src/engine/key-block/key-block.js';
import {runBin} from './cli/run-bin.js';
import {runCommand} from './cli/run-command.js';
import {tenthOf} from './long.js';

/**
 * Runs every command at every verbosity with keys, passphrases and card data that are known, and
 * looks for them on both streams. Only what the command line asks for may be found.
 */
const SAMPLES = fileURLToPath(new URL('../samples/', import.meta.url));

const KEY = '0123456789ABCDEFFEDCBA9876543210';
const COMPONENTS = ['5A5A5A5A5A5A5A5AA5A5A5A5A5A5A5A5', '5B79FD3ED3F197B55B792FC2D3FC9DB5'];
const PASSPHRASE = 'canary passphrase 7391';
const NEW_PASSPHRASE = 'second canary passphrase 5527';
const PANS = ['4266841088889999', '4761739001010010'];
const TRACK = '4266841088889999=080910110000046';

/** Clear card data in payloads: an unencrypted read, and a track given where none belongs. */
const CLEAR_PAYLOAD = `;${TRACK}?`;

const FILES: Readonly<Record<string, string>> = {
  'pass.txt': `${PASSPHRASE}\n`,
  'new.txt': `${NEW_PASSPHRASE}\n`,
  'key.hex': `${KEY}\n`,
  'a.hex': `${COMPONENTS[0]}\n`,
  'b.hex': `${COMPONENTS[1]}\n`,
  'keys.json': JSON.stringify([{kind: 'bdk', hex: KEY, ksnPrefix: 'FFFF98765400'}]),
  'bad-keys.json': JSON.stringify([{kind: 'bdk', hex: `${KEY}0`}]),
  'kbpk.json': JSON.stringify([{kind: 'kbpk', algorithm: 'tdes', hex: KEY}]),
  'blocks.txt': `${keyBlock(KEY)}\n`,
  'other-blocks.txt': `${keyBlock(COMPONENTS[0] ?? '')}\n${KEY}\n`,
  'broken-keys.json': `[{"kind": "bdk", "hex": "${KEY}"`,
  'clear.jsonl': `${CLEAR_PAYLOAD}\n{"deviceType": "${PANS[0]}"}\n{"ksn": "${PANS[0]}"\n`,
  'pan.csv': `serial,status\n${PANS[0]},${PANS[0]}\n`,
  'wrong.txt': `${PASSPHRASE}x\n`,
};

/** Cases for diagnose: what opens under keys of the case, and a PIN block. */
const CASES: Readonly<Record<string, string>> = {
  'case.json': JSON.stringify({
    payload: JSON.parse(readFileSync(path.join(SAMPLES, 'idtech-swipe.json'), 'utf8'))
      .devicePayload,
    keys: [
      {kind: 'component', hex: COMPONENTS[0]},
      {kind: 'component', hex: COMPONENTS[1]},
      {kind: 'working', hex: KEY},
    ],
    pan: PANS[0],
  }),
  'pin.json': JSON.stringify({
    ciphertexts: [{name: 'PIN', hex: 'B2449FABB96D4228'}],
    ksn: 'F876543210040B800009',
    pan: '6799998900000074316',
    keys: [{kind: 'bdk', hex: `${KEY.slice(0, -1)}8`}],
  }),
  'bad-case.json': `{"keys": [{"kind": "bdk", "hex": "${KEY}"`,
};

const OPEN = ['--keyfile', 'lab.age', '--passphrase-file', 'pass.txt'];
const WRONG = ['--keyfile', 'lab.age', '--passphrase-file', 'wrong.txt'];
const SIGN = [
  '--target',
  '/api/v1/decrypt/parser',
  '--partner',
  'A',
  '--shared-key-file',
  'key.hex',
];
const SEND = ['--base-url', 'http://127.0.0.1:1', '--shared-key-file', 'key.hex'];
const DEVICES = ['--devices', 'devices.jsonl'];
/** One key for this run: given well, and as people try to give it. */
const GIVEN_ONCE = [
  ['--key-file', 'key.hex'],
  ['--key-file', 'key.hex', '--key-kind', 'ik'],
  ['--key-file', 'pass.txt'],
  ['--key-file', KEY],
  ['--key-prompt'],
  ['--key', KEY],
  [`--key=${KEY}`],
  ['--key-kind', KEY],
] as const;
const SWIPE = path.join(SAMPLES, 'idtech-swipe.json');
const KEYED = path.join(SAMPLES, 'idtech-keyed.json');

/** For every command: uses that work and uses that fail, in an order in which they can run. */
const USES: Readonly<Record<keyof typeof COMMANDS, readonly (readonly string[])[]>> = {
  completion: [['bash'], [KEY]],
  help: [['decrypt'], [KEY]],
  'keyfile:create': [[...OPEN, '--work-factor', '10'], OPEN, ['--passphrase', PASSPHRASE]],
  'key:add': [
    ['lab', '--key-file', 'key.hex', ...OPEN],
    [
      'xor',
      '--ksn-prefix',
      'FFFF01',
      '--component-file',
      'a.hex',
      '--component-file',
      'b.hex',
      ...OPEN,
    ],
    ['again', '--key-file', 'key.hex', ...OPEN],
    ['--key-file', 'pass.txt', ...OPEN],
    [KEY, ...OPEN],
    ['--hex', KEY],
    [`--hex=${KEY}`],
  ],
  'key:import': [
    ['keys.json', ...OPEN],
    ['bad-keys.json', ...OPEN],
    ['broken-keys.json', ...OPEN],
    [JSON.stringify({hex: KEY}), ...OPEN],
    ['keys.json', KEY, ...OPEN],
    ['blocks.txt', ...OPEN],
    ['kbpk.json', ...OPEN],
    ['blocks.txt', ...OPEN],
    ['other-blocks.txt', ...OPEN],
    ['blocks.txt', '--kbpk', KEY, ...OPEN],
  ],
  'key:list': [OPEN, WRONG, [KEY]],
  'key:export': [
    ['--output', 'exported.json', ...OPEN],
    OPEN,
    [KEY],
    ['--key-block', ...OPEN],
    ['--key-block', '--version', 'A', ...OPEN],
    ['--key-block', '--version', 'D', ...OPEN],
    ['--key-block', '--kbpk', KEY, ...OPEN],
    ['--key-block', KEY, ...OPEN],
  ],
  'keyfile:show': [OPEN, WRONG, [PASSPHRASE]],
  decrypt: [
    [SWIPE, ...OPEN],
    [KEYED, ...OPEN],
    [SWIPE, '--explain', ...OPEN],
    [KEYED, '--explain', ...OPEN],
    [SWIPE, ...WRONG],
    [SWIPE, '--keyfile', 'pass.txt', '--passphrase-file', 'pass.txt'],
    [SWIPE, '--ksn', TRACK, '--test-keys'],
    [SWIPE, '--iv', TRACK, '--test-keys'],
    [SWIPE, '--device-type', PANS[0] ?? '', '--test-keys'],
    ['--payload', CLEAR_PAYLOAD, '--test-keys'],
    ['--payload', CLEAR_PAYLOAD, '--device-type', 'idtech', '--test-keys'],
    ['--payload', CLEAR_PAYLOAD, '--device-type', 'generic', '--test-keys'],
    [
      '--payload',
      `track2=${CLEAR_PAYLOAD}|ksn=${PANS[0]}`,
      '--device-type',
      'generic',
      '--test-keys',
    ],
    ['--payload', `{"ksn": "${PANS[0]}", "track2": "${CLEAR_PAYLOAD}"}`, '--test-keys'],
    ['--payload', `{"deviceType": "${PANS[0]}"}`, '--test-keys'],
    ['--payload', `{"deviceType": ${PANS[0]}, "${PANS[0]}": 1, "${PANS[0]}": 2}`, '--test-keys'],
    ['--file', CLEAR_PAYLOAD, '--test-keys'],
    ['clear.jsonl', '--batch', '--threads', '1', '--test-keys'],
    ['clear.jsonl', '--batch', '--threads', '1', ...WRONG],
    [CLEAR_PAYLOAD, CLEAR_PAYLOAD, '--test-keys'],
    [SWIPE, '--test-keys', `--pan=${PANS[0]}`],
    ...GIVEN_ONCE.map((flags) => [SWIPE, ...flags]),
    ['clear.jsonl', '--batch', '--threads', '1', '--key-file', 'key.hex'],
  ],
  explore: [['--write', 'page.html'], ['--port', KEY], [KEY]],
  diagnose: [
    [SWIPE, '--test-keys'],
    [KEYED, ...OPEN],
    [KEYED, ...WRONG],
    ['case.json', '--test-keys'],
    ['pin.json', '--test-keys'],
    ['bad-case.json', '--test-keys'],
    ['--payload', CLEAR_PAYLOAD, '--test-keys'],
    ['--payload', JSON.stringify({keys: [{hex: KEY}]}), '--test-keys'],
    ['--payload', TRACK, '--ksn', PANS[0] ?? '', '--iv', KEY, '--test-keys'],
    [SWIPE, '--time-limit', PANS[0] ?? '', '--test-keys'],
    ...GIVEN_ONCE.map((flags) => [SWIPE, '--time-limit', '1s', ...flags]),
  ],
  inspect: [
    [SWIPE],
    [KEYED],
    ['--payload', CLEAR_PAYLOAD],
    ['--payload', CLEAR_PAYLOAD, '--device-type', 'idtech'],
    ['--payload', clearFrame(), '--device-type', 'idtech'],
    ['--payload', `track2=${CLEAR_PAYLOAD}|ksn=FFFF9876543210E00601`, '--device-type', 'generic'],
    ['--payload', `{"track2": "${CLEAR_PAYLOAD}"}`, '--device-type', 'generic'],
    [CLEAR_PAYLOAD, CLEAR_PAYLOAD],
  ],
  derive: [
    ['FFFF9876543210E00001', ...OPEN],
    ['FFFF9876543210E00001', '--reveal', ...OPEN],
    ['FFFF9876543210E00001', '--key-file', 'key.hex'],
    ['FFFF9876543210E00001', '--key-file', 'pass.txt'],
    ...GIVEN_ONCE.map((flags) => ['FFFF9876543210E00001', ...flags]),
    ['FFFF9876543210E00001', ...WRONG],
    [KEY, '--test-keys'],
    [TRACK, '--test-keys'],
    ['FFFF9876543210E00001', KEY, '--test-keys'],
  ],
  simulate: [
    ['--device-type', 'idtech', '--card', 'bush', '--test-keys'],
    ['--device-type', 'generic', '--card', 'bush', ...OPEN],
    ['--device-type', 'idtech', '--card', 'bush', ...WRONG],
    ['--device-type', 'idtech', '--pan', PANS[0] ?? '', '--name', 'lower', '--test-keys'],
    ['--device-type', 'idtech', '--pan', TRACK, '--test-keys'],
    ['--device-type', 'idtech', '--card', PANS[0] ?? '', '--test-keys'],
    ['--device-type', 'idtech', '--option', `form=${PANS[0]}`, '--test-keys'],
    ['--device-type', 'idtech', '--option', `${KEY}=1`, '--test-keys'],
    ['--device-type', 'idtech', '--ksn', TRACK, '--iv', KEY, '--test-keys'],
    ['--device-type', 'idtech', '--serve', PANS[0] ?? '', '--test-keys'],
    ['--device-type', 'idtech', '--serve', 'tcp:0', '--card', PANS[0] ?? '', '--test-keys'],
    ['--device-type', 'idtech', KEY],
    ...GIVEN_ONCE.map((flags) => ['--device-type', 'idtech', '--card', 'bush', ...flags]),
  ],
  listen: [
    ['clear.jsonl', '--test-keys'],
    ['clear.jsonl', '--save', 'saved.jsonl', ...OPEN],
    ['clear.jsonl', ...WRONG],
    [`tcp:${PANS[0]}`, '--test-keys'],
    ['clear.jsonl', '--idle', PANS[0] ?? '', '--test-keys'],
    [KEY],
    ...GIVEN_ONCE.map((flags) => ['clear.jsonl', ...flags]),
  ],
  'send:partner': [
    [...SEND, '--partner', 'A'],
    [...SEND, '--partner', 'A', '--json', '--retries', '1'],
    ['--base-url', `http://A:${KEY}@127.0.0.1:1`, '--partner', 'A'],
    [...SEND, KEY],
  ],
  'send:device': [
    [...SEND, '--partner', 'A', PANS[0] ?? '', '--firmware', KEY],
    [...SEND, '--shared-key', KEY],
  ],
  'send:payload': [
    [SWIPE, ...SEND, '--partner', 'A'],
    [JSON.stringify({partnerKey: KEY, devicePayload: CLEAR_PAYLOAD}), ...SEND],
    ['clear.jsonl', '--batch', ...SEND, '--partner', 'A'],
    ['--replay', 'clear.jsonl', ...SEND, '--partner', 'A'],
    ['--payload', CLEAR_PAYLOAD, '--device-type', 'idtech', ...SEND, '--partner', 'A'],
  ],
  'profile:add': [
    ['lab', '--base-url', 'http://127.0.0.1:1', '--partner', 'A'],
    ['lab', '--base-url', `http://A:${KEY}@127.0.0.1:1`],
    [KEY, '--base-url', KEY],
  ],
  'profile:list': [[], [KEY]],
  'profile:use': [['lab'], [KEY]],
  'profile:remove': [['lab'], [KEY]],
  sign: [
    ['keys.json', ...SIGN, '--explain'],
    ['keys.json', ...SIGN, '--method', 'digest-preemptive', '--partner-key-file', 'key.hex'],
    ['keys.json', ...SIGN, '--check', `Hmac username="${KEY}"`],
    ['keys.json', ...SIGN, '--check', `Basic ${Buffer.from(`A1:${KEY}`).toString('base64')}`],
    ['keys.json', ...SIGN, '--rsa-private-key', 'key.hex', '--method', 'rsa'],
    [JSON.stringify({partnerKey: KEY}), ...SIGN],
    ['keys.json', ...SIGN, '--shared-key', KEY],
    ['keys.json', KEY],
  ],
  'device:add': [
    ['80320050', '--partner', 'A', ...DEVICES],
    ['80320050', '--partner', 'A', ...DEVICES],
    ['80320050', KEY, ...DEVICES],
    [PASSPHRASE, PASSPHRASE],
  ],
  'device:import': [
    ['key.hex', ...DEVICES],
    ['keys.json', ...DEVICES],
    ['pan.csv', ...DEVICES],
    [PASSPHRASE, ...DEVICES, KEY],
  ],
  'device:list': [DEVICES, [KEY], ['--status', KEY]],
  'device:set': [
    ['80320050', '--status', 'stored', ...DEVICES],
    ['80320050', '--status', KEY, ...DEVICES],
    [PANS[0] ?? '', '--status', 'stored', ...DEVICES],
  ],
  'device:remove': [
    ['80320050', ...DEVICES],
    ['80320050', '--yes', ...DEVICES],
    [PANS[0] ?? '', '--yes', ...DEVICES],
  ],
  errors: [[], ['2601'], [PANS[0] ?? '']],
  export: [['python'], ['postman', '--partner', PANS[0] ?? ''], [KEY]],
  sample: [[], ['idtech-swipe'], [PANS[0] ?? ''], [KEY]],
  verify: [
    ['--list'],
    ['--only', KEY],
    [PANS[0] ?? ''],
    ['http://127.0.0.1:1', '--config', 'pass.txt'],
  ],
  // What a running server writes is tested where it runs.
  serve: [
    WRONG,
    ['--demo', KEY],
    ['--tls-cert-file', PASSPHRASE],
    ['--demo', '--fail-rate', PANS[0] ?? ''],
  ],
  'partner:add': [
    ['WATERFORD', '--partner-key-file', 'key.hex', '--shared-key-file', 'a.hex', ...OPEN],
    ['WATERFORD', '--partner-key-file', 'key.hex', ...OPEN],
    ['ACME', '--shared-key-file', 'pass.txt', '--key-encoding', 'hex', ...OPEN],
    ['ACME', '--rsa-public-key', 'key.hex', ...OPEN],
    ['ACME', '--partner-key-file', 'keys.json', ...WRONG],
    ['ACME', KEY, ...OPEN],
    [`--partner-key=${KEY}`, 'ACME'],
  ],
  'partner:list': [OPEN, WRONG, [KEY]],
  'partner:rotate': [
    ['WATERFORD', '--shared-key-file', 'b.hex', '--key-encoding', 'hex', ...OPEN],
    ['WATERFORD', '--shared-key-file', 'pass.txt', '--key-encoding', 'hex', ...OPEN],
    ['WATERFORD', ...OPEN],
    [KEY, ...OPEN],
  ],
  'partner:remove': [
    ['WATERFORD', '--yes', ...OPEN],
    ['WATERFORD', ...OPEN],
    [KEY, '--yes', ...OPEN],
  ],
  'key:remove': [
    ['xor', '--yes', ...OPEN],
    ['xor', '--yes', ...OPEN],
    [KEY, '--yes', ...OPEN],
    ['lab', ...OPEN],
  ],
  'keyfile:rekey': [
    ['--new-passphrase-file', 'new.txt', ...OPEN],
    ['--new-passphrase-file', 'new.txt', ...OPEN],
  ],
};

/** Those that print most, and one of those that print no more; in a long run all of them. */
const VERBOSITIES = [
  [],
  ['--json'],
  ...tenthOf([['--quiet'], ['--no-color'], ['--json', '--quiet'], ['--help']], (flags) =>
    flags.join(' '),
  ),
];

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-canary-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

describe.each(VERBOSITIES.map((flags) => [flags.join(' ') || 'no flag', flags] as const))(
  'with %s',
  (_, flags) => {
    beforeAll(() => {
      rmSync(folder, {recursive: true});
      folder = mkdtempSync(path.join(tmpdir(), 'paylens-canary-'));
      for (const [name, text] of Object.entries({...FILES, ...CASES})) {
        writeFileSync(path.join(folder, name), text, {mode: 0o600});
      }
    });

    afterAll(() => vi.unstubAllEnvs());

    it.each(Object.entries(USES))('%s gives no secret away', async (id, uses) => {
      vi.stubEnv('XDG_CONFIG_HOME', folder);
      for (const use of uses) {
        const argv = [...use.map(inFolder), ...flags];
        const {stdout, stderr} = await runCommand(id as keyof typeof COMMANDS, argv);
        const unasked = id === 'decrypt' && flags.includes('--json') ? stderr : stderr + stdout;
        expect({argv, found: secretsIn(unasked)}).toEqual({argv, found: []});
        expect({argv, found: keysIn(stdout)}).toEqual({argv, found: []});
      }
    });
  },
);

/** The names of the files of this test, made absolute. */
function inFolder(argument: string): string {
  return /^[a-z-]+\.(?:txt|hex|html|jsonl?|csv|age)$/.test(argument)
    ? path.join(folder, argument)
    : argument;
}

describe('what the canary looks for', () => {
  it.each([KEY, KEY.toLowerCase(), PASSPHRASE, ...PANS, hexOf(PANS[0] ?? ''), TRACK])(
    'is found: %s',
    (secret) => {
      expect(secretsIn(`before ${secret} after`)).not.toEqual([]);
    },
  );

  it('covers every command', () => {
    expect(Object.keys(USES).sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  it('is there to be found: decrypt --reveal shows the PAN', async () => {
    const {stdout} = await runBin(['decrypt', SWIPE, '--test-keys', '--reveal']);
    expect(secretsIn(stdout)).toContain(PANS[0]);
  });

  it('is in the keys that the commands read', () => {
    expect(readFileSync(path.join(folder, 'keys.json'), 'utf8')).toContain(KEY);
  });
});

function keysIn(text: string): string[] {
  return find(text, [KEY, ...COMPONENTS, PASSPHRASE, NEW_PASSPHRASE]);
}

function secretsIn(text: string): string[] {
  return [...keysIn(text), ...find(text, [...PANS, TRACK.slice(5)])];
}

function find(text: string, secrets: readonly string[]): string[] {
  const plain = text.toLowerCase().replace(/[\s│]+/g, ' ');
  const dense = plain.replaceAll(' ', '');
  return secrets.filter((secret) =>
    [secret, hexOf(secret), base64Of(secret)].some(
      (form) => plain.includes(form.toLowerCase()) || dense.includes(form.toLowerCase()),
    ),
  );
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}

function base64Of(text: string): string {
  return Buffer.from(text)
    .toString('base64')
    .replace(/.{2}=*$/, '');
}

/** A key block of `hex` under a KBPK that is KEY. */
function keyBlock(hex: string): string {
  const [key, kbpk] = [hex, KEY].map((text) => new Secret(Buffer.from(text, 'hex')));
  if (!key || !kbpk) throw new Error('two keys are made');
  const header = {
    version: 'B',
    usage: 'B0',
    algorithm: 'T',
    mode: 'X',
    keyVersion: '00',
    exportability: 'E',
    optional: [{id: 'KS', data: 'FFFF02'}],
  } as const;
  return wrapKeyBlock({header, key}, kbpk, {random: (length) => new Uint8Array(length)});
}

/** An ID TECH enhanced frame with clear track 2, as a reader without keys sends it. */
function clearFrame(): string {
  const track = Buffer.from(CLEAR_PAYLOAD);
  const head = [0x80, 0x1b, 0, track.length, 0, 0x02, 0x00];
  const data = Buffer.concat([Buffer.from(head), track]);
  const lrc = data.reduce((sum, byte) => sum ^ byte, 0);
  const checkSum = data.reduce((sum, byte) => (sum + byte) & 0xff, 0);
  const length = Buffer.from([data.length & 0xff, data.length >> 8]);
  return Buffer.concat([Buffer.of(2), length, data, Buffer.of(lrc, checkSum, 3)]).toString('hex');
}
