import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {commandOf, preparationOf} from '../../../src/diagnosis/answer/command-of.js';
import {runCommand} from '../../cli/run-command.js';
import {type CaseJson, diagnoseJson} from '../../diagnosis/diagnosing.js';
import {Draw} from '../../diagnosis/draw.js';
import {PUBLIC_READS} from '../../diagnosis/public-reads.js';
import {encrypt, workingKey} from '../../engine/terminal.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {tenthOf} from '../../long.js';

/** The command that a diagnosis gives, pasted into a shell: it must decrypt what was diagnosed. */
interface Pasted {
  readonly name: string;
  readonly given: CaseJson;
}

interface Sample {
  readonly id: string;
  readonly request: {
    readonly devicePayload?: string;
    readonly ksn?: string;
    readonly iv?: string;
  };
  readonly expect: {readonly response?: object};
}

const folder = new URL('../../samples/', import.meta.url);
const samples: Sample[] = readdirSync(folder).flatMap((file) =>
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
);

const draw = new Draw('pasted commands');

function drawn(name: string, make: () => CaseJson): Pasted[] {
  return Array.from({length: 5}, (_, i) => ({name: `${name}, ${i + 1}`, given: make()}));
}

function track(setting: object, more: (hex: string, ksn: string) => CaseJson): CaseJson {
  const ksn = draw.ksn();
  return more(encrypt(draw.track(), {ksn, ...setting}).toString('hex'), ksn);
}

/** Another digit in the key set or device. */
function mistyped(ksn: string): string {
  const at = 4 + draw.below(10);
  const digit = (Number.parseInt(ksn.charAt(at), 16) ^ (1 + draw.below(15))).toString(16);
  return ksn.slice(0, at) + digit.toUpperCase() + ksn.slice(at + 1);
}

const CASES: readonly Pasted[] = [
  ...samples
    .filter(({request, expect}) => request.devicePayload !== undefined && expect.response)
    .map(({id, request: {devicePayload, ksn, iv}}) => ({
      name: `sample ${id}`,
      given: {payload: devicePayload, ksn, iv},
    })),
  ...PUBLIC_READS.map(({name, given}) => ({name, given})),
  ...drawn('the PIN variant', () => track({variant: 'pin'}, (payload, ksn) => ({payload, ksn}))),
  ...drawn('data without self-encryption, ECB', () =>
    track({selfEncrypted: false, mode: 'ecb'}, (payload, ksn) => ({payload, ksn})),
  ),
  ...drawn('AES under the TDES key', () =>
    track({algorithm: 'aes'}, (payload, ksn) => ({payload, ksn})),
  ),
  ...drawn('an IV that was given', () => {
    const iv = draw.hex(8);
    return track({iv}, (payload, ksn) => ({payload, ksn, iv}));
  }),
  ...drawn('an IV in front', () => {
    const iv = draw.hex(8);
    return track({iv}, (hex, ksn) => ({payload: iv + hex, ksn}));
  }),
  ...drawn('a short KSN', () =>
    track({}, (payload, ksn) => ({payload, ksn: ksn.replace(/^FFFF/, '')})),
  ),
  ...drawn('a KSN with a wrong digit', () =>
    track({}, (payload, ksn) => ({payload, ksn: mistyped(ksn)})),
  ),
  ...drawn('a KSN with a wrong digit inside the payload', () =>
    track({}, (data, ksn) => ({payload: JSON.stringify({ksn: mistyped(ksn), data})})),
  ),
  ...drawn('two tracks joined', () => {
    const ksn = draw.ksn();
    const hex = draw.tracks().map((text) => encrypt(text, {ksn}).toString('hex'));
    return {payload: hex.join(''), ksn};
  }),
  ...drawn('a TLV list', () => {
    const ksn = draw.ksn();
    return {payload: encrypt(draw.tags(), {ksn, fill: 'pkcs7'}).toString('hex'), ksn};
  }),
];

/** What is solved, and decrypt has nothing to do with. */
const WITHOUT = [
  // Its two expiry dates contradict each other: decrypt refuses it.
  'a container of an EMV read of MagTek: bdk, tlv',
  'a PIN block read with the KSN in front of the change of its counter: bdk, pin-block-0',
  'a block of digits under the data key, with the PAN: bdk, text',
  'a PIN block of format 4 under the initial key, counter 0: ik, pin-block-4',
  'a PIN block of format 4 made of 12 digits of the PAN: working, pin-block-4',
  'a PIN block whose counter was written down wrong, with a PAN of 12 digits: bdk, pin-block-0',
  'a text that was cut with dots: bdk, ascii',
  // Nobody but the sender knows the IV that was lost.
  'a Amex of a Verifone without its IV: bdk, tlv',
  'a Discover of a Verifone without its IV: bdk, tlv',
  'a Visa of a Verifone without its IV: bdk, tlv',
];

/** The words of a command line as bash takes them, and as Node.js reads them. */
function wordsOf(command: string): string[] {
  const printed = execFileSync('bash', ['-c', `printf '%s\\0' ${command}`], {encoding: 'utf8'});
  return printed.split('\0').slice(0, -1);
}

describe('the command that diagnose gives', () => {
  it('decrypts a payload in bytes', async () => {
    const {deviceType, devicePayload} = JSON.parse(
      readFileSync('samples/idtech-swipe.json', 'utf8'),
    );
    const bytes = Buffer.from(devicePayload, 'hex').toString('latin1');
    const request = {deviceType, devicePayload: bytes};
    const [, , ...argv] = wordsOf(commandOf({request, keys: 'published', kind: 'bdk'}));
    const {stdout, exitCode} = await runCommand('decrypt', [...argv, '--json']);
    expect([exitCode, JSON.parse(stdout).success]).toEqual([0, true]);
  });

  it.each([
    ['letters and signs of other scripts', '{"note":"Łódź … ü 日本"}'],
    ['characters beyond 16 bits', '"\u{1f4b3}"'],
    ['characters that nobody sees', 'a\u200b\ufeffb\u202ec\u00a0d\te\r\n'],
    ['quotes and backslashes', `'"$\\x41\`'`],
  ])('gives %s as they are', (_, devicePayload) => {
    const request = {deviceType: 'generic', devicePayload};
    expect(wordsOf(commandOf({request, keys: 'published', kind: 'bdk'}))).toContain(devicePayload);
  });

  it.each(tenthOf(CASES, ({name}) => name).map((one) => [one.name, one] as const))(
    'decrypts %s',
    async (_, {given}) => {
      const {next, plaintexts} = await diagnoseJson(given);
      if (next?.keys !== 'published') return;
      const [program, command, ...argv] = wordsOf(commandOf(next));
      const {stdout, exitCode} = await runCommand('decrypt', [...argv, '--json', '--reveal']);
      const decrypted = JSON.parse(stdout);
      const all = plaintexts.map(({hex}) => hex).join(' ');
      const opened = decryptedOf(decrypted).filter((hex) => all.includes(hex));
      expect({program, command, exitCode, isSame: opened.length > 0}).toEqual({
        program: 'paylens',
        command: 'decrypt',
        exitCode: 0,
        isSame: true,
      });
    },
  );

  it('asks for a key that was given, and decrypts with it', async () => {
    const ksn = draw.ksn();
    const key = draw.hex(16);
    const payload = encrypt(draw.track(), {ksn, bdk: key}).toString('hex');
    const {next} = await diagnoseJson({payload, ksn, keys: [{kind: 'bdk', hex: key}]});
    if (!next) throw new Error('no next step');
    const command = commandOf(next);
    expect(command).toMatch(/ --key-prompt/);
    expect(`${preparationOf(next)} ${command}`.toUpperCase()).not.toContain(key.toUpperCase());
    const file = join(tempFolder(), 'key.hex');
    writeFileSync(file, key, {mode: 0o600});
    const [, , ...argv] = wordsOf(command.replace('--key-prompt', `--key-file ${file}`));
    expect((await runCommand('decrypt', argv)).exitCode).toBe(0);
  });

  it.each([
    ['without a KSN', undefined],
    ['with the KSN of the read', draw.ksn()],
  ])('decrypts with a working key, %s', async (_, ksn) => {
    const own = draw.ksn();
    const payload = encrypt(draw.track(), {ksn: own}).toString('hex');
    const hex = workingKey({ksn: own}).toString('hex');
    const keys = [{kind: 'working' as const, hex}];
    const {next} = await diagnoseJson({payload, keys, ...(ksn === undefined ? {} : {ksn})});
    if (!next) throw new Error('no next step');
    const command = commandOf(next);
    expect(command).toMatch(/ --key-prompt --key-kind working$/);
    const file = join(tempFolder(), 'working.hex');
    writeFileSync(file, hex, {mode: 0o600});
    const [, , ...argv] = wordsOf(command.replace('--key-prompt', `--key-file ${file}`));
    expect((await runCommand('decrypt', argv)).exitCode).toBe(0);
  });

  it.each([
    ['another type', 'miura'],
    ['no type', 'Verifone'],
  ])('reads a request of %s whose card may not be shown, after a change', async (_, deviceType) => {
    const {stdout} = await runCommand('simulate', ['-d', 'verifone', '--test-keys', '--json']);
    const file = join(tempFolder(), 'request.json');
    writeFileSync(file, JSON.stringify({...JSON.parse(stdout), deviceType}));
    const said = (await runCommand('diagnose', [file, '--test-keys'])).stdout;
    expect(said).toContain(
      `Next\n  Set deviceType to verifone in the request first.\n  paylens decrypt ${file} --test-keys\n`,
    );
    writeFileSync(file, stdout);
    expect((await runCommand('decrypt', [file, '--test-keys'])).exitCode).toBe(0);
  });

  it('names the kind of a key that it asks for, unless that is a BDK', () => {
    const request = {deviceType: 'generic', devicePayload: '00'} as const;
    expect(commandOf({request, keys: 'given', kind: 'ik'})).toMatch(/ --key-prompt --key-kind ik$/);
  });

  it('is missing only where decrypt has nothing to do', async () => {
    const tried = tenthOf(CASES, ({name}) => `${name}, missing`);
    const without: string[] = [];
    for (const {name, given} of tried) {
      const {next, solution} = await diagnoseJson(given);
      if (solution && !next) without.push(`${name}: ${solution.key.role}, ${solution.packing}`);
    }
    const names = tried.map(({name}) => `${name}: `);
    expect(without).toEqual(WITHOUT.filter((one) => names.some((name) => one.startsWith(name))));
  });
});

/** Every decrypted value of an answer, in hex. */
function decryptedOf(answer: Readonly<Record<string, unknown>>): string[] {
  return Object.values(answer).flatMap((value) => {
    const {decrypted} = (value ?? {}) as {decrypted?: unknown};
    if (typeof decrypted !== 'string' || decrypted === '') return [];
    const isHexText = /^(?:[0-9a-f]{2})+$/i.test(decrypted);
    return [isHexText ? decrypted.toLowerCase() : Buffer.from(decrypted, 'base64').toString('hex')];
  });
}
