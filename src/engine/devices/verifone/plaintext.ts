import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, concatBytes} from '../../../platform/bytes.js';
import {type TrackNumber, trackLrc} from '../../card/lrc.js';
import type {Fill} from '../../cipher/padding.js';
import {writeTlv} from '../../tlv/ber.js';
import {packDigits} from '../shared/chip-data.js';
import {chipList, encryptList} from '../shared/chip-list.js';
import type {CardImage, WriteRequest} from '../writer.js';
import {VIPA} from './layout.js';
import {isXpi, type VerifoneOptions} from './writer-options.js';

/** The ciphertext of a read: TLV or track text, padded, under the data key. */
export function encryptCard(request: WriteRequest, options: VerifoneOptions): Uint8Array {
  const fill = options.padding === 'auto' ? (isXpi(options) ? 'zero' : 'iso7816') : options.padding;
  const mode = options.cipher === 'ecb' && !isXpi(options) ? 'ecb' : 'cbc';
  const plain = PLAINTEXTS[request.mode](request.card, options);
  return encryptList(plain, request, {fill: fill as Fill, mode});
}

/** The tracks that were read, with their LRC, track 2 first. Throws 9001 if there are none. */
export function tracksOf({track1, track2}: CardImage, {tracks}: VerifoneOptions): SentTrack[] {
  const found = [sentTrack(2, track2), sentTrack(1, track1)].flat();
  const wanted = found.filter(({number}) => tracks === 'all' || tracks.includes(String(number)));
  if (wanted.length > 0) return wanted;
  throw new PaylensError(9001, 'option tracks: the card has none of these tracks');
}

interface SentTrack {
  readonly number: TrackNumber;
  /** With LRC. */
  readonly text: string;
}

function sentTrack(number: TrackNumber, text: string | undefined): SentTrack[] {
  return text === undefined ? [] : [{number, text: text + trackLrc(number, text)}];
}

const EMV_TAGS = {vipa: '57,5A', xpi: '5A,5F24,57,9F1F,5F30'} as const;

const PLAINTEXTS: Readonly<
  Record<WriteRequest['mode'], (card: CardImage, options: VerifoneOptions) => Uint8Array>
> = {
  swiped: (card, options) => SWIPES[options.content as keyof typeof SWIPES](card, options),
  emv: (card, options) => {
    const usual = isXpi(options) ? EMV_TAGS.xpi : EMV_TAGS.vipa;
    return chipList(options.tags === 'auto' ? usual : options.tags, card);
  },
  keyed: ({pan, expiry, cvv}, options) =>
    concatBytes(
      writeTlv(VIPA.keyedPan, packDigits(pan)),
      writeTlv(VIPA.keyedExpiry, packDigits(expiry)),
      ...(cvv === undefined || options.cvv === 'off'
        ? []
        : [writeTlv(VIPA.keyedCvv, bytesFromLatin1(cvv))]),
    ),
};

type Swipe = (card: CardImage, options: VerifoneOptions) => Uint8Array;

/** The formats of the terminal's encryption profile, and both tracks concatenated. */
const SWIPES: Readonly<Record<'tlv' | 'track2' | 'track2-full' | 'tracks', Swipe>> = {
  tlv: (card, options) =>
    concatBytes(
      ...tracksOf(card, options).map(({number, text}) =>
        writeTlv(number === 1 ? VIPA.track1 : VIPA.track2, bytesFromLatin1(text)),
      ),
    ),
  track2: ({track2 = ''}) => bytesFromLatin1(track2.slice(1, -1)),
  'track2-full': ({track2 = ''}) => bytesFromLatin1(track2 + trackLrc(2, track2)),
  tracks: (card, options) =>
    bytesFromLatin1(
      tracksOf(card, options)
        .toReversed()
        .map(({text}) => text)
        .join(''),
    ),
};
