import {describe, expect, it} from 'vitest';
import {readGapped} from '../../../src/diagnosis/plaintext/read-gapped.js';
import type {Place} from '../../../src/input/notations/notation.js';
import {lrcOf, tlv} from '../../engine/terminal.js';
import {Draw, packNibbles, packSixBit} from '../draw.js';
import {chainOf, ZERO} from './chain-of.js';

const draw = new Draw('read gapped');
const ROUNDS = Array.from({length: 6}, (_, i) => i);
const GAP: Place = {from: 19, to: 21};

/** The chain with zeros where bytes are missing, read with its gaps. */
function readWithout(
  plain: string | Uint8Array,
  gaps: readonly Place[],
  mode: 'cbc' | 'ecb' = 'cbc',
) {
  const chain = chainOf(draw, plain, {mode});
  // Nothing of the blocks that the gaps touch is known.
  const blocks = chain.blocks.slice();
  const ciphertext = chain.ciphertext.slice();
  for (const {from, to} of gaps) {
    ciphertext.fill(0, from, to);
    const [first, last] = [Math.floor(from / 8) * 8, Math.ceil(to / 8) * 8];
    blocks.set(draw.bytes(last - first), first);
  }
  return readGapped({...chain, ciphertext, blocks}, gaps);
}

describe('a plaintext with a gap', () => {
  it('loses the block of the gap and the next one in CBC', () => {
    for (const _ of ROUNDS) {
      const track = draw.track1().padEnd(72);
      const reading = readWithout(track, [GAP]);
      expect(reading).toMatchObject({mode: 'cbc', damage: [{from: 16, to: 32}]});
      expect(reading?.openings[0]?.text).toBe(`${track.slice(0, 16)}...${track.slice(32)}`);
    }
  });

  it('loses the block of the gap alone in ECB', () => {
    for (const _ of ROUNDS) {
      const track = draw.track1().padEnd(72);
      const reading = readWithout(track, [GAP], 'ecb');
      expect(reading).toMatchObject({mode: 'ecb', damage: [{from: 16, to: 24}]});
      expect(reading?.openings[0]?.text).toBe(`${track.slice(0, 16)}...${track.slice(24)}`);
    }
  });

  it.each<[string, Place[], {from: number; to: number}[]]>([
    [
      'gaps that touch',
      [
        {from: 19, to: 21},
        {from: 33, to: 34},
      ],
      [{from: 16, to: 48}],
    ],
    [
      'gaps apart',
      [
        {from: 8, to: 9},
        {from: 55, to: 56},
      ],
      [
        {from: 8, to: 24},
        {from: 48, to: 64},
      ],
    ],
    ['a gap at the start', [{from: 0, to: 3}], [{from: 0, to: 16}]],
    ['a gap at the end', [{from: 71, to: 72}], [{from: 64, to: 72}]],
    ['a gap of whole blocks', [{from: 16, to: 32}], [{from: 16, to: 40}]],
  ])('knows what is lost of %s', (_, gaps, damage) => {
    const track = draw.track1().padEnd(72);
    const reading = readWithout(track, gaps);
    expect(reading?.damage).toEqual(damage);
    const starts = [0, ...damage.map(({to}) => to)];
    const kept = starts.map((start, i) => track.slice(start, damage[i]?.from));
    expect(reading?.openings[0]?.text).toBe(kept.join('...'));
  });

  it('is read as packed digits', () => {
    for (const _ of ROUNDS) {
      const pan = draw.pan(19);
      const track = `;${pan}=${draw.expiry()}201${draw.digits(8)}?`;
      const packed = packNibbles(track + lrcOf(track));
      const reading = readWithout(packed, [{from: 8, to: 9}], 'ecb');
      expect(reading?.openings[0]).toMatchObject({packing: '4bit'});
      expect(reading?.openings[0]?.text).toBe(`${track.slice(0, 16)}...${track.slice(32, -1)}`);
    }
  });

  it('is read as six-bit characters at any alignment behind the gap', () => {
    for (const _ of ROUNDS) {
      const track = draw.track1();
      const reading = readWithout(packSixBit(track + lrcOf(track)), [{from: 20, to: 22}]);
      const {packing, text = ''} = reading?.openings[0] ?? {};
      expect(packing).toBe('6bit');
      const [head = '', tail = ''] = text.split('...');
      // 16 bytes hold 21 characters; behind 32 bytes the first whole one is character 43.
      expect(head).toBe(track.slice(0, 21));
      expect(tail.startsWith(track.slice(43))).toBe(true);
    }
  });

  it.each([
    ['ecb', {from: 16, to: 17}, 24],
    ['cbc', {from: 24, to: 25}, 40],
    ['cbc', {from: 16, to: 17}, 32],
  ] as const)('is read as six-bit characters in %s behind %o', (mode, gap, end) => {
    const track = '%B4111111111111111^MUSTERMANN/ERIKA ANNA^2712201123456789012?';
    const reading = readWithout(packSixBit(track + lrcOf(track)), [gap], mode);
    const [head = '', tail = ''] = reading?.openings[0]?.text.split('...') ?? [];
    expect(track.startsWith(head)).toBe(true);
    expect(tail.startsWith(track.slice(Math.ceil((end * 8) / 6)))).toBe(true);
    expect(tail.length).toBeGreaterThan(3);
  });

  it('says how much of it is left', () => {
    const reading = readWithout(draw.track1().padEnd(72), [GAP]);
    const [first, last] = [reading?.openings[0]?.facts[0], reading?.openings[0]?.facts.at(-1)];
    expect(first?.kind).toBe('grammar');
    expect(last).toEqual({kind: 'other', text: '56 of 72 bytes are left', bits: 0});
  });

  it('is worth more with zeros at its end, and with long numbers', () => {
    const bits = (text: string) => readWithout(text, [{from: 0, to: 1}])?.bits ?? 0;
    const letters = 'X'.repeat(16) + 'ABCDEF^GHIJ KLMN?'.padEnd(40, 'Q');
    const numbers = 'X'.repeat(16) + '1234567890^234567'.padEnd(40, '1');
    expect(bits(`${letters}\0\0\0\0\0\0\0\0`)).toBeGreaterThan(bits(letters) + 40);
    expect(bits(numbers)).toBeGreaterThan(bits(letters) + 50);
    // Six digits in a row count as digits, five as any characters.
    const six = 'X'.repeat(16) + 'AB123456^CDEFGHIJKLMN?'.padEnd(40, 'Q');
    const five = 'X'.repeat(16) + 'AB12345X^CDEFGHIJKLMN?'.padEnd(40, 'Q');
    expect(bits(six)).toBeGreaterThan(bits(five) + 6);
  });

  it('of which only the end of a list is left proves no more than that end', () => {
    const tags = Buffer.concat([
      tlv('9F26', draw.hex(8)),
      tlv('5A', '4111111111111111'),
      tlv('5F24', '271231'),
      tlv('9F1A', '0276'),
      tlv('9A', '261122'),
    ]);
    const whole = Buffer.concat([draw.bytes(16), tags]);
    const reading = readWithout(whole, [{from: 0, to: 16}], 'ecb');
    const {bits = 0, facts = []} = reading?.openings[0] ?? {};
    const sum = facts.reduce((all, fact) => all + fact.bits, 0);
    // Less the choice of the first tag, and of two pieces.
    expect(bits).toBeCloseTo(sum - 6 - 2 * 2, 6);
  });

  it('is read as a list before and behind the gap', () => {
    for (const _ of ROUNDS) {
      const pan = draw.pan();
      const tags = [
        tlv('5A', pan),
        tlv('5F24', '271231'),
        tlv('9F02', '000000001234'),
        tlv('9F26', draw.hex(8)),
        tlv('9F1A', '0276'),
        tlv('95', '0000008000'),
        tlv('9A', '261122'),
        tlv('9C', '00'),
        tlv('5F2A', '0978'),
      ];
      const reading = readWithout(Buffer.concat(tags), [{from: 26, to: 27}], 'ecb');
      const {packing, text = '', unread = 0} = reading?.openings[0] ?? {};
      expect(packing).toBe('tlv');
      // Before byte 24 there are 5A and 5F24 whole, behind byte 32 the tags from 9F1A.
      expect(text.startsWith(`5A08${pan}5F2403271231...`)).toBe(true);
      expect(text).toContain('950500000080009A03261122');
      expect(unread).toBeGreaterThan(0);
      expect(unread).toBeLessThan(24);
    }
  });

  it('is nothing when all of it is lost', () => {
    expect(readWithout(draw.track1().padEnd(72), [{from: 0, to: 72}])).toBeUndefined();
  });

  it('of random bytes is hardly evidence', () => {
    const found = Array.from({length: 300}, () => readWithout(draw.bytes(72), [GAP]));
    expect(found.filter((one) => one && one.bits >= 24)).toEqual([]);
  });

  it('tries three IVs', () => {
    const track = draw.track1().padEnd(72);
    const ivs = [ZERO, ...[1, 2, 3].map(() => ({bytes: draw.bytes(8), source: 'given'}) as const)];
    const readUnder = (i: number) => {
      const chain = chainOf(draw, track, {iv: Buffer.from(ivs[i]?.bytes ?? []), ivs});
      return readGapped(chain, [{from: 40, to: 41}]);
    };
    expect(readUnder(2)?.openings[0]?.text.startsWith(track.slice(0, 40))).toBe(true);
    expect(readUnder(3)?.openings[0]?.text.startsWith(track.slice(0, 8)) ?? false).toBe(false);
  });
});
