import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1} from '../../../../platform/bytes.js';
import type {TrackNumber} from '../../../card/lrc.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {addFill} from '../../../cipher/padding.js';
import type {CipherSetting} from '../../../reading.js';
import type {CardImage, WriteRequest} from '../../writer.js';
import {maskedTrackOf} from '../masked-track.js';
import type {MagtekOptions} from '../writer-options.js';

/** In place of the cardholder's name. */
export const MANUAL_NAME = 'MANUAL ENTRY/';

/** A track to be sent: its text, and its masked copy. */
export interface TrackToSend {
  readonly number: TrackNumber;
  readonly text: string;
  readonly masked: string;
}

/** The tracks of a swipe, or those that a reader makes of a keyed entry. Throws 9001 if none. */
export function tracksToSend(
  {mode, card}: Pick<WriteRequest, 'mode' | 'card'>,
  {tracks, masked}: MagtekOptions,
): TrackToSend[] {
  const wanted = tracks === 'all' ? '123' : tracks;
  const texts = mode === 'keyed' ? manualTracks(card) : [card.track1, card.track2, card.track3];
  const sent = texts.flatMap((text, i) => {
    const number = (i + 1) as TrackNumber;
    if (text === undefined || !wanted.includes(String(number))) return [];
    const own = number === 3 ? text.replace(';', '+') : text;
    return [{number, text: own, masked: masked === 'on' ? maskedTrackOf(own) : ''}];
  });
  if (sent.length > 0) return sent;
  throw new PaylensError(9001, 'option tracks: the card has none of these tracks');
}

/** Service code and further digits are zeros; the CVV stands among them. */
function manualTracks({pan, expiry, cvv = ''}: CardImage): string[] {
  const head = `${expiry}000000${cvv}`;
  return [`%M${pan}^${MANUAL_NAME}^${head}000000?`, `;${pan}=${head}000?`];
}

/** The ciphertext of a track, filled with zeros. */
export function encryptTrack(
  text: string,
  {encrypt}: WriteRequest,
  setting: CipherSetting,
  ksn?: string,
): Uint8Array {
  const filled = addFill(bytesFromLatin1(text), 'zero', blockSizeOf(setting.algorithm));
  return encrypt(filled, setting, ksn === undefined ? {} : {ksn});
}
