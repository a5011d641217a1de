import {describe, expect, it} from 'vitest';
import {openTlvTail} from '../../../src/diagnosis/plaintext/read-damaged.js';
import {readRestarted} from '../../../src/diagnosis/plaintext/read-restarted.js';
import {readBeginning} from '../../../src/diagnosis/plaintext/read-run.js';
import {lrcOf, tlv} from '../../engine/terminal.js';
import {Draw, packNibbles, packSixBit} from '../draw.js';
import {chainOf, chainsOf, padded} from './chain-of.js';

const draw = new Draw('read tails');
const ROUNDS = Array.from({length: 10}, (_, i) => i);

describe('a list whose beginning is lost', () => {
  const REST = Buffer.concat([tlv('5A', '4111111111111111'), tlv('5F24', '271231')]);
  it.each(['57', '5A', '5F20', '9F26', 'DF8115', '4F', '50', '82', '84', '95', '9A', '9C'])(
    'is read from tag %s on',
    (tag) => {
      const values: Record<string, string> = {
        '57': '4111111111111111D27122011234567F',
        '5A': '4111111111111111',
        '5F20': '444F452F4A414E45',
        '82': '1C00',
        '95': '0000008000',
        '9A': '261122',
        '9C': '00',
      };
      const first = tlv(tag, values[tag] ?? 'A0000000031010');
      const tail = Buffer.concat([Buffer.from('C3C7CB', 'hex'), first, REST]);
      const found = openTlvTail(tail);
      expect(found).toMatchObject({packing: 'tlv', unread: 3});
      expect(found?.content?.pan).toBe('4111111111111111');
    },
  );
});

describe('a ciphertext with other bytes behind it', () => {
  const parts: readonly [string, () => Buffer][] = [
    ['track 1', () => Buffer.from(draw.track1())],
    ['track 2', () => Buffer.from(draw.track2())],
    ['a packed track 2', () => nibbles(draw.track2())],
    ['track 1 in six bits', () => sixBits(draw.track1())],
    ['a list', () => draw.tags()],
  ];
  const nibbles = (text: string) => packNibbles(text + lrcOf(text));
  const sixBits = (text: string) => packSixBit(text + lrcOf(text));

  it.each(parts)('is read to the end of %s', (_, make) => {
    for (const __ of ROUNDS) {
      const data = padded(make(), 8);
      const {ciphertext, blocks, ...rest} = chainOf(draw, data);
      const foreign = draw.bytes(48);
      const chain = {
        ...rest,
        ciphertext: Uint8Array.from([...ciphertext, ...foreign]),
        blocks: Uint8Array.from([...blocks, ...draw.bytes(48)]),
      };
      const reading = readBeginning(chain);
      expect(Buffer.from(reading?.plain ?? []).subarray(0, data.length)).toEqual(data);
      expect((reading?.plain.length ?? 99) - data.length).toBeLessThanOrEqual(0);
    }
  });
});

describe('chains that begin anew', () => {
  it.each([2, 3, 5])('are read in their order: %i', (count) => {
    const tracks = Array.from({length: count}, () => draw.track1());
    const reading = readRestarted(chainsOf(draw, tracks));
    expect(reading?.openings.map(({text}) => text.trimEnd())).toEqual(tracks);
    expect(reading?.restarts).toHaveLength(count - 1);
  });

  it('are not looked for where nothing begins', () => {
    expect(readRestarted(chainOf(draw, draw.bytes(64)))).toBeUndefined();
    expect(readRestarted(chainOf(draw, draw.track2()))?.restarts ?? []).toEqual([]);
  });
});
