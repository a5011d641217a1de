import {PaylensError} from '../../../contract/paylens-error.js';
import {upperHexOf} from '../../../platform/bytes.js';
import type {TrackNumber} from '../../card/lrc.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {packSixBit} from '../../card/packed.js';
import {parseTrack1} from '../../card/track-data.js';
import {packDigits} from '../shared/chip-data.js';
import {DSPREAD_FORMATS} from '../wisepad/layout.js';
import type {MemberName} from '../wisepad/members.js';
import type {CardImage, WriteRequest} from '../writer.js';
import {settingOf, writePinBlock} from './ciphers.js';
import type {DspreadOptions} from './writer-options.js';

/** One track of a read: its ciphertext in hex, empty if it was not read. */
interface Sent {
  /** Without the sentinels. */
  readonly characters: number;
  readonly ciphertext: string;
}

const NOT_READ: Sent = {characters: 0, ciphertext: ''};

/**
 * The members of a swipe or a tap, in the order in which the SDK prints them
 * (docs/formats/dspread.md#swipe). Throws 9001 if the card has none of the tracks, or one is too long.
 */
export function swipeMembers(
  request: WriteRequest,
  options: DspreadOptions,
): (readonly [MemberName, string])[] {
  const {card, ksn} = request;
  const [track1, track2, track3] = sentTracks(request, options);
  const pin = options.pin === 'on' ? writePinBlock(request, options) : undefined;
  return [
    ['formatID', '30'],
    ['maskedPAN', maskMiddle(card.pan, 'X')],
    ['expiryDate', card.expiry],
    ['cardholderName', track1.ciphertext === '' ? '' : nameOf(card)],
    ['ksn', ''],
    ['pinKsn', pin?.ksn ?? ''],
    ['trackksn', ksn],
    ['serviceCode', card.serviceCode],
    ['track1Length', `${track1.characters}`],
    ['track2Length', `${track2.characters}`],
    ['track3Length', `${track3.characters}`],
    ['encTracks', track2.ciphertext + track3.ciphertext],
    ['encTrack1', track1.ciphertext],
    ['encTrack2', track2.ciphertext],
    ['encTrack3', track3.ciphertext],
    ['partialTrack', ''],
    ['pinBlock', pin ? upperHexOf(pin.block) : ''],
    ['encPAN', ''],
    ['trackRandomNumber', ''],
    ['pinRandomNumber', ''],
    ['psamNo', ''],
  ];
}

function nameOf({track1, name = ''}: CardImage): string {
  return (track1 === undefined ? name : parseTrack1(track1)?.name) ?? '';
}

function sentTracks(request: WriteRequest, options: DspreadOptions): [Sent, Sent, Sent] {
  const {card} = request;
  const wanted = options.source === 'tap' ? '2' : options.tracks.replace('all', '123');
  const sent = (number: TrackNumber, text: string | undefined) =>
    text !== undefined && wanted.includes(`${number}`)
      ? sentTrack(number, text, request, options)
      : NOT_READ;
  const all: [Sent, Sent, Sent] = [
    sent(1, card.track1),
    sent(2, card.track2),
    sent(3, card.track3),
  ];
  if (all.some(({ciphertext}) => ciphertext !== '')) return all;
  throw new PaylensError(9001, 'option tracks: the card has none of these tracks');
}

function sentTrack(
  number: TrackNumber,
  text: string,
  {encrypt}: WriteRequest,
  {firmware, source}: DspreadOptions,
): Sent {
  const [format] = DSPREAD_FORMATS;
  const length = (source === 'tap' ? format?.loneTrack2 : format?.bytes[number]) ?? 0;
  const packed =
    number === 1 ? packSixBit(text) : packDigits(text.slice(1, -1).replaceAll('=', 'D'));
  if (packed.length > length)
    throw new PaylensError(
      9001,
      `track ${number}: at most ${length} bytes, found ${packed.length}`,
    );
  // Blanks are zeros in six bits.
  const plain = new Uint8Array(length).fill(number === 1 ? 0x00 : 0xff);
  plain.set(packed);
  const ciphertext = upperHexOf(encrypt(plain, settingOf(firmware)));
  return {characters: text.length - 2, ciphertext};
}
