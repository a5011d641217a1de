import {
  checkedFrameAt,
  type FrameMatch,
  frameAt,
  isLineByte,
  isPrintableByte,
  MAX_FRAME_BYTES,
  type WireFormName,
} from './wire-forms.js';

/** A frame of a stream, or bytes that are not one. */
export interface WireFrame {
  /** Of damaged bytes: the form that they begin like. */
  readonly form?: WireFormName;
  /** Index of the first byte in the stream. */
  readonly at: number;
  /** A copy; of a line without its end. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Absent: the frame is whole, and its check matches. */
  readonly damage?: 'wrong-check' | 'unfinished' | 'no-frame';
}

/** Held bytes that are no frame, from an index. */
interface LostBytes extends Pick<WireFrame, 'form'> {
  readonly from: number;
  readonly damage: NonNullable<WireFrame['damage']>;
}

/** Shorter remains are noise between frames. */
const MIN_DAMAGED_BYTES = 16;
/** A line among damaged bytes is at least this long. */
const MIN_LINE_BYTES = 16;
/** Bytes of a chunk that are looked at together. */
const SLICE_BYTES = 16_384;
/** How often bytes may be awaited that could complete a frame among damaged bytes. */
const MAX_WAITS = 8;
const INITIAL_BYTES = 4096;
/** Between frames: NUL, EOT, ENQ, ACK, LF, CR, NAK. */
const IDLE_BYTES: ReadonlySet<number> = new Set([0x00, 0x04, 0x05, 0x06, 0x0a, 0x0d, 0x15]);

/**
 * Cuts a stream of bytes into frames, however the stream is cut into chunks. A damaged frame is
 * returned as such, and the search goes on at the first whole frame inside it, or after it. Holds
 * at most two frames and a slice of a chunk, and takes linear time.
 */
export class FrameSplitter {
  #held = new Uint8Array(INITIAL_BYTES);
  #length = 0;
  /** Position of the first held byte in the stream. */
  #offset = 0;
  /** Where the next frame may begin. */
  #at = 0;
  /** The frame that begins there, as far as it was looked at. */
  #pending: FrameMatch | undefined;
  /** The held bytes with which it is worth looking again. */
  #need = 0;
  #waits = 0;
  /** Bytes before `#at` that are no frame. */
  #lost: LostBytes | undefined;
  #frames: WireFrame[] = [];
  readonly #minDamaged: number;

  /** Damaged frames that are shorter than `minDamaged` bytes count as noise. */
  constructor(minDamaged = MIN_DAMAGED_BYTES) {
    this.#minDamaged = minDamaged;
  }

  /** Takes the next bytes; returns the frames that end in them. */
  push(chunk: Uint8Array): WireFrame[] {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      this.#append(chunk.subarray(at, at + SLICE_BYTES));
      this.#advance(false);
    }
    return this.#taken();
  }

  /** Ends whatever has begun: the stream has ended or was idle. Returns what was held. */
  flush(): WireFrame[] {
    this.#advance(true);
    this.#endLost();
    this.#drop();
    return this.#taken();
  }

  /** Whether no frame has begun that is not whole; damaged bytes may wait for `flush`. */
  get isBetween(): boolean {
    return this.#at >= this.#length;
  }

  #taken(): WireFrame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  #append(bytes: Uint8Array): void {
    this.#drop();
    const needed = this.#length + bytes.length;
    if (needed > this.#held.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#held.length));
      larger.set(this.#held.subarray(0, this.#length));
      this.#held = larger;
    }
    this.#held.set(bytes, this.#length);
    this.#length = needed;
  }

  /** Forgets the bytes that were dealt with. */
  #drop(): void {
    const done = this.#lost?.from ?? this.#at;
    if (done === 0) return;
    this.#held.copyWithin(0, done, this.#length);
    this.#length -= done;
    this.#offset += done;
    this.#at -= done;
    this.#need -= done;
    if (this.#lost) this.#lost = {...this.#lost, from: 0};
    const pending = this.#pending;
    if (!pending) return;
    const from = pending.from === undefined ? {} : {from: pending.from - done};
    this.#pending = Object.assign({}, pending, {end: pending.end - done}, from);
  }

  #advance(isEnd: boolean): void {
    while (this.#at < this.#length) {
      const bytes = this.#held.subarray(0, this.#length);
      const isFull = this.#length - this.#at > MAX_FRAME_BYTES;
      if (this.#length < this.#need && !isEnd && !isFull) return;
      if (!this.#step(bytes, isEnd || isFull)) return;
    }
  }

  /** Deals with the frame or byte at `#at`; false: more bytes must arrive. */
  #step(bytes: Uint8Array, isLast: boolean): boolean {
    const at = this.#at;
    if (!this.#pending && IDLE_BYTES.has(bytes[at] ?? 0)) return this.#goTo(at + 1);
    const match = this.#look(bytes, isLast);
    if (!match) return this.#loseByte();
    const isLine = match.form === 'line' && match.state === 'more' && isLast;
    if (match.state === 'whole' || (isLine && match.end > this.#length))
      return this.#take(match, Math.min(match.end, this.#length));
    this.#pending = match;
    if (match.state === 'more' && !isLast) return this.#await(match.end);
    return this.#recover(bytes, match, isLast);
  }

  #look(bytes: Uint8Array, isLast: boolean): FrameMatch | undefined {
    const at = this.#at;
    if (this.#pending?.state === 'wrong') return this.#pending;
    const match = frameAt(bytes, at, this.#pending?.from ?? at);
    // Text among damaged bytes is their own, unless it is long.
    const isShort = match?.form === 'line' && match.end - at <= MIN_LINE_BYTES;
    return this.#lost && isShort && (match.state !== 'more' || isLast) ? undefined : match;
  }

  #loseByte(): true {
    this.#lost ??= {from: this.#at, damage: 'no-frame'};
    if (this.#at - this.#lost.from >= MAX_FRAME_BYTES) this.#endLost();
    return this.#goTo(this.#at + 1);
  }

  #goTo(at: number): true {
    this.#at = at;
    this.#pending = undefined;
    this.#need = 0;
    this.#waits = 0;
    return true;
  }

  #await(need: number): false {
    this.#need = need;
    return false;
  }

  #take({form}: FrameMatch, end: number): true {
    this.#endLost();
    const last = this.#held[end - 1] ?? 0;
    const isEnded = form === 'line' && !isLineByte(last);
    const bytes = this.#held.slice(this.#at, isEnded ? end - 1 : end);
    this.#frames.push({form, at: this.#offset + this.#at, bytes});
    return this.#goTo(end);
  }

  /** Goes on at the first whole frame inside a damaged one, else after it. */
  #recover(bytes: Uint8Array, match: FrameMatch, isLast: boolean): boolean {
    const end = match.state === 'wrong' ? match.end : this.#length;
    const {inside, need} = frameInside(bytes, this.#at, end);
    if (inside === undefined && need !== undefined && !isLast && this.#waits < MAX_WAITS) {
      this.#waits++;
      return this.#await(need);
    }
    const next = inside ?? Math.max(end, this.#at + 1);
    this.#lose(match, next);
    return this.#goTo(next);
  }

  #lose({form, state, end: stated}: FrameMatch, end: number): void {
    const isLong = stated - this.#at >= this.#minDamaged && form !== 'line';
    const damage = state === 'wrong' ? 'wrong-check' : 'unfinished';
    const {from = this.#at} = this.#lost ?? {};
    const isNoise = this.#at - from < MIN_DAMAGED_BYTES;
    if (isLong && !isNoise) this.#endLost();
    if (isLong) this.#lost = {from: isNoise ? from : this.#at, form, damage};
    this.#lost ??= {from, damage: 'no-frame'};
    if (end - this.#lost.from >= MAX_FRAME_BYTES) this.#endLost(end);
  }

  #endLost(end = this.#at): void {
    const lost = this.#lost;
    this.#lost = undefined;
    if (!lost || (!lost.form && end - lost.from < MIN_DAMAGED_BYTES)) return;
    const {from, ...found} = lost;
    this.#frames.push({...found, at: this.#offset + from, bytes: this.#held.slice(from, end)});
  }
}

/** The first whole frame between two places, or the number of bytes that may complete one. */
function frameInside(bytes: Uint8Array, start: number, end: number) {
  let need: number | undefined;
  let textEnd = 0;
  for (let at = start + 1; at < end; at++) {
    const line = at < textEnd ? undefined : lineAt(bytes, at);
    textEnd = line?.end ?? textEnd;
    const match = checkedFrameAt(bytes, at) ?? line;
    // Ten bytes of a name are no chance, and a frame in its data is not the next.
    const isNamed = match?.form === 'vivopay' && match.end > at + 16;
    if (match?.state === 'whole' || (isNamed && match.state === 'more')) return {inside: at};
    if (match?.state !== 'more') continue;
    // Of text it is not known how much is missing: looks again when there is twice as much.
    const isOpen = match.end === bytes.length + 1;
    const enough = isOpen ? 2 * bytes.length - at + MIN_LINE_BYTES : match.end;
    need = Math.min(need ?? enough, enough);
  }
  return {need};
}

/** A line from its first byte on; a short one is a part of the damaged bytes. */
function lineAt(bytes: Uint8Array, at: number): FrameMatch | undefined {
  if (isPrintableByte(bytes[at - 1]) || !isPrintableByte(bytes[at])) return undefined;
  const match = frameAt(bytes, at);
  if (match?.form !== 'line' || match.end - at > MIN_LINE_BYTES) return match;
  return {form: 'line', state: 'wrong', end: match.end};
}
