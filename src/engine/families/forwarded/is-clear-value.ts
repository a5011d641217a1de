import {bytesFromBase64, bytesFromHex, latin1Of} from '../../../platform/bytes.js';
import {unlessThrown} from '../../../platform/unless-thrown.js';
import {findClearPan} from '../../card/clear-tags.js';
import {isClearTrack} from '../../card/is-clear-card.js';
import {flatten, readTlv} from '../../tlv/ber.js';

/**
 * First bytes of TLV lists with card data, in hex or base64: 56, 57, 5A, 5F, 70, 77, 9F6B, DFDB, E,
 * F.
 */
const CARD_TAG_FIRST = new Set([0x56, 0x57, 0x5a, 0x5f, 0x70, 0x77, 0x9f, 0xdf]);

/** True for a card in cleartext: a track or TLV list as text, in hex or in base64. */
export function isClearValue(value: string): boolean {
  if (isClearTrack(value)) return true;
  const compact = value.replaceAll(/\s/g, '');
  const bytes = bytesFromHex(compact) ?? bytesFromBase64(compact);
  if (!bytes) return false;
  if (isClearTrack(latin1Of(bytes.subarray(0, 40)))) return true;
  const [first = 0] = bytes;
  if (!CARD_TAG_FIRST.has(first) && first < 0xe0) return false;
  // Ciphertext parses as TLV to its end only by rare chance.
  return unlessThrown(() => findClearPan(flatten(readTlv(bytes).objects))) !== undefined;
}
