import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, upperHexOf} from '../../../platform/bytes.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {parseTrack1, parseTrack2, type TrackData} from '../../card/track-data.js';
import {packDigits} from '../shared/chip-data.js';
import type {WriteRequest, Writer, Written} from '../writer.js';
import {ETX, FS, STX} from './layout.js';
import {RBA_OPTIONS, type RbaOptions, rbaOptions} from './rba-writer-options.js';
import {chosenTracks, writeOnGuard, writeSdeRecord} from './record-writer.js';

/**
 * Generates RBA messages 23, 33, 41 and 87 with their records (docs/formats/ingenico.md#messages).
 */
export const ingenicoRbaWriter: Writer = {
  modes: ['swiped', 'emv', 'keyed'],
  options: RBA_OPTIONS,
  write: (request): Written => {
    if (request.iv) throw new PaylensError(9001, 'Ingenico payloads have no IV');
    const options = rbaOptions(request.options);
    const {serial} = request;
    const devicePayload = inForm(writeMessage(request, options), request, options);
    return {devicePayload, ...(serial === undefined ? {} : {deviceSerial: serial})};
  },
};

function writeMessage(request: WriteRequest, options: RbaOptions): string {
  const write = options.scheme === 'onguard' ? writeOnGuard : writeSdeRecord;
  const id = options.message === 'auto' ? usualMessage(request, options) : options.message;
  return MESSAGES[id]?.(write(request, options), request, options) ?? '';
}

function usualMessage({mode}: WriteRequest, {scheme}: RbaOptions): string {
  if (mode === 'emv') return '33';
  return scheme === 'onguard' ? '87' : '23';
}

type Message = (record: string, request: WriteRequest, options: RbaOptions) => string;

const MESSAGES: Readonly<Record<string, Message>> = {
  record: (record) => record,
  '23': (record, request, options) =>
    `23.0${sourceOf(request, options)}${[...maskedTracks(request, options), record].join(FS)}`,
  '87': (record, request, options) => `87.0${sourceOf(request, options)}${record}`,
  '41': write41,
  '33': write33,
};

function write41(record: string, request: WriteRequest, options: RbaOptions): string {
  const {pan, expiry, name = ''} = request.card;
  const type = options.scheme === 'onguard' ? '2' : options.type;
  const states = ['0', '0', '0'];
  const tracks = maskedTracks(request, options);
  const card = ['', maskMiddle(pan, '0'), expiry, name, ''];
  const fields = [sourceOf(request, options), type, ...states, ...tracks, record, ...card];
  return `41.${fields.join(FS)}`;
}

/** Status 00, packet 1 of type 1, the terminal's chip data, and the record. */
function write33(record: string, request: WriteRequest, options: RbaOptions): string {
  const {card} = request;
  if (request.mode === 'keyed')
    throw new PaylensError(9001, 'message 33 cannot represent keyed entry');
  const tag = options.scheme === 'onguard' ? 'FF1F' : 'FF21';
  const masked = upperHexOf(packDigits(maskMiddle(card.pan, '0')));
  const tags = [
    hexTag('9F02', '000000010000'),
    hexTag('9F39', request.mode === 'swiped' ? '90' : '05'),
    ...(options.masked === 'on' ? [hexTag('5A', masked)] : []),
    `D${tag}:${record.length.toString(16).toUpperCase()}:a${record}`,
  ];
  return `33.030011${FS}${tags.join(FS)}`;
}

function hexTag(tag: string, digits: string): string {
  const length = (digits.length / 2).toString(16).toUpperCase().padStart(2, '0');
  return `T${tag}:${length}:h${digits}`;
}

const SOURCES = {swiped: 'M', emv: 'S', keyed: 'H'} as const;

function sourceOf({mode}: WriteRequest, {source}: RbaOptions): string {
  return source === 'auto' ? SOURCES[mode] : source;
}

/** Tracks 1 and 2 with sentinels; the middle of the number and the discretionary data are 0. */
function maskedTracks({mode, card}: WriteRequest, options: RbaOptions): [string, string] {
  if (mode !== 'swiped' || options.masked === 'off') return ['', ''];
  const {first, second} = chosenTracks(card, options);
  return [
    maskedTrack(first === undefined ? undefined : parseTrack1(first)),
    maskedTrack(second === undefined ? undefined : parseTrack2(second)),
  ];
}

function maskedTrack(data: TrackData | undefined): string {
  if (!data) return '';
  const [lead = '', kept = '', serviceCode = '', discretionary = ''] = data.layout;
  const hidden = '0'.repeat(discretionary.length);
  return `${lead}${maskMiddle(data.panText, '0')}${kept}${serviceCode}${hidden}?`;
}

function inForm(message: string, {wrongCheck}: WriteRequest, options: RbaOptions): string {
  const framed = options.frame === 'on' ? frame(message, wrongCheck ?? false) : message;
  if (options.form === 'hex') return upperHexOf(bytesFromLatin1(framed));
  return options.separator === '1C' ? framed : framed.replaceAll(FS, options.separator);
}

/** Adds STX, ETX and the LRC, the XOR of everything after STX, ETX included. */
function frame(message: string, wrongLrc: boolean): string {
  let lrc = wrongLrc ? 1 : 0;
  for (const byte of bytesFromLatin1(message + ETX)) lrc ^= byte;
  return `${STX}${message}${ETX}${String.fromCharCode(lrc)}`;
}
