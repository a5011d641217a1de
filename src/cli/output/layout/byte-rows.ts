import type {Layout} from './layout.js';

/** A value at an offset of a payload: hex of which digits may be masked, or text. */
interface Bytes {
  readonly value: string;
  readonly offset: number;
  /** In the unit of the offset: bytes, or characters. */
  readonly length: number;
}

const MAX_ROW_BYTES = 16;
/** Text that a column of a table holds. */
const MAX_SHORT_TEXT = 20;
/** Digits of an offset, as the head of its column is wide. */
const OFFSET_WIDTH = 6;

/**
 * A value that is longer than a column in rows of 16 bytes, of 8 below 72 columns and of 4 below 44,
 * each after its offset; text in rows of the same width. The offset is within the value, with a
 * plus, where the value is not all of its part. Undefined for a short value, and for wide characters.
 */
export function byteRows({value, offset, length}: Bytes): Layout | undefined {
  const isHex = value.length % 2 === 0 && /^[0-9A-Fa-f*]*$/.test(value);
  const cells = value.match(isHex ? /../g : /./g) ?? [];
  if (cells.length <= (isHex ? MAX_ROW_BYTES : MAX_SHORT_TEXT)) return undefined;
  if (!/^[ -~]*$/.test(value)) return undefined;
  const isWhole = length === value.length || length === cells.length;
  return (width) => {
    const bytes = width < 44 ? 4 : width < 72 ? 8 : MAX_ROW_BYTES;
    const count = isHex ? bytes : 3 * bytes - 1;
    const starts = Array.from({length: Math.ceil(cells.length / count)}, (_, row) => row * count);
    const lines = starts.map((start) => {
      const place = isWhole ? offset + (start * length) / cells.length : `+${start}`;
      const row = cells.slice(start, start + count).join(isHex ? ' ' : '');
      return `${`${place}`.padStart(OFFSET_WIDTH)}  ${row}`;
    });
    return lines.join('\n');
  };
}
