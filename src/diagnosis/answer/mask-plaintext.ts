import type {CardContent} from '../../engine/card/card-content.js';
import {
  maskKeyed,
  maskPan,
  maskTrack1,
  maskTrack2,
  maskTrack2Equivalent,
  maskTrack3,
} from '../../engine/card/mask.js';
import {WISEPAD} from '../../engine/families/wisepad/layout.js';
import {maskCardValue} from '../../engine/inspection/mask-card-value.js';
import {maskValue} from '../../engine/inspection/mask-part.js';
import {flatten} from '../../engine/tlv/ber.js';
import {holdsCardData, tagSensitivity} from '../../engine/tlv/tags.js';
import {upperHexOf} from '../../platform/bytes.js';
import type {Plaintext} from '../report.js';

/** A plaintext as it may be shown unasked: card data and PIN digits hidden, in hex all of it. */
export function maskPlaintext(plaintext: Plaintext): {readonly hex: string; readonly text: string} {
  const {hex, text, contents, isPin} = plaintext;
  const stars = '*'.repeat(hex.length);
  if (isPin || contents.length === 0) return {hex: stars, text: '*'.repeat(text.length)};
  return {hex: stars, text: contents.flatMap(maskContent).join(' ')};
}

function maskContent(content: CardContent): string[] {
  const {track1, track2, track3, track2equivalent, keyed, tlv, pan} = content;
  const shown = [
    track1 && maskTrack1(track1.text),
    track2 && maskTrack2(track2.text),
    track3 && maskTrack3(track3.text),
    keyed && maskKeyed(keyed),
    ...(tlv ?? []).map(({objects}) =>
      flatten(objects)
        .filter(({children}) => children === undefined)
        .map(({tag, value}) => `${tag}=${maskObject(tag, value)}`)
        .join(' '),
    ),
    tlv ? undefined : track2equivalent && maskTrack2Equivalent(track2equivalent.text),
    tlv || pan === undefined ? undefined : maskPan(pan),
  ];
  return shown.filter((text) => text !== undefined);
}

/** The hex of a value inside a decrypted TLV list, as it may be shown unasked. */
export function maskObject(tag: string, value: Uint8Array): string {
  const hex = upperHexOf(value);
  if (holdsCardData(tag)) return maskCardValue(hex);
  if (!HARMLESS.test(tag)) return '*'.repeat(hex.length);
  return maskValue(hex, tagSensitivity(tag, value, WISEPAD.notes.kinds));
}

/** Tags known to contain no card data; any other tag could. */
const HARMLESS =
  /^(?:4F|50|82|84|95|9A|9B|9C|5F2[04-9A-F]|5F34|9F(?!1F|20|6B|6C|6D).*|DF826E|DF834F)$/;
