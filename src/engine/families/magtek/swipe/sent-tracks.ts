import {bytesFromLatin1} from '../../../../platform/bytes.js';
import type {TrackNumber} from '../../../card/lrc.js';
import {hasCheckDigit} from '../../../card/track-data.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {addFill} from '../../../cipher/padding.js';
import {chosenTracks} from '../../../forms/chosen-tracks.js';
import type {CipherSetting} from '../../../reading.js';
import type {CardImage, WriteRequest} from '../../../writing.js';
import type {MagtekOptions} from '../writer-options.js';

/** A track as a reader sends it. */
export interface TrackToSend {
  readonly number: TrackNumber;
  /** The plaintext of the ciphertext, without its padding. */
  readonly text: string;
  readonly masked: string;
  readonly ciphertext: Uint8Array;
}

/**
 * The tracks of a swipe, or those that a reader makes of a keyed entry; `sentinel` begins track 3.
 * Throws 9001 if the card has none of them.
 */
export function sendTracks(
  {mode, card, encrypt}: WriteRequest,
  {tracks, masked}: Pick<MagtekOptions, 'tracks' | 'masked'>,
  setting: CipherSetting,
  sentinel: '+' | ';' = '+',
): TrackToSend[] {
  const source = mode === 'keyed' ? keyedTracks(card) : card;
  return chosenTracks(source, tracks).map(({number, text: canonical}) => {
    const text = number === 3 ? canonical.replace(/^[;+]/, sentinel) : canonical;
    const plain = addFill(bytesFromLatin1(text), 'zero', blockSizeOf(setting.algorithm));
    const ciphertext = encrypt(plain, setting);
    return {number, text, masked: masked === 'on' ? trackMaskedByZeros(text) : '', ciphertext};
  });
}

/** Service code and further digits are zeros; the CVV is among them. */
function keyedTracks({pan, expiry, cvv = ''}: CardImage) {
  const head = `${expiry}000000${cvv}`;
  return {track1: `%M${pan}^MANUAL ENTRY/^${head}000000?`, track2: `;${pan}=${head}000?`};
}

const SHOWN_DIGITS = 4;

/**
 * A track as a reader masks it: the first and last four digits of the PAN stay, after the expiry
 * date every digit is `0` (docs/terminals/magtek.md#masked-tracks).
 */
export function trackMaskedByZeros(text: string): string {
  const form = /^(%[A-Z]|;|\+)([\d ]+)(=|\^[^^]*\^)(\d{4})?(.*)\?$/;
  const [, lead = '', pan = '', kept = '', expiry = '', rest = ''] = form.exec(text) ?? [];
  if (pan === '') return '';
  return `${lead}${maskPanByZeros(pan)}${kept}${expiry}${rest.replaceAll(/\d/g, '0')}?`;
}

/** One hidden digit in the middle makes the masked PAN pass Luhn; spaces stay. */
function maskPanByZeros(pan: string): string {
  const digits = pan.replaceAll(' ', '');
  const [head, tail] = [digits.slice(0, SHOWN_DIGITS), digits.slice(-SHOWN_DIGITS)];
  const hidden = digits.length - 2 * SHOWN_DIGITS;
  const before = head + '0'.repeat(hidden >> 1);
  const after = '0'.repeat(hidden - (hidden >> 1) - 1) + tail;
  const masked = [...'0123456789'].map((digit) => before + digit + after).find(hasCheckDigit);
  let next = 0;
  return pan.replaceAll(/\d/g, () => (masked ?? digits).charAt(next++));
}
