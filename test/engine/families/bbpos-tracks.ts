import {bytesOf, lrcOf} from '../terminal.js';

/** A test card on a magnetic stripe (Visa test number of PayPal's list). */
export const PAN = '4012888888881881';
export const T1 = '%B4012888888881881^TEST/CARD^28012011234567000000?';
export const T2 = ';4012888888881881=28012011234567?';
export const T3 = ';014012888888881881==100?';

export const KSN = 'FFFF9876543210E00001';

/** Text and its LRC, padded with zeros to `length` bytes, as in format 60. */
export function asciiTrack(text: string, length: number): Buffer {
  return zeroFilled(bytesOf(text + lrcOf(text)), length);
}

/** One nibble per character: `;` B, `=` D, `?` F (docs/terminals/common.md#packed-tracks). */
export function nibbleTrack(text: string, length: number): Buffer {
  const nibbles = [...text].map((c) => (c.charCodeAt(0) - 0x30).toString(16)).join('');
  return zeroFilled(
    Buffer.from(nibbles.padEnd(nibbles.length + (nibbles.length % 2), '0'), 'hex'),
    length,
  );
}

/** Six bits per character, from 20 on, most significant first (format 54, track 1). */
export function sixBitTrack(text: string, length: number): Buffer {
  const bits = [...text].map((c) => (c.charCodeAt(0) - 0x20).toString(2).padStart(6, '0')).join('');
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return zeroFilled(
    Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))),
    length,
  );
}

function zeroFilled(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
}
