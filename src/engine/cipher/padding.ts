/**
 * The padding that terminals put after a plaintext to reach whole cipher blocks (`zero`: ID TECH,
 * Miura, BBPOS tracks; `iso7816`: ISO/IEC 7816-4, VIPA; `pkcs7`: RFC 5652, BBPOS TLV; `x923`: ANSI
 * X9.23, a VIPA option; `ff`: seen in a tester-built BBPOS message).
 */
export type Fill = 'zero' | 'iso7816' | 'pkcs7' | 'x923' | 'ff';

export const ALL_FILLS: readonly Fill[] = ['zero', 'iso7816', 'pkcs7', 'x923', 'ff'];

/** The longest padding that contains its own length: one AES block. */
const MAX_COUNTED = 16;
/** A block of `iso7816` alone may follow zeros that fill the block before it. */
const BLOCKS: readonly number[] = [8, 16];

/** Pads `plain` to whole blocks; `zero` and `ff` add nothing if it already is. */
export function addFill(plain: Uint8Array, fill: Fill, block: number): Uint8Array {
  const missing = block - (plain.length % block);
  const count = missing === block && (fill === 'zero' || fill === 'ff') ? 0 : missing;
  const filled = new Uint8Array(plain.length + count);
  filled.set(plain);
  const tail = filled.subarray(plain.length);
  if (fill === 'ff') tail.fill(0xff);
  if (fill === 'pkcs7') tail.fill(count);
  if (fill === 'iso7816') tail[0] = 0x80;
  if (fill === 'x923') tail[count - 1] = count;
  return filled;
}

/**
 * True if `bytes` from `from` to the end is empty, or exactly one of the allowed kinds of padding.
 */
export function isFill(
  bytes: Uint8Array,
  from: number,
  fills: readonly Fill[] = ALL_FILLS,
): boolean {
  if (from >= bytes.length) return from === bytes.length;
  const first = bytes[from] ?? 0;
  if (first > MAX_COUNTED && first !== 0x80 && first !== 0xff) return false;
  for (const fill of fills) if (TESTS[fill](bytes, from)) return true;
  return false;
}

/** The kinds of padding that mark their beginning or their length. */
const SELF_DESCRIBING: readonly Fill[] = ['pkcs7', 'x923', 'iso7816'];

/** Start of padding of these kinds; the end of the data if there is none. */
export function countedFillStart(
  bytes: Uint8Array,
  fills: readonly Fill[] = SELF_DESCRIBING,
): number {
  const count = last(bytes);
  const counted = bytes.length - count;
  const isCount = count > 0 && counted >= 0;
  if (isCount && isFill(bytes, counted, fills.filter(isCountedFill))) return counted;
  const mark = fills.includes('iso7816') ? bytes.lastIndexOf(0x80) : -1;
  return mark >= 0 && isFill(bytes, mark, ['iso7816']) ? mark : bytes.length;
}

/** True if each of these kinds of padding has at least one byte. */
export function alwaysAdds(fills: readonly Fill[]): boolean {
  return fills.length > 0 && fills.every((fill) => SELF_DESCRIBING.includes(fill));
}

function isCountedFill(fill: Fill): boolean {
  return fill === 'pkcs7' || fill === 'x923';
}

const TESTS: Readonly<Record<Fill, (bytes: Uint8Array, from: number) => boolean>> = {
  zero: (bytes, from) => isRun(bytes, from, bytes.length, 0x00),
  ff: (bytes, from) => isRun(bytes, from, bytes.length, 0xff),
  iso7816: (bytes, from) => {
    // Before a block of its own are fewer bytes than in it: a mark far behind is not looked for.
    const near = bytes.subarray(0, from + MAX_COUNTED);
    const mark = near.indexOf(0x80, from);
    const left = bytes.length - mark;
    if (mark !== from && !(mark > from && BLOCKS.includes(left) && mark - from < left))
      return false;
    return isRun(bytes, from, mark, 0x00) && isRun(bytes, mark + 1, bytes.length, 0x00);
  },
  pkcs7: (bytes, from) => isCounted(bytes, from) && isRun(bytes, from, bytes.length, last(bytes)),
  x923: (bytes, from) => isCounted(bytes, from) && isRun(bytes, from, bytes.length - 1, 0x00),
};

function isRun(bytes: Uint8Array, from: number, to: number, value: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] !== value) return false;
  return true;
}

/** The last byte is the length of the padding. */
function isCounted(bytes: Uint8Array, from: number): boolean {
  return last(bytes) === bytes.length - from && bytes.length - from <= MAX_COUNTED;
}

function last(bytes: Uint8Array): number {
  return bytes[bytes.length - 1] ?? 0;
}
