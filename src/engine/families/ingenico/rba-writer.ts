import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, upperHexOf} from '../../../platform/bytes.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {parseTrack1, parseTrack2, type TrackData} from '../../card/track-data.js';
import {FS, frameTextMessage} from '../../forms/text-message.js';
import {packDigits} from '../../forms/tlv/chip-data.js';
import type {WriteRequest} from '../../writing.js';
import {type OptionValues, terminalWriter} from '../writer-options.js';
import {writeOnGuard, writeSdeRecord} from './record-writer.js';

const RBA_OPTIONS = [
  {
    name: 'message',
    values: ['auto', '23', '33', '41', '87', 'record'],
    meaning: 'message id, or its record alone; auto: 33 of a chip, 87 under On-Guard, else 23',
  },
  {
    name: 'scheme',
    values: ['sde', 'onguard'],
    meaning: 'a record of types 11 and 19, or one of On-Guard FPE, which is rejected with 2111',
  },
  {name: 'frame', values: ['on', 'off'], meaning: 'STX, ETX and LRC around the message'},
  {name: 'form', values: ['text', 'hex'], meaning: 'the message itself, or its hex'},
  {name: 'separator', values: ['1C', '[FS]', '<FS>'], meaning: 'how FS is written'},
  {name: 'variant', values: ['data', 'pin', 'data-plain'], meaning: 'sde: working key'},
] as const;

type RbaOptions = OptionValues<typeof RBA_OPTIONS>;

/**
 * Generates RBA messages 23, 33, 41 and 87 with their records (docs/terminals/ingenico.md#messages).
 */
export const ingenicoRbaWriter = terminalWriter({
  modes: ['swiped', 'emv', 'keyed'],
  options: RBA_OPTIONS,
  write: (request, options) => {
    if (request.iv) throw new PaylensError(9001, 'Ingenico payloads have no IV');
    const message = writeRbaMessage(request, options);
    const framed = options.frame === 'on' ? frameTextMessage(message, request.wrongCheck) : message;
    if (options.form === 'hex') return upperHexOf(bytesFromLatin1(framed));
    return options.separator === '1C' ? framed : framed.replaceAll(FS, options.separator);
  },
});

function writeRbaMessage(request: WriteRequest, options: RbaOptions): string {
  const isOnGuard = options.scheme === 'onguard';
  const record = isOnGuard ? writeOnGuard(request) : writeSdeRecord(request, options.variant);
  const usual = request.mode === 'emv' ? '33' : isOnGuard ? '87' : '23';
  const id = options.message === 'auto' ? usual : options.message;
  return MESSAGE_WRITERS[id]?.(record, request, isOnGuard) ?? '';
}

type MessageWriter = (record: string, request: WriteRequest, isOnGuard: boolean) => string;

const MESSAGE_WRITERS: Readonly<Record<string, MessageWriter>> = {
  record: (record) => record,
  '23': (record, request) =>
    `23.0${SOURCES[request.mode]}${[...maskedTracks(request), record].join(FS)}`,
  '87': (record, {mode}) => `87.0${SOURCES[mode]}${record}`,
  '41': write41,
  '33': write33,
};

function write41(record: string, request: WriteRequest, isOnGuard: boolean): string {
  const {pan, expiry, name = ''} = request.card;
  const states = ['0', '0', '0'];
  const card = ['', maskMiddle(pan, '0'), expiry, name, ''];
  const head = [SOURCES[request.mode], isOnGuard ? '2' : '19', ...states];
  return `41.${[...head, ...maskedTracks(request), record, ...card].join(FS)}`;
}

/** Status 00, packet 1 of type 1, the terminal's chip data, and the record. */
function write33(record: string, {card, mode}: WriteRequest, isOnGuard: boolean): string {
  if (mode === 'keyed') throw new PaylensError(9001, 'message 33 cannot represent keyed entry');
  const tags = [
    hexTag('9F02', '000000010000'),
    hexTag('9F39', mode === 'swiped' ? '90' : '05'),
    hexTag('5A', upperHexOf(packDigits(maskMiddle(card.pan, '0')))),
    `D${isOnGuard ? 'FF1F' : 'FF21'}:${record.length.toString(16).toUpperCase()}:a${record}`,
  ];
  return `33.030011${FS}${tags.join(FS)}`;
}

function hexTag(tag: string, digits: string): string {
  const length = (digits.length / 2).toString(16).toUpperCase().padStart(2, '0');
  return `T${tag}:${length}:h${digits}`;
}

const SOURCES = {swiped: 'M', emv: 'S', keyed: 'H'} as const;

/** Tracks 1 and 2 with sentinels; the middle of the number and the discretionary data are 0. */
function maskedTracks({mode, card: {track1, track2}}: WriteRequest): [string, string] {
  if (mode !== 'swiped') return ['', ''];
  return [
    track1 === undefined ? '' : zeroedTrack(track1, parseTrack1(track1)),
    track2 === undefined ? '' : zeroedTrack(track2, parseTrack2(track2)),
  ];
}

function zeroedTrack(text: string, data: TrackData | undefined): string {
  if (!data) return '';
  const hidden = '0'.repeat(data.discretionary?.length ?? 0);
  const kept = text.slice(0, text.length - hidden.length - 1);
  return `${kept.replace(data.panText, maskMiddle(data.panText, '0'))}${hidden}?`;
}
