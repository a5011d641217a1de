import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {FrameSplitter, type WireFrame} from '../../../src/engine/framing/frame-splitter.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import {draws, IS_LONG, seedOf} from '../../long.js';
import {testRing} from '../samples.js';
import {isCheckRight, numbers, SENT_FRAMES, type SentFrame} from './wire-streams.js';

const IDLE = Buffer.of(0x06, 0x15, 0x00, 0x05, 0x04, 0x0d, 0x0a);
const cards = new Set<string>();

type Draw = (limit: number) => number;

/** The frames of a stream that is cut at random, at most `most` bytes a chunk. */
function split(stream: Uint8Array, draw: Draw, most: number): WireFrame[] {
  const splitter = new FrameSplitter();
  const frames: WireFrame[] = [];
  for (let at = 0; at < stream.length; ) {
    const end = at + 1 + draw(most);
    frames.push(...splitter.push(stream.subarray(at, end)));
    at = end;
  }
  return [...frames, ...splitter.flush()];
}

function some(draw: Draw, count: number): SentFrame[] {
  return Array.from({length: count}, () => SENT_FRAMES[draw(SENT_FRAMES.length)]!);
}

function hexOfSent({wire, form}: SentFrame): string {
  return `${form} ${(form === 'line' ? wire.subarray(0, -1) : wire).toString('hex')}`;
}

function whole(frames: readonly WireFrame[]): string[] {
  return frames
    .filter(({damage}) => !damage)
    .map(({form, bytes}) => `${form} ${Buffer.from(bytes).toString('hex')}`);
}

/** Bytes that begin no text: a line after text is another line. */
function noise(draw: Draw): Buffer {
  return Buffer.from(
    Array.from({length: draw(40)}, () => {
      const byte = draw(256);
      return byte >= 0x20 && byte < 0x7f ? byte | 0x80 : byte;
    }),
  );
}

function flipped({wire}: SentFrame, draw: Draw): Buffer {
  const damaged = Buffer.from(wire);
  const at = draw(damaged.length - 1);
  damaged[at] = damaged[at]! ^ (1 << draw(8));
  return damaged;
}

describe('frames of every form', () => {
  const between: readonly [string, (draw: Draw) => Buffer][] = [
    ['joined', () => Buffer.alloc(0)],
    ['with ACK, NAK and line ends between', (draw) => IDLE.subarray(0, draw(8))],
    ['with noise between', noise],
  ];
  it.each(between)('are the same %s, however the stream is cut', (title, gap) => {
    const draw = numbers(seedOf(title));
    let sent = 0;
    while (sent < draws(10_000)) {
      const frames = some(draw, 8);
      const stream = Buffer.concat(frames.flatMap((frame) => [gap(draw), frame.wire]));
      expect(whole(split(stream, draw, [1, 64, 4096][draw(3)]!))).toEqual(frames.map(hexOfSent));
      sent += frames.length;
    }
  });

  it('are two when sent twice', () => {
    for (const frame of SENT_FRAMES) {
      const frames = split(Buffer.concat([frame.wire, frame.wire]), numbers(3), 64);
      expect(whole(frames)).toEqual([hexOfSent(frame), hexOfSent(frame)]);
      expect(frames).toHaveLength(2);
    }
  });

  it('go on after half a frame and an idle line', () => {
    for (const frame of SENT_FRAMES) {
      const splitter = new FrameSplitter();
      const half = frame.wire.subarray(0, frame.wire.length >> 1);
      const first = [...splitter.push(half), ...splitter.flush()];
      // A line without its end is no damage: keyboards may send none.
      if (frame.form !== 'line')
        expect(first).toMatchObject([{at: 0, form: frame.form, damage: 'unfinished'}]);
      expect(whole(splitter.push(frame.wire))).toEqual([hexOfSent(frame)]);
    }
  });
});

describe('a damaged frame', () => {
  it('is reported with its place, and costs at most the frame after it', () => {
    const draw = numbers(seedOf('damaged frames'));
    for (let i = 0; i < draws(10_000); i++) {
      const frames = some(draw, 4);
      const [before, damaged, after, last] = frames as [SentFrame, SentFrame, SentFrame, SentFrame];
      const bad = flipped(damaged, draw);
      const stream = Buffer.concat([before.wire, bad, after.wire, last.wire]);
      const found = split(stream, draw, 64);
      const read = whole(found);
      expect(read[0]).toBe(hexOfSent(before));
      expect(read.at(-1)).toBe(hexOfSent(last));
      // The damage of a line cannot be seen: it has no check.
      if (damaged.form === 'line') continue;
      expect(read).not.toContain(`${damaged.form} ${bad.toString('hex')}`);
      // A byte that became ETX may end a shorter frame whose LRC matches: one in 256.
      const start = before.wire.length;
      const short = found.find(({at, damage}) => at === start && !damage);
      if (short) {
        expect(isCheckRight(short.form, short.bytes)).toBe(true);
        continue;
      }
      // A first byte that became ACK or NUL is no part of it.
      const first = bad.findIndex((byte) => !IDLE.includes(byte));
      expect(found.find(({damage}) => damage)?.at).toBe(start + first);
    }
  });

  it('has the form of its beginning', () => {
    const {wire} = SENT_FRAMES.find(({form}) => form === 'text')!;
    const bad = Buffer.from(wire);
    bad[40] = bad[40]! ^ 1;
    const frames = split(bad, numbers(1), 64);
    expect(frames).toMatchObject([{form: 'text', damage: 'wrong-check', at: 0}]);
    expect(Buffer.from(frames[0]!.bytes)).toEqual(bad);
  });
});

describe('mutated streams', () => {
  it('give no frame with a wrong check, and no card that was not sent', () => {
    const keys = testRing();
    const draw = numbers(seedOf('mutated streams'));
    const open = ({form, bytes}: WireFrame) => {
      for (const deviceType of ['idtech', 'miura', 'verifone', 'ingenico-rba', 'magtek'] as const)
        try {
          const text = Buffer.from(bytes);
          const devicePayload = form === 'line' ? text.toString('latin1') : text.toString('hex');
          return processPayload({deviceType, devicePayload}, keys).extracted.PAN;
        } catch (error) {
          if (!(error instanceof PaylensError)) throw error;
        }
      return undefined;
    };
    for (const frame of SENT_FRAMES) {
      const [read] = split(frame.wire, draw, 64);
      cards.add(open(read!)!);
    }
    const known = new Set(SENT_FRAMES.map(hexOfSent));
    for (let i = 0; i < (IS_LONG ? 1_000_000 : 3_000); i++) {
      const stream = mutated(Buffer.concat(some(draw, 2).map(({wire}) => wire)), draw);
      for (const frame of split(stream, draw, 512)) {
        if (frame.damage || known.has(whole([frame])[0]!)) continue;
        if (frame.form !== 'line') expect(isCheckRight(frame.form, frame.bytes)).toBe(true);
        const card = open(frame);
        if (card !== undefined) expect(cards).toContain(card);
      }
    }
  }, 3_600_000);
});

function mutated(stream: Buffer, draw: Draw): Buffer {
  let bytes = Buffer.from(stream);
  for (let count = 1 + draw(4); count > 0; count--) {
    const [at, kind] = [draw(bytes.length), draw(4)];
    if (kind === 0) bytes[at] = draw(256);
    else if (kind === 1) bytes[at] = bytes[at]! ^ (1 << draw(8));
    else if (kind === 2)
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + draw(20))]);
    else bytes = Buffer.concat([bytes.subarray(0, at), noise(draw), bytes.subarray(at)]);
    if (bytes.length === 0) return bytes;
  }
  return bytes;
}

describe('documented messages', () => {
  // From docs/terminals/idtech.md and NEO's interface guide: a ping, its response, a request of the serial number.
  const NAME = Buffer.from('ViVOtech2\0', 'latin1').toString('hex');
  it.each(['18010000b3cd', '18000000fa83', '1201000018a5'])('is whole: %s', (rest) => {
    const [frame] = split(Buffer.from(NAME + rest, 'hex'), numbers(1), 3);
    expect(frame).toMatchObject({form: 'vivopay', at: 0});
    expect(frame?.damage).toBeUndefined();
  });
});

describe('any stream', () => {
  it.each([0x00, 0x01, 0x02, 0x03, 0x0d, 0x41, 0x56, 0xff])(
    'of 1 MiB of %i gives at most one whole frame, and no piece above 128 KiB',
    (byte) => {
      const splitter = new FrameSplitter();
      const frames: WireFrame[] = [];
      for (let i = 0; i < 1024; i++) frames.push(...splitter.push(new Uint8Array(1024).fill(byte)));
      frames.push(...splitter.flush());
      expect(whole(frames)).toHaveLength(frames.every(({damage}) => damage) ? 0 : 1);
      for (const {bytes} of frames) expect(bytes.length).toBeLessThanOrEqual(2 * 65_536);
    },
  );
});
