import {
  base64Of,
  bytesFromLatin1,
  bytesOfHex,
  concatBytes,
  upperHexOf,
} from '../../../platform/bytes.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {PCB, writeLinkFrames} from '../../forms/link-frame.js';
import {frameTextMessage} from '../../forms/text-message.js';
import {chipValue, packDigits, track2EquivalentOf} from '../../forms/tlv/chip-data.js';
import {fillTemplate} from '../../forms/tlv/tlv-template.js';
import {writeTlv} from '../../tlv/ber.js';
import type {CardImage, WriteRequest} from '../../writing.js';
import {terminalWriter} from '../writer-options.js';
import {VSD} from './layout.js';
import {encryptCard, tracksWithLrc} from './plaintext.js';
import {isXpi, VERIFONE_OPTIONS, type VerifoneOptions, verifoneOptions} from './writer-options.js';

/**
 * Generates VIPA frames, tags and TVP text, and XPI message E07 or its blob
 * (docs/terminals/verifone.md#verifone).
 */
export const verifoneWriter = terminalWriter({
  modes: ['swiped', 'emv', 'keyed'],
  options: VERIFONE_OPTIONS,
  write: (request, options) =>
    isXpi(options) ? writeXpi(request, options) : writeVipa(request, options),
});

function writeVipa(request: WriteRequest, options: VerifoneOptions): string {
  if (options.form === 'tvp') return writeTvp(request, options);
  if (options.form === 'triple') return upperHexOf(writeBlock(request, options));
  const isSwiped = request.mode === 'swiped';
  const tags = writeTlv(request.mode === 'emv' ? 'E2' : 'E0', writeList(request, options));
  if (options.form === 'tags') return upperHexOf(tags);
  const control = isSwiped ? PCB.unsolicited : 0;
  return upperHexOf(writeLinkFrames(tags, {control, wrongLrc: request.wrongCheck ?? false}));
}

/** The TLV list of VIPA in hex, as other terminals borrow it: without a template around it. */
export function writeVipaList(request: WriteRequest): string {
  return upperHexOf(writeList(request, verifoneOptions({...request, options: {}})));
}

function writeTvp(request: WriteRequest, options: VerifoneOptions): string {
  const iv = ivOf(request, options);
  const members = [
    ...(iv ? [`iv:${upperHexOf(iv)}`] : []),
    `ksn:${request.ksn}`,
    `vipa:${upperHexOf(encryptCard(request, options))}`,
  ];
  return ['TVP', ...members].join('|');
}

/** The IV; undefined for ECB. */
function ivOf({iv}: WriteRequest, {cipher}: VerifoneOptions): Uint8Array | undefined {
  return cipher === 'ecb' ? undefined : iv;
}

/** IV, KSN, ciphertext, in this order. */
function writeBlock(request: WriteRequest, options: VerifoneOptions): Uint8Array {
  const iv = ivOf(request, options);
  return concatBytes(
    ...(iv ? [writeTlv('DFDF12', iv)] : []),
    writeTlv('DFDF11', bytesOfHex(request.ksn)),
    writeTlv('DFDF10', encryptCard(request, options)),
  );
}

/** The list of each mode, its empty objects to be filled in: FF7F and the masked copies. */
const LISTS: Readonly<Record<WriteRequest['mode'], string>> = {
  swiped: 'FF7F00DFDB0600DFDB0500',
  emv: 'C10100FF7F00570050005A005F24005F30005F3401019F0702FF009F3901059F0902000184009C0100',
  keyed: 'FF7F00',
};

function writeList(request: WriteRequest, options: VerifoneOptions): Uint8Array {
  return fillTemplate(LISTS[request.mode], (tag) => vipaValue(tag, request, options));
}

function vipaValue(tag: string, request: WriteRequest, options: VerifoneOptions) {
  const {card} = request;
  if (tag === 'FF7F') {
    return concatBytes(writeBlock(request, options), writeTlv('DFDB0F', new Uint8Array(4)));
  }
  if (tag === 'DFDB05') return maskedTrackByBytes(1, card, options);
  if (tag === 'DFDB06') return maskedTrackByBytes(2, card, options);
  if (tag === '5A') return packDigits(maskMiddle(card.pan, MASK_NIBBLE));
  return tag === '57' ? maskedEquivalent(card) : chipValue(tag, card);
}

/** The nibble that hides a digit of a masked 57 or 5A. Masked tracks use the byte AA. */
const MASK_NIBBLE = 'A';
const MASK_CHARACTER = '\xaa';

/** Expiry and service code stay; everything after them is hidden, filler included. */
function maskedEquivalent(card: CardImage): Uint8Array {
  const digits = track2EquivalentOf(card);
  const shown = card.pan.length + 'DYYMMSSS'.length;
  const masked = maskMiddle(card.pan, MASK_NIBBLE) + digits.slice(card.pan.length, shown);
  const length = digits.length + (digits.length % 2);
  return packDigits(masked.padEnd(length, MASK_NIBBLE));
}

/**
 * Hides with the byte AA the middle of the PAN and everything after name and expiry except the end
 * sentinel.
 */
function maskedTrackByBytes(
  number: 1 | 2,
  card: CardImage,
  {tracks}: VerifoneOptions,
): Uint8Array | undefined {
  const text = tracksWithLrc(card, tracks).find((track) => track.number === number)?.text;
  const form = number === 1 ? /^(%[A-Z])([\d ]+)(\^[^^]*\^\d{4})(.*)(\?.)$/ : MASKABLE_TRACK_2;
  const [, lead = '', pan = '', kept = '', rest = '', end = ''] = form.exec(text ?? '') ?? [];
  if (pan === '') return undefined;
  const mask = MASK_CHARACTER;
  const hidden = mask.repeat(rest.length);
  return bytesFromLatin1(lead + maskMiddle(pan, mask) + kept + hidden + end.charAt(0) + mask);
}

const MASKABLE_TRACK_2 = /^(;)(\d+)(=\d{4})(.*)(\?.)$/;

const DATA_TYPE = {swiped: '01', emv: '02', keyed: '03'} as const;

function writeXpi(request: WriteRequest, options: VerifoneOptions): string {
  const blob = writeBlob(request, options);
  if (options.form === 'blob') return upperHexOf(blob);
  const base64 = base64Of(blob);
  if (options.form === 'base64') return base64;
  const message = [`E0700${VSD[0]}`, DATA_TYPE[request.mode], base64].join('\x1c');
  if (options.form === 'e07') return message;
  return frameTextMessage(message, request.wrongCheck);
}

function writeBlob(request: WriteRequest, options: VerifoneOptions): Uint8Array {
  const {mode, ksn, iv} = request;
  return concatBytes(
    writeTlv('DF900F', bytesFromLatin1('FF')),
    writeTlv('DF9001', bytesOfHex(`00${DATA_TYPE[mode]}`)),
    writeTlv('DF9009', bytesFromLatin1(VSD[0])),
    writeTlv('DF9020', encryptCard(request, options)),
    writeTlv('DF9021', bytesOfHex(ksn)),
    ...(iv ? [writeTlv('DF9022', iv)] : []),
  );
}
