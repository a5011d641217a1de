import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runBin} from '../../cli/run-bin.js';
import {runCommand} from '../../cli/run-command.js';
import {readSamples} from '../../engine/samples.js';

const sample = (name: string) =>
  fileURLToPath(new URL(`../../../samples/${name}`, import.meta.url));

/** MagTek's published track 2 under the PIN variant (MagneSafe V5 manual). */
const TRACK2 = '724C5DB7D6F901C7F0FEAE7908801093B3DBFE51CCF6D483E789D7D2C007D539499BAADCC8D16CA2';
const PLAIN = ';5452300551227189=080432100000007250?';
const KSN = 'FFFF9876543210E00008';
const TEST_BDK = '0123456789ABCDEFFEDCBA9876543210';

let folder = '';
// A random name may look like a card number, which no message shows.
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-diagnose-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function caseFile(given: object): string {
  const name = path.join(folder, `${++files}.json`);
  writeFileSync(name, JSON.stringify(given));
  return name;
}

async function diagnoseJson(...argv: string[]) {
  const {stdout, exitCode} = await runCommand('diagnose', [...argv, '--test-keys', '--json']);
  return {body: JSON.parse(stdout), exitCode};
}

const labels = (body: {verdicts: {label: string}[]}) => body.verdicts.map(({label}) => label);

describe('diagnose', () => {
  it('says of a payload that opens as it is that nothing is wrong', async () => {
    const {body, exitCode} = await diagnoseJson(sample('idtech-swipe.json'));
    expect({first: labels(body)[0], exitCode}).toEqual({first: 'decrypts-plainly', exitCode: 0});
  });

  it('finds variant and KSN of a bare ciphertext', async () => {
    const {body} = await diagnoseJson(TRACK2, '--ksn', KSN.slice(4));
    expect(body.solution).toEqual({
      form: 'bare ciphertext',
      key: {role: 'bdk', source: 'published test BDK (ANSI X9.24-1)'},
      ksn: KSN,
      variant: 'pin',
      selfEncrypted: false,
      algorithm: 'tdes',
      mode: 'cbc',
      iv: '0000000000000000',
      packing: 'ascii',
    });
  });

  it('gives the whole cipher output with --reveal', async () => {
    const {body} = await diagnoseJson(TRACK2, '--ksn', KSN, '--reveal');
    const hex = `${Buffer.from(PLAIN).toString('hex')}000000`;
    expect(body.plaintexts).toEqual([{name: 'payload', hex, text: PLAIN}]);
  });

  it('masks card data, in hex too, unless asked', async () => {
    const {body} = await diagnoseJson(TRACK2, '--ksn', KSN);
    const text = ';545230******7189=0804**************?';
    expect(body.plaintexts).toEqual([{name: 'payload', hex: '*'.repeat(80), text}]);
  });

  it('masks the digits of a PIN', async () => {
    const given = {
      ciphertexts: [{name: 'PIN', hex: 'B2449FABB96D4228'}],
      ksn: 'F876543210040B800009',
      pan: '6799998900000074316',
    };
    const {body} = await diagnoseJson(caseFile(given));
    expect(body.plaintexts).toEqual([{name: 'PIN', hex: '*'.repeat(16), text: '****'}]);
  });

  it('gives a decrypt command that works', async () => {
    const {body} = await diagnoseJson(TRACK2, '--ksn', KSN);
    const words = /^paylens decrypt --device-type generic --payload '(.*)' --test-keys$/.exec(
      body.next,
    );
    const argv = [
      '--device-type',
      'generic',
      '--payload',
      words?.[1] ?? '',
      '--test-keys',
      '--reveal',
    ];
    expect((await runCommand('decrypt', argv)).stdout).toContain(PLAIN);
  });

  it('names the key by its place in the case', async () => {
    const keys = [{kind: 'ik', hex: TEST_BDK}];
    const file = caseFile({ciphertexts: [{hex: TRACK2}], ksn: KSN, keys});
    const {body} = await diagnoseJson(file);
    expect({key: body.solution.key, labels: labels(body)}).toEqual({
      key: {role: 'bdk', source: 'key 1'},
      labels: expect.arrayContaining(['key-is-bdk']),
    });
  });

  it('refuses keys on the command line', async () => {
    const given = JSON.stringify({ciphertexts: [{hex: TRACK2}], keys: [{hex: TEST_BDK}]});
    const {stdout, exitCode} = await runCommand('diagnose', [given, '--test-keys', '--json']);
    expect({code: JSON.parse(stdout).errCode, exitCode}).toEqual({code: 9001, exitCode: 2});
  });

  it('ends with exit code 4 when nothing opens it', async () => {
    const {body, exitCode} = await diagnoseJson(sample('idtech-private-key.json'));
    expect({solved: body.solved, labels: labels(body), exitCode}).toEqual({
      solved: false,
      labels: ['no-key'],
      exitCode: 4,
    });
  });

  it('names the key set that a private read asks for', async () => {
    const {body} = await diagnoseJson(sample('idtech-private-key.json'));
    expect(body.verdicts[0].detail).toContain('key set 629949960E');
  });

  it('says which member of a case is invalid', async () => {
    const {body} = await diagnoseJson(caseFile({ciphertexts: [{hex: 7}]}));
    expect(body.errMessage).toContain('hex: expected a string');
  });

  it('tells people the verdict, the evidence and what to do next', async () => {
    const {stdout} = await runCommand('diagnose', [TRACK2, '--ksn', KSN, '--test-keys']);
    for (const part of ['Decrypted.', 'variant-pin', '✓ payload: grammar of track 2', 'Next']) {
      expect(stdout).toContain(part);
    }
  });

  it('has a damaged frame captured again, although its key is right', async () => {
    // No other terminal takes its ciphertexts, so that no command decrypts them.
    const damaged = readSamples('ingenico-rba').find(({id}) => id === 'neg-rba-lrc');
    const payload = damaged?.request.devicePayload ?? '';
    const argv = ['--device-type', 'ingenico-rba', '--payload', payload, '--test-keys'];
    const {stdout} = await runCommand('diagnose', argv);
    expect(stdout).toContain('Decrypted.');
    expect(stdout).toContain('Capture the payload again: `decrypt` rejects a damaged frame.');
  });

  it('shares the long search among workers', async () => {
    const bdk = `${TEST_BDK.slice(0, 8)}A${TEST_BDK.slice(9)}`;
    const keys = [{kind: 'bdk', hex: bdk}];
    const ciphertexts = [{hex: TRACK2}];
    const ksn = 'FFFF9876543210E00028';
    const file = caseFile({ciphertexts, ksn, keys});
    const argv = ['diagnose', file, '--test-keys', '--json', '--threads', '2'];
    const {stdout} = await runBin(argv);
    expect(labels(JSON.parse(stdout))).toContain('ksn-neighbour');
  });
});
