import {maskObject} from '../../diagnosis/answer/mask-plaintext.js';
import type {CardContent} from '../../engine/card/card-content.js';
import {
  maskKeyed,
  maskTrack1,
  maskTrack2,
  maskTrack2Equivalent,
  maskTrack3,
} from '../../engine/card/mask.js';
import {unpackNibbles} from '../../engine/card/packed.js';
import type {TlvObject} from '../../engine/tlv/ber.js';
import {upperHexOf} from '../../platform/bytes.js';
import type {Shown} from './shown.js';

/** What was read of a plaintext, as text. */
export interface Piece {
  readonly name: string;
  readonly text: Shown;
}

/** A decrypted ciphertext: its bytes, which of them are hidden, and what was read of them. */
export interface Plaintext {
  readonly bytes: Uint8Array;
  readonly hidden: Uint8Array;
  readonly pieces: readonly Piece[];
  readonly lists: readonly PlainList[];
}

/** A TLV list in a plaintext, and where it begins there. */
export interface PlainList {
  readonly at: number;
  readonly objects: readonly TlvObject[];
}

/** Reads a plaintext with its masks: every byte is hidden unless a mask of its content shows it. */
export function plaintextOf(bytes: Uint8Array, content: CardContent): Plaintext {
  const hidden = new Uint8Array(bytes.length).fill(1);
  const pieces = piecesOf(content);
  for (const {bytes: own, text} of pieces) showText(bytes, hidden, own, text);
  const lists = (content.tlv ?? [])
    .map(({bytes: own, objects}) => ({at: indexOfBytes(bytes, own), objects}))
    .filter(({at}) => at >= 0);
  for (const {at, objects} of lists) showObjects(bytes, hidden, at, objects);
  // Zeros at the end are padding.
  hidden.fill(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
  return {bytes, hidden, pieces: pieces.map(({name, text}) => ({name, text})), lists};
}

type OwnPiece = Piece & {readonly bytes: Uint8Array};

function piecesOf({track1, track2, track3, keyed, track2equivalent, tlv}: CardContent): OwnPiece[] {
  const track = (name: string, one: typeof track1, mask: (text: string) => string) =>
    one ? [{name, bytes: one.bytes, text: {masked: mask(one.text), clear: one.text}}] : [];
  return [
    ...track('track 1', track1, (text) => maskTrack1(text)),
    ...track('track 2', track2, (text) => maskTrack2(text)),
    ...track('track 3', track3, maskTrack3),
    ...(keyed
      ? [
          {
            name: 'keyed entry',
            bytes: keyed.bytes,
            text: {masked: maskKeyed(keyed), clear: keyed.text},
          },
        ]
      : []),
    ...(tlv ? [] : track('track 2 equivalent', track2equivalent, maskTrack2Equivalent)),
  ];
}

/** Shows what the mask of a text shows, if the plaintext holds this text or its digits. */
function showText(bytes: Uint8Array, hidden: Uint8Array, own: Uint8Array, text: Shown): void {
  const start = indexOfBytes(bytes, own);
  if (start < 0) return;
  const {masked, clear} = text;
  const packed = unpackNibbles(own).toLowerCase();
  if (packed.startsWith(clear.toLowerCase())) {
    showHex(hidden, start, masked);
    return;
  }
  // Sentinels that the terminal left out are in the text alone.
  const lead = own[0] === clear.charCodeAt(0) ? 0 : 1;
  for (let i = 0; i < own.length && i + lead < clear.length; i++) {
    const at = i + lead;
    if (own[i] !== clear.charCodeAt(at)) return;
    hidden[start + i] = masked[at] === clear[at] ? 0 : 1;
  }
}

function indexOfBytes(bytes: Uint8Array, part: Uint8Array): number {
  if (part.length === 0) return -1;
  for (let at = 0; at + part.length <= bytes.length; at++) {
    if (part.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

function showObjects(
  bytes: Uint8Array,
  hidden: Uint8Array,
  at: number,
  objects: readonly TlvObject[],
): void {
  for (const {offset, headerLength, value, children, tag} of objects) {
    const start = at + offset;
    if (start + headerLength + value.length > bytes.length) return;
    hidden.fill(0, start, start + headerLength);
    if (children) showObjects(bytes, hidden, at, children);
    else showHex(hidden, start + headerLength, maskObject(tag, value));
  }
}

function showHex(hidden: Uint8Array, start: number, masked: string): void {
  for (let i = 0; 2 * i < masked.length; i++) {
    hidden[start + i] = masked.slice(2 * i, 2 * i + 2).includes('*') ? 1 : 0;
  }
}

/** The value of an object in both forms. */
export function objectValue({tag, value}: TlvObject): Shown {
  return {masked: maskObject(tag, value), clear: upperHexOf(value)};
}
