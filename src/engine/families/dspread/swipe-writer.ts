import {PaylensError} from '../../../contract/paylens-error.js';
import {upperHexOf} from '../../../platform/bytes.js';
import type {TrackNumber} from '../../card/lrc.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {packSixBit} from '../../card/packed.js';
import {parseTrack1} from '../../card/track-data.js';
import {packDigits} from '../../forms/tlv/chip-data.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';
import type {WriteRequest, WriterOption} from '../../writing.js';
import {DSPREAD_FORMATS, DSPREAD_SETTINGS} from '../wisepad/layout.js';
import type {DictionaryMemberName} from '../wisepad/members.js';

/** The settings of DSpread payloads. */
export const DSPREAD_OPTIONS = [
  {
    name: 'form',
    values: ['auto', 'json', 'dump', 'ios', 'labels', 'joined', 'tlv'],
    meaning: 'the dictionary as JSON or text, EMV TLV; auto: by the mode',
  },
  {
    name: 'firmware',
    values: ['new', 'old', 'ecb'],
    meaning: 'self-encrypted CBC, plain ECB, self-encrypted ECB',
  },
  {
    name: 'source',
    values: ['swipe', 'tap'],
    meaning: 'swiped: the stripe, or a tap: track 2 alone, in 32 bytes',
  },
] as const satisfies readonly WriterOption[];

/** Every option and its value. */
export type DspreadOptions = Readonly<Record<(typeof DSPREAD_OPTIONS)[number]['name'], string>>;

/** One track of a read: its ciphertext in hex, empty if it was not read. */
interface DspreadTrack {
  /** Without the sentinels. */
  readonly characters: number;
  readonly ciphertext: string;
}

const NOT_READ: DspreadTrack = {characters: 0, ciphertext: ''};

/**
 * The members of a swipe or a tap, in the order in which the SDK prints them
 * (docs/terminals/dspread.md#swipe). Throws 9001 if the card has none of the tracks, or one is too long.
 */
export function dspreadMembers(
  request: WriteRequest,
  options: DspreadOptions,
): (readonly [DictionaryMemberName, string])[] {
  const {card, ksn} = request;
  const name = card.track1 === undefined ? card.name : parseTrack1(card.track1)?.name;
  const [track1 = NOT_READ, track2 = NOT_READ, track3 = NOT_READ] = writtenTracks(request, options);
  return [
    ['formatID', '30'],
    ['maskedPAN', maskMiddle(card.pan, 'X')],
    ['expiryDate', card.expiry],
    ['cardholderName', track1.ciphertext === '' ? '' : (name ?? '')],
    ['ksn', ''],
    ['pinKsn', ''],
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
    ['pinBlock', ''],
    ['encPAN', ''],
    ['trackRandomNumber', ''],
    ['pinRandomNumber', ''],
    ['psamNo', ''],
  ];
}

function writtenTracks(request: WriteRequest, options: DspreadOptions): DspreadTrack[] {
  const {track1, track2, track3} = request.card;
  const isTap = options.source === 'tap';
  if (track2 === undefined && (isTap || track1 === undefined))
    throw new PaylensError(9001, 'the card has no track that this read sends');
  const written = (number: TrackNumber, text: string | undefined) =>
    text === undefined || (isTap && number !== 2)
      ? NOT_READ
      : writtenTrack(number, text, request, options);
  return [written(1, track1), written(2, track2), written(3, track3)];
}

function writtenTrack(
  number: TrackNumber,
  text: string,
  {encrypt}: WriteRequest,
  {firmware, source}: DspreadOptions,
): DspreadTrack {
  const [format] = DSPREAD_FORMATS;
  const length = (source === 'tap' ? format?.singleTrack2Bytes : format?.bytes[number]) ?? 0;
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
  const ciphertext = upperHexOf(encrypt(plain, firmwareSetting(firmware)));
  return {characters: text.length - 2, ciphertext};
}

const FIRMWARE = ['new', 'old', 'ecb'];

/** How a firmware encrypts card data. */
export function firmwareSetting(firmware: string): CipherSetting {
  return DSPREAD_SETTINGS[FIRMWARE.indexOf(firmware)] ?? CARD_DATA_SETTING;
}
