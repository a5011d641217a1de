import {PaylensError, type Place} from '../../contract/paylens-error.js';
import type {
  CardContent,
  CardPlace,
  DecryptedTlv,
  KeyedEntry,
  Track2Equivalent,
} from '../card/card-content.js';
import {type Fact, REQUIRED_BITS} from '../card/evidence.js';
import type {Track} from '../card/track-data.js';
import {readTlv, type TlvObject} from '../tlv/ber.js';
import type {Guard} from './guard.js';
import {
  arrayOf,
  bytes,
  Misfit,
  members,
  number,
  oneOf,
  optional,
  type Shape,
  text,
} from './shape.js';

const BYTES = bytes(0, 65_536);
const CONTENT_TEXT = text([0, 65_536]);
const SHORT_TEXT = text([0, 200]);
const PAN = text([12, 19], /^\d+$/);
const absentMember: Shape<undefined> = () => undefined;

const TRACK_SHAPE = members<Track>({bytes: BYTES, text: CONTENT_TEXT, data: absentMember});
const EQUIVALENT = members<Track2Equivalent>({bytes: BYTES, text: CONTENT_TEXT});
const KEYED = members<KeyedEntry>({
  bytes: BYTES,
  text: CONTENT_TEXT,
  pan: PAN,
  cvv: optional(SHORT_TEXT),
  hidden: optional(CONTENT_TEXT),
});
const CARD_PLACE = members<CardPlace>({
  name: text([1, 200]),
  pan: optional(PAN),
  expiry: optional(SHORT_TEXT),
  stripe: optional(oneOf(1, 2, 3)),
});
const FACT = members<Fact>({
  kind: oneOf<Fact['kind']>(
    ...(['grammar', 'lrc', 'walk', 'masked-copy', 'hash', 'agreement'] as const),
    ...(['given-pan', 'expected', 'padding', 'other'] as const),
  ),
  text: text([1, 300]),
  bits: number(0, 10_000),
  at: optional(
    members<Place>({name: text([1, 200]), offset: number(0, 1e9), length: number(0, 65_536)}),
  ),
});

/** The bytes of a TLV list; its objects are parsed again. */
const TLV: Shape<DecryptedTlv> = (value, at) => {
  const {bytes: list} = members<{bytes: Uint8Array}>({bytes: BYTES})(value, at);
  const objects = objectList(list);
  if (objects) return {bytes: list, objects};
  throw new Misfit(`${at}.bytes`, 'a BER-TLV list to its end', list.length);
};

function objectList(list: Uint8Array): readonly TlvObject[] | undefined {
  try {
    const {objects, end} = readTlv(list);
    return end === list.length ? objects : undefined;
  } catch {
    return undefined;
  }
}

/** The content of a field, decrypted or clear; a copy. */
export const CONTENT = members<CardContent>({
  track1: optional(TRACK_SHAPE),
  track2: optional(TRACK_SHAPE),
  track3: optional(TRACK_SHAPE),
  tlv: optional(arrayOf(TLV, [1, 64])),
  track2equivalent: optional(EQUIVALENT),
  keyed: optional(KEYED),
  pan: optional(PAN),
  expiry: optional(SHORT_TEXT),
  serviceCode: optional(SHORT_TEXT),
  discretionary: optional(SHORT_TEXT),
  name: optional(SHORT_TEXT),
  cvv: optional(SHORT_TEXT),
  street: optional(SHORT_TEXT),
  zip: optional(SHORT_TEXT),
  serial: optional(SHORT_TEXT),
  places: optional(arrayOf(CARD_PLACE, [1, 64])),
  facts: optional(arrayOf(FACT, [1, 64])),
  bits: absentMember,
  maker: absentMember,
});

/**
 * Opens a plaintext as a field of an own terminal does. Throws 9040 without facts that prove it, and
 * 2601 if all of them together could be chance.
 */
export function openedBy(guard: Guard, field: string, open: () => unknown): CardContent {
  const content = guard.call('open', open, CONTENT);
  if (!content.facts) throw guard.fault('open: expected facts, which prove the plaintext');
  const bits = content.facts.reduce((sum, fact) => sum + fact.bits, 0);
  if (bits >= REQUIRED_BITS) return {...content, bits};
  const detail = `${field}: ${Math.floor(bits)} of ${REQUIRED_BITS} bits of evidence that it is card data`;
  throw new PaylensError(2601, detail);
}
