import {bytesFromHex, bytesFromLatin1, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {trackLrc} from '../../card/lrc.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {type ChosenTrack, chosenTracks} from '../../forms/chosen-tracks.js';
import {PCB, writeLinkFrames} from '../../forms/link-frame.js';
import {chipValue, packDigits, track2EquivalentOf} from '../../forms/tlv/chip-data.js';
import {chipList, encryptPadded} from '../../forms/tlv/chip-list.js';
import {fillTemplate} from '../../forms/tlv/tlv-template.js';
import {writeTlv} from '../../tlv/ber.js';
import type {WriteRequest} from '../../writing.js';
import {type OptionValues, TRACKS_OPTION, terminalWriter} from '../writer-options.js';
import {MIURA} from './layout.js';

const MIURA_OPTIONS = [
  {
    name: 'form',
    values: ['template', 'flat', 'frames'],
    meaning: 'the template as returned by the SDK, its tags alone, or enclosed in link frames',
  },
  {...TRACKS_OPTION, meaning: `swiped: ${TRACKS_OPTION.meaning}`},
] as const;

type MiuraOptions = OptionValues<typeof MIURA_OPTIONS>;

/**
 * Generates MPI templates with SRED blobs, as bare tags or in link frames
 * (docs/terminals/miura.md#payload-shapes).
 */
export const miuraWriter = terminalWriter({
  modes: ['swiped', 'emv', 'keyed'],
  withoutIv: 'miura',
  options: MIURA_OPTIONS,
  write: (request, options) => {
    const tags = fillTemplate(usualList(request), (tag) => tagValue(tag, request, options));
    const {mode, serial} = request;
    const devicePayload = upperHexOf(enclosed(tags, request, options));
    const isOutside = mode === 'swiped' && serial !== undefined;
    return {devicePayload, ...(isOutside ? {deviceSerial: serial} : {})};
  },
});

const EMV_HEAD =
  '950500000000009F3901055F2A0208405F34010182022000' +
  '84009A032601019C01009F02060000000010009F03060000000000009F100706010A03A000009F1A020840';
const EMV_TAIL =
  '9F2608A1B2C3D4E5F607089F2701809F3303E0F8C89F3501229F360200019F3704010203049F410400000001DF280100';

/** The TLV list of each mode, its empty objects to be filled in. */
function usualList({mode, serial}: WriteRequest): string {
  const serialTag = serial === undefined ? '' : '9F1E00';
  if (mode === 'swiped') return '4800DFAE0200DFAE0300DFAE2200';
  if (mode === 'keyed') return `${serialTag}5F2400DFAE0200DFAE0300DFAE5A00`;
  return `${EMV_HEAD}${serialTag}${EMV_TAIL}DFAE0200DFAE0300DFAE5700DFAE5A00`;
}

function tagValue(
  tag: string,
  request: WriteRequest,
  {tracks}: MiuraOptions,
): Uint8Array | undefined {
  const {card, ksn, serial} = request;
  if (MIURA.tags.cipher.has(tag))
    return encryptPadded(plainBlob(request, tracks), request, {fill: 'zero'});
  if (MIURA.tags.ksn.has(tag)) return bytesFromHex(ksn);
  if (tag === '48') return cardStatus(chosenTracks(card, tracks));
  if (tag === '9F1E') return bytesFromLatin1(serial ?? '');
  if (tag === 'DFAE22') return maskedStripe(chosenTracks(card, tracks));
  if (!MIURA.tags.masked.has(tag)) return chipValue(tag, card);
  const rest = tag === 'DFAE57' ? track2EquivalentOf(card).slice(card.pan.length) : '';
  return packDigits(maskMiddle(card.pan, 'F') + rest);
}

function plainBlob({mode, card}: WriteRequest, tracks: string): Uint8Array {
  if (mode === 'emv') return chipList('57,5A', card);
  if (mode === 'keyed') return chipList('5A', card);
  return concatBytes(...chosenTracks(card, tracks).map(writeTrack));
}

/** Only track 2 contains its LRC (docs/terminals/miura.md#sred-plaintext). */
function writeTrack({number, text}: ChosenTrack): Uint8Array {
  const value = number === 2 ? text + trackLrc(2, text) : text;
  return writeTlv(`5F2${number}`, bytesFromLatin1(value));
}

/** Bit 0 of byte 2: swiped; bits 1, 2 and 3: tracks 1, 2 and 3 are present. */
function cardStatus(tracks: readonly ChosenTrack[]): Uint8Array {
  const bits = tracks.reduce((sum, {number}) => sum | (1 << number), 1);
  return Uint8Array.of(0, bits);
}

/** First six and last four digits, expiry and service code stay; the LRC is hidden as well. */
function maskedStripe(tracks: readonly ChosenTrack[]): Uint8Array {
  const text = tracks.find(({number}) => number === 2)?.text ?? '';
  const [, pan = '', dates = '', rest = ''] = /^;(\d+)(=\d{0,7})(.*)\?$/.exec(text) ?? [];
  if (pan === '') return new Uint8Array();
  return bytesFromLatin1(`;${maskMiddle(pan)}${dates}${'*'.repeat(rest.length)}?*`);
}

/** E1 is the template of a response, E4 that of a transaction going online. */
function enclosed(tags: Uint8Array, {mode, wrongCheck}: WriteRequest, {form}: MiuraOptions) {
  if (form === 'flat') return tags;
  const template = writeTlv(mode === 'swiped' ? 'E1' : 'E4', tags);
  if (form === 'template') return template;
  const control = mode === 'swiped' ? PCB.unsolicited : 0;
  return writeLinkFrames(template, {control, wrongLrc: wrongCheck ?? false});
}
