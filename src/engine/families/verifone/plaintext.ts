import {bytesFromLatin1, concatBytes} from '../../../platform/bytes.js';
import {trackLrc} from '../../card/lrc.js';
import {type ChosenTrack, chosenTracks} from '../../forms/chosen-tracks.js';
import {packDigits} from '../../forms/tlv/chip-data.js';
import {chipList, encryptPadded} from '../../forms/tlv/chip-list.js';
import {writeTlv} from '../../tlv/ber.js';
import type {CardImage, WriteRequest} from '../../writing.js';
import {isXpi, type VerifoneOptions} from './writer-options.js';

/** The ciphertext of a read: TLV or track text, padded, under the data key. */
export function encryptCard(request: WriteRequest, options: VerifoneOptions): Uint8Array {
  const plain = plainCard(request, options);
  if (isXpi(options)) return encryptPadded(plain, request, {fill: 'zero'});
  const mode = options.cipher === 'ecb' ? 'ecb' : 'cbc';
  return encryptPadded(plain, request, {fill: 'iso7816', mode});
}

/** The tracks that were read, track 2 first, each with its LRC. Throws 9001 if there are none. */
export function tracksWithLrc({track1, track2}: CardImage, tracks: string): ChosenTrack[] {
  const stripe = {...(track1 ? {track1} : {}), ...(track2 ? {track2} : {})};
  return chosenTracks(stripe, tracks)
    .map(({number, text}) => ({number, text: text + trackLrc(number, text)}))
    .toReversed();
}

function plainCard({mode, card}: WriteRequest, options: VerifoneOptions): Uint8Array {
  if (mode === 'emv') return chipList(isXpi(options) ? '5A,5F24,57,9F1F,5F30' : '57,5A', card);
  if (mode === 'swiped') return SWIPES[options.content as keyof typeof SWIPES](card, options);
  const {pan, expiry, cvv} = card;
  return concatBytes(
    writeTlv('DFDB01', packDigits(pan)),
    writeTlv('DFDB03', packDigits(expiry)),
    ...(cvv === undefined ? [] : [writeTlv('DFDB02', bytesFromLatin1(cvv))]),
  );
}

type WriteSwipe = (card: CardImage, options: VerifoneOptions) => Uint8Array;

/** The formats of the terminal's encryption profile, and both tracks concatenated. */
const SWIPES: Readonly<Record<'tlv' | 'track2' | 'track2-full' | 'tracks', WriteSwipe>> = {
  tlv: (card, {tracks}) =>
    concatBytes(
      ...tracksWithLrc(card, tracks).map(({number, text}) =>
        writeTlv(number === 1 ? 'DFDB05' : 'DFDB06', bytesFromLatin1(text)),
      ),
    ),
  track2: ({track2 = ''}) => bytesFromLatin1(track2.slice(1, -1)),
  'track2-full': ({track2 = ''}) => bytesFromLatin1(track2 + trackLrc(2, track2)),
  tracks: (card, {tracks}) => {
    const texts = tracksWithLrc(card, tracks).map(({text}) => text);
    return bytesFromLatin1(texts.toReversed().join(''));
  },
};
