import {bytesFromLatin1} from '../../../../platform/bytes.js';
import type {TrackNumber} from '../../../card/lrc.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {addFill} from '../../../cipher/padding.js';
import {chosenTracks} from '../../../forms/chosen-tracks.js';
import type {CipherSetting} from '../../../reading.js';
import type {CardImage, WriteRequest} from '../../../writing.js';
import {maskedTrackOf} from '../masked-track.js';
import type {MagtekOptions} from '../writer-options.js';

/** In place of the cardholder's name. */
const MANUAL_NAME = 'MANUAL ENTRY/';

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
  const source = mode === 'keyed' ? manualTracks(card) : card;
  return chosenTracks(source, tracks).map(({number, text: canonical}) => {
    const text = number === 3 ? canonical.replace(';', '+') : canonical;
    return {number, text, masked: masked === 'on' ? maskedTrackOf(text) : ''};
  });
}

/** Service code and further digits are zeros; the CVV stands among them. */
function manualTracks({pan, expiry, cvv = ''}: CardImage) {
  const head = `${expiry}000000${cvv}`;
  return {track1: `%M${pan}^${MANUAL_NAME}^${head}000000?`, track2: `;${pan}=${head}000?`};
}

/** The ciphertext of a track, filled with zeros. */
export function encryptTrack(
  text: string,
  {encrypt}: WriteRequest,
  setting: CipherSetting,
): Uint8Array {
  const filled = addFill(bytesFromLatin1(text), 'zero', blockSizeOf(setting.algorithm));
  return encrypt(filled, setting);
}
