import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {provenBytes} from '../../../src/diagnosis/plaintext/chain.js';
import {readChain} from '../../../src/diagnosis/plaintext/read-chain.js';
import {readRun} from '../../../src/diagnosis/plaintext/read-run.js';
import {REQUIRED_BITS} from '../../../src/engine/card/evidence.js';
import {lrcOf, tlv} from '../../engine/terminal.js';
import {Draw, packNibbles, packSixBit} from '../draw.js';
import {chainOf, chainsOf, withCiphertext, ZERO} from './chain-of.js';

const draw = new Draw('read chain');
const ROUNDS = Array.from({length: 8}, (_, i) => i);

const textOf = (reading: ReturnType<typeof readChain>) =>
  reading?.openings.map(({text}) => text.trimEnd());

describe('a chain', () => {
  it.each([
    ['cbc', 'tdes'],
    ['ecb', 'tdes'],
    ['cbc', 'aes'],
    ['ecb', 'aes'],
  ] as const)('is read in %s of %s', (mode, algorithm) => {
    for (const _ of ROUNDS) {
      const track = draw.track1();
      const reading = readChain(chainOf(draw, track, {mode, algorithm}));
      expect(textOf(reading)).toEqual([track]);
      expect(reading).toMatchObject({mode, iv: {source: 'zero'}});
      expect([reading?.restarts, reading?.damage]).toEqual([undefined, undefined]);
    }
  });

  it('is read under the IV that fits', () => {
    for (const _ of ROUNDS) {
      const [iv, other, track] = [draw.bytes(8), draw.bytes(8), draw.track2()];
      const ivs = [ZERO, ...[other, iv].map((bytes) => ({bytes, source: 'given'}) as const)];
      const reading = readChain(chainOf(draw, track, {iv, ivs}));
      expect(textOf(reading)).toEqual([track]);
      expect(reading?.iv?.bytes).toBe(iv);
    }
  });

  it('is read with its first block as IV', () => {
    for (const _ of ROUNDS) {
      const [iv, tags] = [draw.bytes(8), draw.tags()];
      const {ciphertext, blocks, ...rest} = chainOf(draw, tags, {iv});
      const before = {
        ciphertext: Uint8Array.from([...iv, ...ciphertext]),
        blocks: Uint8Array.from([...draw.bytes(8), ...blocks]),
      };
      const reading = readChain({...rest, ...before});
      expect(reading).toMatchObject({mode: 'cbc', iv: {source: 'prepended'}});
      expect(Buffer.from(reading?.iv?.bytes ?? [])).toEqual(iv);
      expect(Buffer.from(reading?.plain ?? []).subarray(0, tags.length)).toEqual(tags);
    }
  });

  it('loses its first block when the IV is not known', () => {
    for (const _ of ROUNDS) {
      const track = `${draw.track1()}    `;
      const reading = readChain(chainOf(draw, track, {iv: draw.bytes(8)}));
      expect(textOf(reading)).toEqual([track.slice(8).trimEnd()]);
      expect(reading?.iv).toBeUndefined();
      expect(reading?.openings[0]?.packing).toBe('ascii');
      expect(reading?.damage).toEqual([{from: 0, to: 8}]);
      expect(provenBytes(reading ?? expect.fail())).toBeLessThanOrEqual(
        Math.ceil(track.length / 8) * 8 - 8,
      );
    }
  });

  it('loses the end of a list whose first tags are lost, none after', () => {
    for (const _ of ROUNDS) {
      const reading = readChain(chainOf(draw, draw.tags(), {iv: draw.bytes(8)}));
      expect(reading?.iv).toBeUndefined();
      expect(reading?.openings).toMatchObject([{packing: 'tlv'}]);
    }
  });

  it.each([2, 4, 5])('is read around a damaged block %i', (block) => {
    for (const _ of ROUNDS) {
      const track = draw.track1().padEnd(72);
      const reading = readChain(
        withCiphertext(draw, track, (bytes) => {
          bytes[8 * block] = (bytes[8 * block] ?? 0) ^ 0x80;
          return bytes;
        }),
      );
      const [{from = 0, to = 0} = {}] = reading?.damage ?? [];
      // One block is random, the next has one changed bit: it may still be text.
      expect([from, to]).toSatisfy(([a, b]) => a === 8 * block && b - a >= 8 && b - a <= 16);
      const {text = ''} = reading?.openings[0] ?? {};
      expect(text.slice(0, from)).toBe(track.slice(0, from));
      expect(text.slice(to)).toBe(track.slice(to));
    }
  });

  it('is read as text with chains that begin anew', () => {
    for (const _ of ROUNDS) {
      const tracks = [draw.track1(), draw.track2()];
      const reading = readChain(chainsOf(draw, tracks));
      expect(textOf(reading)).toEqual(tracks);
      expect(reading?.restarts).toEqual([Math.ceil((tracks[0]?.length ?? 0) / 8) * 8]);
    }
  });

  it('is read as lists with chains that begin anew', () => {
    for (const _ of ROUNDS) {
      const lists = [draw.tags(), draw.tags(), draw.tags()];
      const reading = readChain(chainsOf(draw, lists));
      expect(reading?.openings.map(({packing}) => packing)).toEqual(['tlv', 'tlv', 'tlv']);
      expect(reading?.restarts).toHaveLength(2);
    }
  });

  it('is what the reader of its format says it is', () => {
    const track = draw.track2();
    const chain = chainOf(draw, track);
    const content = {track2: {text: track, bytes: Buffer.from(track)}};
    const accepted = readChain({...chain, open: () => content} as never);
    expect(accepted).toMatchObject({accepted: true, openings: [{packing: 'ascii', content}]});
    const open = () => {
      throw new PaylensError(2601, 'the masked copy differs');
    };
    const refused = readChain({...chain, open} as never);
    expect(refused).toMatchObject({refused: 'the masked copy differs', openings: [{text: track}]});
    expect(refused?.accepted).toBeUndefined();
  });

  it('of random bytes is not proven', () => {
    const found = Array.from({length: 150}, () => readChain(chainOf(draw, draw.bytes(64))));
    expect(found.filter((one) => one && one.bits >= 30)).toEqual([]);
  });
});

describe('parts in one chain', () => {
  const nibbles = (text: string) => packNibbles(text + lrcOf(text));

  it.each(['cbc', 'ecb'] as const)('are told apart in %s', (mode) => {
    for (const _ of ROUNDS) {
      const track = draw.track2();
      const parts = [nibbles(track), draw.tags(), Buffer.from(draw.track1())];
      const reading = readRun(chainOf(draw, Buffer.concat(parts), {mode}));
      expect(reading).toMatchObject({mode, iv: {source: 'zero'}});
      expect(reading?.openings.map(({packing}) => packing)).toEqual(['4bit', 'tlv', 'ascii']);
      expect(textOf(reading)?.[0]).toBe(track);
    }
  });

  it('are told apart when each is padded to whole blocks', () => {
    for (const _ of ROUNDS) {
      const [one, two] = [draw.track1(), draw.track2()];
      const six = packSixBit(one + lrcOf(one));
      const whole = (bytes: Buffer) =>
        Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
      const reading = readRun(chainOf(draw, Buffer.concat([whole(six), whole(nibbles(two))])));
      expect(reading?.openings.map(({packing}) => packing)).toEqual(['6bit', '4bit']);
      expect(textOf(reading)).toEqual([one, two]);
    }
  });

  it('are not one part alone', () => {
    expect(readRun(chainOf(draw, draw.track1()))).toBeUndefined();
    expect(readRun(chainOf(draw, tlv('5A', '4111111111111111')))).toBeUndefined();
  });
});

describe('fields that are filled with zeros to their lengths, under a wrong key', () => {
  it('prove nothing by what all of their zeros decipher to', () => {
    const ciphertext = Buffer.concat([draw.bytes(240), Buffer.alloc(280)]);
    const accepted = Array.from({length: 4000}, () => {
      const chain = withCiphertext(draw, '', () => ciphertext);
      return readChain(chain)?.bits ?? 0;
    }).filter((bits) => bits >= REQUIRED_BITS);
    expect(accepted).toEqual([]);
  });
});
