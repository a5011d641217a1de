import {createCipheriv} from 'node:crypto';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {Explanation} from '../../src/engine/explanation.js';
import {runCommand} from '../cli/run-command.js';

const SAMPLES = new URL('../../samples/', import.meta.url);
const requestOf = (name: string) => readFileSync(new URL(`${name}.json`, SAMPLES), 'utf8');
const TEST_BDK = Buffer.from('0123456789ABCDEFFEDCBA9876543210', 'hex');

let folder = '';
// A random name may look like a card number, which no message shows.
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-explain-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function fileOf(content: string): string {
  const name = path.join(folder, `${++files}`);
  writeFileSync(name, content);
  return name;
}

async function explain(request: string, ...flags: string[]) {
  const argv = [fileOf(request), '--json', '--explain', '--test-keys', ...flags];
  const {stdout} = await runCommand('decrypt', argv);
  return JSON.parse(stdout) as {explanation: Explanation; extracted: {PAN: string}};
}

describe('decrypt --explain', () => {
  it('says of every field where it is and how it was decrypted', async () => {
    const {explanation} = await explain(requestOf('idtech-swipe'));
    expect(explanation.recognisedAs).toMatch(/^idtech, .*swipe frame/);
    expect(explanation.fields.map(({name}) => name)).toEqual(['track 1', 'track 2', 'track 3']);
    const kcv = createCipheriv('des-ede-ecb', TEST_BDK, null)
      .update(Buffer.alloc(8))
      .toString('hex')
      .slice(0, 6)
      .toUpperCase();
    for (const field of explanation.fields) {
      expect(field).toMatchObject({
        ksn: {text: '62994901190000000003', keySet: '6299490119', device: '00000', counter: 3},
        key: {name: 'test BDK (TDES)', kcv},
        scheme: 'tdes',
        usage: 'data, self-encrypted',
        mode: 'cbc',
        iv: '0000000000000000',
      });
      expect(field.facts.length).toBeGreaterThan(0);
    }
  });

  it('names ciphertexts by offset and length', async () => {
    const request = requestOf('idtech-swipe');
    const frame = Buffer.from(JSON.parse(request).devicePayload, 'hex');
    const [first] = (await explain(request)).explanation.fields;
    const {offset = 0, length = 0} = first ?? {};
    // Track 1 begins behind the masked copies, which end in `?*`.
    expect(frame.subarray(offset - 2, offset).toString()).toBe('?*');
    expect(length % 8).toBe(0);
  });

  it('adds one member to the response, and changes nothing without the flag', async () => {
    const file = fileOf(requestOf('idtech-keyed'));
    const argv = [file, '--json', '--test-keys'];
    const plain = await runCommand('decrypt', argv);
    const explained = await runCommand('decrypt', [...argv, '--explain']);
    const {explanation, messageId, ...rest} = JSON.parse(explained.stdout);
    const {messageId: _, ...same} = JSON.parse(plain.stdout);
    expect(rest).toEqual(same);
    expect(Object.keys(JSON.parse(plain.stdout))).not.toContain('explanation');
    expect(explanation.fields).toHaveLength(1);
  });

  it('prints the same for people, without a card number', async () => {
    const file = fileOf(requestOf('idtech-swipe'));
    const {stdout} = await runCommand('decrypt', [file, '--explain', '--test-keys']);
    expect(stdout).toContain('Recognised as: ');
    expect(stdout).toMatch(/^Surname\ttrack 1\tLRC of track 1/m);
    for (const text of ['62994901190000000003', 'test BDK (TDES), KCV 08D7B4', 'TDES DUKPT']) {
      expect(stdout).toContain(text);
    }
    expect(stdout).not.toContain('4266841088889999');
  });

  it('tells AES DUKPT by its usage, key and longer IV', async () => {
    const made = await runCommand('simulate', [
      ...['--device-type', 'idtech', '--ksn', '123456789012345600000001', '--json', '--test-keys'],
    ]);
    const {explanation} = await explain(made.stdout);
    expect(explanation.fields[0]).toMatchObject({
      ksn: {keySet: '1234567890', device: '123456', counter: 1},
      key: {name: 'test BDK (AES)'},
      scheme: 'aes',
      usage: expect.stringMatching(/^data/),
      iv: '0'.repeat(32),
    });
  });

  it('names no card number or key, whatever the terminal', async () => {
    const types = readdirSync(new URL('../samples/', import.meta.url))
      .map((file) => path.parse(file).name)
      .filter((type) => !['extras', 'ingenico-ra1'].includes(type));
    for (const type of types) {
      const made = await runCommand('simulate', ['--device-type', type, '--json', '--test-keys']);
      const {explanation, extracted} = await explain(made.stdout);
      expect({type, fields: explanation.fields.length}).not.toEqual({type, fields: 0});
      // Evidence and padding are found apart from each other, and must agree.
      for (const {facts, padding} of explanation.fields) {
        const isPadded = facts.some((fact) => fact.startsWith('padding'));
        if (isPadded) expect({type, padding}).not.toEqual({type, padding: 'none'});
      }
      const text = JSON.stringify(explanation);
      expect(text).not.toContain(extracted.PAN);
      expect(text).not.toContain(TEST_BDK.toString('hex').toUpperCase());
    }
  });

  it('is not for batches', async () => {
    const {stderr} = await runCommand('decrypt', ['x', '--batch', '--explain', '--test-keys']);
    expect(stderr).toContain('--batch and --explain cannot be used together');
  });
});
