import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, bytesFromLatin1, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {type TrackNumber, trackLrc} from '../../card/lrc.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {writeTlv} from '../../tlv/ber.js';
import {chipValue, packDigits, track2EquivalentOf} from '../shared/chip-data.js';
import {chipList, encryptList} from '../shared/chip-list.js';
import {PCB, writeLinkFrames} from '../shared/link-frame.js';
import {fillTemplate} from '../shared/tlv-template.js';
import type {CardImage, WriteRequest, Writer} from '../writer.js';
import {resolveOptions} from '../writer-options.js';
import {CARD_STATUS, MASK_NIBBLE, TAG, TEMPLATES} from './layout.js';

const OPTIONS = [
  {
    name: 'form',
    values: ['template', 'flat', 'frames'],
    meaning: 'the template as returned by the SDK, its tags alone, or enclosed in link frames',
  },
  {
    name: 'outer',
    values: ['auto', 'E1', 'E4'],
    meaning: 'template; auto: E1 for swiped, E4 for emv and keyed',
  },
  {
    name: 'tracks',
    values: ['all'],
    form: /^1?2?3?$/,
    meaning: 'swiped: tracks that were read: 12, 2, ...',
  },
  {
    name: 'tags',
    values: ['57,5A', '57'],
    form: /^[0-9A-F]{2,6}(?:,[0-9A-F]{2,6})*$/,
    meaning: 'emv: content of the SRED blob',
  },
  {
    name: 'secondKsn',
    values: [''],
    form: /^[0-9A-F]{20}$/,
    meaning: 'emv: KSN of a second blob with the same content',
  },
  {
    name: 'template',
    values: [''],
    form: /^(?:[0-9A-F]{2})+$/i,
    meaning: 'the TLV list in hex; empty objects of the card, the serial and SRED are filled in',
  },
] as const;

type Options = Readonly<Record<(typeof OPTIONS)[number]['name'], string>>;

/**
 * Generates MPI templates with SRED blobs, as bare tags or in link frames
 * (docs/formats/miura.md#payload-shapes).
 */
export const miuraWriter: Writer = {
  modes: ['swiped', 'emv', 'keyed'],
  options: OPTIONS,
  write: (request) => {
    if (request.iv) throw new PaylensError(9001, 'miura payloads have no IV');
    const options = resolveOptions(OPTIONS, request.options);
    const devicePayload = upperHexOf(inForm(writeTags(request, options), request, options));
    const {mode, serial} = request;
    const isOutside = mode === 'swiped' && serial !== undefined;
    return {devicePayload, ...(isOutside ? {deviceSerial: serial} : {})};
  },
};

const SWIPED = '4800DFAE0200DFAE0300DFAE2200';
const EMV_HEAD =
  '950500000000009F3901055F2A0208405F34010182022000' +
  '84009A032601019C01009F02060000000010009F03060000000000009F100706010A03A000009F1A020840';
const EMV_TAIL =
  '9F2608A1B2C3D4E5F607089F2701809F3303E0F8C89F3501229F360200019F3704010203049F410400000001DF280100';
const PAIR = 'DFAE0200DFAE0300';

/** The usual list of each mode. */
const LISTS: Readonly<Record<WriteRequest['mode'], (pairs: string, serial: string) => string>> = {
  swiped: () => SWIPED,
  emv: (pairs, serial) => `${EMV_HEAD}${serial}${EMV_TAIL}${pairs}DFAE5700DFAE5A00`,
  keyed: (pairs, serial) => `${serial}5F2400${pairs}DFAE5A00`,
};

function writeTags(request: WriteRequest, options: Options): Uint8Array {
  const {mode, ksn, serial} = request;
  const ksns = mode === 'emv' && options.secondKsn ? [ksn, options.secondKsn] : [ksn];
  const usual = LISTS[mode](PAIR.repeat(ksns.length), serial === undefined ? '' : '9F1E00');
  const plain = PLAINTEXTS[mode](request.card, options);
  const seen: Record<string, number> = {};
  return fillTemplate(options.template || usual, (tag) => {
    const nth = seen[tag] ?? 0;
    seen[tag] = nth + 1;
    const own = ksns[nth] ?? ksn;
    if (tag === TAG.sredData) return encryptList(plain, request, {fill: 'zero', ksn: own});
    if (tag === TAG.sredKsn) return bytesFromHex(own);
    return filledValue(tag, request, options);
  });
}

function filledValue(tag: string, {card, serial}: WriteRequest, options: Options) {
  const tracks = tracksOf(card, options);
  if (tag === TAG.cardStatus) return cardStatus(tracks);
  if (tag === '9F1E') return bytesFromLatin1(serial ?? '');
  if (tag === TAG.maskedTrack2) return maskedTrack2(tracks);
  if (tag === TAG.maskedPan) return packDigits(maskMiddle(card.pan, MASK_NIBBLE));
  if (tag !== TAG.maskedEquivalent) return chipValue(tag, card);
  return packDigits(
    maskMiddle(card.pan, MASK_NIBBLE) + track2EquivalentOf(card).slice(card.pan.length),
  );
}

const PLAINTEXTS: Readonly<
  Record<WriteRequest['mode'], (card: CardImage, options: Options) => Uint8Array>
> = {
  swiped: (card, options) =>
    concatBytes(...tracksOf(card, options).map(({number, text}) => writeTrack(number, text))),
  emv: (card, {tags}) => chipList(tags, card),
  keyed: (card) => chipList('5A', card),
};

interface SentTrack {
  readonly number: TrackNumber;
  readonly text: string;
}

/** Throws 9001 if the card has none of the tracks. */
function tracksOf({track1, track2, track3}: CardImage, {tracks}: Options): SentTrack[] {
  const wanted = tracks === 'all' ? '123' : tracks;
  const found = [track1, track2, track3].flatMap((text, i) => {
    const number = (i + 1) as TrackNumber;
    return text !== undefined && wanted.includes(String(number)) ? [{number, text}] : [];
  });
  if (found.length > 0) return found;
  throw new PaylensError(9001, 'option tracks: the card has none of these tracks');
}

const TRACK_TAGS = {1: TAG.track1, 2: TAG.track2, 3: TAG.track3} as const;

/** Only track 2 contains its LRC (docs/formats/miura.md#sred-plaintext). */
function writeTrack(number: TrackNumber, text: string): Uint8Array {
  const sent = number === 2 ? text + trackLrc(2, text) : text;
  return writeTlv(TRACK_TAGS[number], bytesFromLatin1(sent));
}

function cardStatus(tracks: readonly SentTrack[]): Uint8Array {
  const bits = tracks.map(({number}) => 1 << number);
  return Uint8Array.of(
    0,
    bits.reduce((sum, bit) => sum | bit, CARD_STATUS.swipeData),
  );
}

/** First six and last four digits, expiry and service code stay; the LRC is hidden as well. */
function maskedTrack2(tracks: readonly SentTrack[]): Uint8Array {
  const text = tracks.find(({number}) => number === 2)?.text ?? '';
  const [, pan = '', dates = '', rest = ''] = /^;(\d+)(=\d{0,7})(.*)\?$/.exec(text) ?? [];
  if (pan === '') return new Uint8Array();
  return bytesFromLatin1(`;${maskMiddle(pan)}${dates}${'*'.repeat(rest.length)}?*`);
}

function inForm(tags: Uint8Array, request: WriteRequest, {form, outer}: Options): Uint8Array {
  if (form === 'flat') return tags;
  const usual = request.mode === 'swiped' ? TEMPLATES.response : TEMPLATES.online;
  const template = writeTlv(outer === 'auto' ? usual : outer, tags);
  if (form === 'template') return template;
  const control = request.mode === 'swiped' ? PCB.unsolicited : 0;
  return writeLinkFrames(template, {control, wrongLrc: request.wrongCheck ?? false});
}
