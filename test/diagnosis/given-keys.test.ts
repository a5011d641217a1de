import {createCipheriv} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {KINDS} from '../../src/input/case.js';
import {encrypt, workingKey} from '../engine/terminal.js';
import {aesDerivedKey} from './aes-dukpt.js';
import {diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw} from './draw.js';

/** Each kind of key that a case can hold, given as what it is, as something else, or as unknown. */
const draw = new Draw('given keys');
const BDK = draw.key();
const KSN = 'FFFF0A0B0C0D0E000123';
const TRACK = ';4111111111111111=27122011234567890?';
const INITIAL = 'FFFF0A0B0C0D0E000000';

const ik = workingKey({ksn: INITIAL, bdk: BDK, variant: 'none'}).toString('hex');
const transaction = workingKey({ksn: KSN, bdk: BDK, variant: 'none'}).toString('hex');
const data = workingKey({ksn: KSN, bdk: BDK}).toString('hex');
const ciphertexts = [{name: 'track 2', hex: encrypt(TRACK, {ksn: KSN, bdk: BDK}).toString('hex')}];

async function rolesFor(keys: readonly {kind: (typeof KINDS)[number]; hex: string}[]) {
  const {solved, solution, plaintexts} = await diagnoseJson({ciphertexts, ksn: KSN, keys});
  return {solved, key: solution?.key, text: plaintexts[0]?.text};
}

describe('a key of a case', () => {
  const all: readonly [role: string, hex: string][] = [
    ['bdk', BDK],
    ['ik', ik],
    ['transaction', transaction],
    ['working', data],
  ];
  it.each(all.flatMap(([role, hex]) => KINDS.map((kind) => [role, kind, hex] as const)))(
    'that is the %s key opens, given as %s',
    async (role, kind, hex) => {
      const key = {role, source: 'key 1'};
      expect(await rolesFor([{kind, hex}])).toEqual({solved: true, key, text: TRACK});
    },
  );

  it.each([2, 3, 4, 5])('opens as %i components', async (count) => {
    const random = Array.from({length: count - 1}, () => draw.bytes(16));
    const last = random.reduce(xor, Buffer.from(BDK, 'hex'));
    const keys = [...random, last].map((part) => ({
      kind: 'component' as const,
      hex: part.toString('hex'),
    }));
    const source = keys.map((_, i) => `key ${i + 1}`).join(' XOR ');
    expect(await rolesFor(keys)).toEqual({solved: true, key: {role: 'bdk', source}, text: TRACK});
  });

  it('opens beside others that do not', async () => {
    const others = KINDS.map((kind) => ({kind, hex: draw.key()}));
    const key = {role: 'bdk', source: `key ${KINDS.length + 1}`};
    expect(await rolesFor([...others, {kind: 'unknown', hex: BDK}])).toEqual({
      solved: true,
      key,
      text: TRACK,
    });
  });
});

describe('an AES key under a KSN of 10 bytes', () => {
  // The 59 bits of the identity, shifted right by four in 64, and the counter in 32 (X9.24-3, KSN compatibility mode).
  const id = BigInt(`0x${KSN}`) >> 21n;
  const ksn = `${(id << 1n).toString(16).padStart(16, '0')}00000123`;
  const key = aesDerivedKey({bdk: BDK, ksn, usage: 0x3000, algorithm: 0});

  it('opens the TDES data of its terminal', async () => {
    const cipher = createCipheriv(
      'des-ede3-cbc',
      Buffer.concat([key, key.subarray(0, 8)]),
      Buffer.alloc(8),
    );
    const hex = Buffer.concat([cipher.update(TRACK.padEnd(40, '\0')), cipher.final()])
      .subarray(0, 40)
      .toString('hex');
    const keys = [{kind: 'bdk' as const, hex: BDK}];
    const found = await diagnoseJson({ciphertexts: [{hex}], ksn: KSN, keys});
    expect({
      text: found.plaintexts[0]?.text,
      labels: labelsOf(found),
      next: found.next?.compatibility,
    }).toEqual({
      text: TRACK,
      labels: expect.arrayContaining(['aes-dukpt', 'aes-compatibility']),
      next: true,
    });
  });
});

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)));
}

describe('the key of another variant', () => {
  // ANSI X9.24-1:2009, A.4.1: both halves of the transaction key XOR these.
  const masks = {pin: 'FF', mac: 'FF00', 'MAC response': 'FF000000', response: 'FF00000000'};
  const masked = (mask: string) => {
    const half = Buffer.from(mask.padStart(16, '0'), 'hex');
    const key = Buffer.from(transaction, 'hex');
    return Buffer.from(key.map((byte, i) => byte ^ half[i % 8]!)).toString('hex');
  };

  it.each(
    Object.entries(masks).flatMap(([name, mask]) =>
      (['bdk', 'working', 'unknown'] as const).map((kind) => [name, kind, masked(mask)] as const),
    ),
  )('is named, and the data opens: %s, given as %s', async (_, kind, hex) => {
    const report = await diagnoseJson({ciphertexts, ksn: KSN, keys: [{kind, hex}]});
    expect([report.solved, report.plaintexts[0]?.text]).toEqual([true, TRACK]);
    const labels = labelsOf(report);
    expect(labels).toContain('key-of-variant');
    expect(labels.filter((one) => /^(?:key-is|wrong-variant)/.test(one))).toEqual([]);
  });
});
