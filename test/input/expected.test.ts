import {describe, expect, it} from 'vitest';
import {type CaseJson, diagnoseJson, labelsOf} from '../diagnosis/diagnosing.js';
import {Draw, packNibbles} from '../diagnosis/draw.js';
import {type Encryption, encrypt} from '../engine/terminal.js';

const draw = new Draw('expected plaintexts');
const KSN = 'FFFF9876543210E00008';
const SECRET = draw.bytes(40);
const TEXT = 'Balance 12.50 EUR, terminal 7';
const TRACK = draw.track2();

function caseOf(plain: string | Uint8Array, expected: string, more: Partial<Encryption> = {}) {
  const hex = encrypt(plain, {ksn: KSN, ...more}).toString('hex');
  return {ciphertexts: [{name: 'data', hex}], ksn: KSN, expected};
}

describe('a plaintext that is known', () => {
  it.each<[string, CaseJson, string]>([
    ['in hex, whole', caseOf(SECRET, SECRET.toString('hex')), ''],
    ['in hex, its first eight bytes', caseOf(SECRET, SECRET.toString('hex').slice(0, 16)), ''],
    ['in hex with blanks', caseOf(SECRET, SECRET.toString('hex').replaceAll(/../g, '$& ')), ''],
    ['in hex, half a byte at its end', caseOf(SECRET, SECRET.toString('hex').slice(0, 17)), ''],
    ['as text', caseOf(TEXT, 'Balance 12'), ''],
    ['as a track without its sentinel', caseOf(TRACK, TRACK.slice(1, 12)), ''],
    ['as a track that is packed', caseOf(packNibbles(TRACK), TRACK.slice(0, 20)), 'packing-4bit'],
    ['under the PIN variant', caseOf(SECRET, SECRET.toString('hex'), {variant: 'pin'}), ''],
    ['in ECB', caseOf(SECRET, SECRET.toString('hex').slice(0, 24), {mode: 'ecb'}), 'mode-ecb'],
    ['under AES', caseOf(SECRET, SECRET.toString('hex'), {algorithm: 'aes'}), 'aes-under-tdes'],
  ])('opens: %s', async (_, given, label) => {
    const found = await diagnoseJson(given, {usualOnly: true});
    expect(found.solved).toBe(true);
    expect(found.evidence.join()).toContain('begins as expected');
    if (label !== '') expect(labelsOf(found)).toContain(label);
  });

  it('opens one ciphertext whose own plaintext is given', async () => {
    const hex = encrypt(SECRET, {ksn: KSN}).toString('hex');
    const given = {ciphertexts: [{hex, expected: SECRET.toString('hex').slice(0, 20)}], ksn: KSN};
    expect((await diagnoseJson(given, {usualOnly: true})).solved).toBe(true);
  });

  it('proves a mistyped key, whose first block looks like no card data', async () => {
    const bdk = draw.key();
    const hex = `${bdk.slice(0, 9)}${bdk[9] === '4' ? 'A' : '4'}${bdk.slice(10)}`;
    const given = caseOf(SECRET, SECRET.toString('hex').slice(0, 20), {bdk});
    const found = await diagnoseJson({...given, keys: [{kind: 'bdk', hex}]});
    expect(labelsOf(found)).toContain('key-mistyped');
  });

  it.each(['tdes', 'aes'] as const)('gives the IV that nobody gave (%s)', async (algorithm) => {
    const iv = draw.hex(algorithm === 'aes' ? 16 : 8);
    const given = caseOf(SECRET, SECRET.toString('hex'), {iv, algorithm});
    const found = await diagnoseJson(given, {usualOnly: true});
    expect(found.solution?.iv).toBe(iv);
    expect(found.verdicts.find(({label}) => label === 'iv-missing')?.detail).toContain(iv);
    expect(found.plaintexts[0]?.hex.startsWith(SECRET.toString('hex'))).toBe(true);
  });

  it('says that something else opened than was expected', async () => {
    const found = await diagnoseJson(caseOf(TRACK, ';4999888877776666'), {usualOnly: true});
    expect(found.solved).toBe(true);
    expect(labelsOf(found)).toContain('expected-differs');
  });

  it.each([1, 2, 3, 4])('proves nothing by its first %s bytes alone', async (count) => {
    const given = caseOf(SECRET, SECRET.toString('hex').slice(0, 2 * count));
    expect((await diagnoseJson(given, {usualOnly: true})).solved).toBe(false);
  });

  it.each<[string, Partial<Encryption>, number]>([
    ['CBC', {}, 8],
    ['CBC', {}, 6],
    ['ECB', {mode: 'ecb'}, 8],
    ['CBC of AES', {algorithm: 'aes'}, 16],
    ['ECB of AES', {algorithm: 'aes', mode: 'ecb'}, 12],
  ])('of the first block alone does not tell the mode: %s', async (_, more, count) => {
    const size = more.algorithm === 'aes' ? 16 : 8;
    // Without any padding, which would prove the mode.
    const plain = SECRET.subarray(0, 32);
    const given = caseOf(plain, SECRET.toString('hex').slice(0, 2 * count), more);
    const found = await diagnoseJson(given, {usualOnly: true});
    expect(found.solution?.mode).toBe(null);
    expect(labelsOf(found)).toEqual(expect.arrayContaining(['mode-unproven', 'part-missing']));
    expect(labelsOf(found)).not.toContain('mode-ecb');
    expect(found.plaintexts[0]?.hex).toBe(SECRET.toString('hex').slice(0, 2 * size));
  });

  it.each(['cbc', 'ecb'] as const)(
    'of the first block finds %s by the text behind',
    async (mode) => {
      const found = await diagnoseJson(caseOf(TEXT, TEXT.slice(0, 8), {mode}), {usualOnly: true});
      expect(found.solution?.mode).toBe(mode);
      expect(found.plaintexts[0]?.text).toContain(TEXT);
    },
  );

  it('opens nothing under another key', async () => {
    const given = caseOf(SECRET, SECRET.toString('hex'), {bdk: draw.key()});
    expect((await diagnoseJson(given, {usualOnly: true})).solved).toBe(false);
  });
});

const FOUR_BYTES = 'DEADBEEF'.repeat(6);

/** Under ECB four bytes that repeat make equal blocks, whose 32 bits prove nothing. */
function waysOf(name: string): [string, Partial<Encryption>][] {
  const ways: [string, Partial<Encryption>][] = [
    ['', {}],
    [', AES', {algorithm: 'aes'}],
  ];
  return name === 'four bytes' ? ways : [...ways, [', ECB', {mode: 'ecb'}]];
}

describe('test data that repeats or counts', () => {
  const patterns: readonly (readonly [string, string])[] = [
    ['one byte', '11'.repeat(16)],
    ['a byte that is no text', 'A5'.repeat(24)],
    ['FF', 'FF'.repeat(16)],
    ['two bytes', 'CAFE'.repeat(12)],
    ['four bytes', FOUR_BYTES],
    ['bytes that count', Buffer.from(Array.from({length: 32}, (_, i) => i)).toString('hex')],
    ['bytes that count down', 'FFFEFDFCFBFAF9F8F7F6F5F4F3F2F1F0'],
    ['digits that count', '0123456789ABCDEF'.repeat(2)],
    ['digits that count down', 'FEDCBA9876543210'.repeat(2)],
    ['decimal digits that count', '1234567890'.repeat(4).slice(0, 32)],
    ['doubled digits', '00112233445566778899AABBCCDDEEFF'],
    ['letters', Buffer.from('ABCDEFGHIJKLMNOP').toString('hex')],
    ['a pattern with its padding', `${'77'.repeat(20)}04040404`],
  ];

  it.each(
    patterns.flatMap(([name, hex]) =>
      waysOf(name).map(([way, options]) => [`${name}${way}`, hex, options] as const),
    ),
  )('opens: %s', async (_, hex, options) => {
    const {ciphertexts, ksn} = caseOf(Buffer.from(hex, 'hex'), '', options);
    const found = await diagnoseJson({ciphertexts, ksn}, {usualOnly: true});
    const shown = found.plaintexts[0]?.hex.toUpperCase().slice(0, hex.length);
    expect(shown).toBe(hex.toUpperCase());
    expect(labelsOf(found)).toContain('test-key');
  });

  it.each([3, 5, 6, 7, 9, 10, 11, 12, 13, 16, 20, 24])('opens: every %i bytes', async (period) => {
    const unit = draw.bytes(period);
    for (const [way, options] of waysOf('')) {
      const plain = Buffer.concat(Array(16).fill(unit)).subarray(0, 48);
      // Under ECB equal blocks follow from each other: whole blocks that repeat prove nothing.
      const isEqual = way.includes('ECB') && period % 8 === 0;
      const {ciphertexts, ksn} = caseOf(plain, '', options);
      const found = await diagnoseJson({ciphertexts, ksn}, {usualOnly: true});
      const hex = found.plaintexts[0]?.hex.slice(0, 96);
      expect({way, hex}).toEqual({way, hex: isEqual ? undefined : plain.toString('hex')});
    }
  });

  it.each([16, 20, 24])('opens %i bytes of "Hello World "', async (length) => {
    const text = 'Hello World Hello World '.slice(0, length);
    const {ciphertexts, ksn} = caseOf(text, '');
    const found = await diagnoseJson({ciphertexts, ksn}, {usualOnly: true});
    expect(found.plaintexts[0]?.text).toBe(text);
  });

  it.each(['11', 'A5', '0123456789ABCDEF'])(
    'was not decrypted below 16 bytes: %s',
    async (unit) => {
      const hex = unit.repeat(8).slice(0, 16);
      const {ciphertexts, ksn} = caseOf(Buffer.from(hex, 'hex'), '');
      expect((await diagnoseJson({ciphertexts, ksn}, {usualOnly: true})).solved).toBe(false);
    },
  );

  it('was not decrypted where all blocks are equal and prove too little', async () => {
    const {ciphertexts, ksn} = caseOf(Buffer.from(FOUR_BYTES, 'hex'), '', {mode: 'ecb'});
    expect((await diagnoseJson({ciphertexts, ksn}, {usualOnly: true})).solved).toBe(false);
  });

  it('never hides a card behind a number of equal digits', async () => {
    const track = ';1111111111111117=29122010000000000?';
    const {ciphertexts, ksn} = caseOf(track, '');
    const found = await diagnoseJson({ciphertexts, ksn}, {usualOnly: true});
    expect(found.plaintexts[0]?.contents[0]?.track2?.text).toBe(track);
  });

  it('opens none of many ciphertexts that repeat their own blocks', async () => {
    const tried = 60;
    const solved: unknown[] = [];
    for (let i = 0; i < tried; i++) {
      const units = [draw.hex(8), draw.hex(8)];
      const hex = Array.from({length: 4 + draw.below(6)}, () => draw.of(units)).join('');
      const given = {ciphertexts: [{hex}], ksn: draw.ksn(), keys: []};
      const found = await diagnoseJson(given, {usualOnly: true});
      if (found.solved) solved.push(given);
    }
    expect(solved).toEqual([]);
  });
});
