import {
  base64Of,
  bytesFromHex,
  bytesFromLatin1,
  concatBytes,
  upperHexOf,
} from '../../../platform/bytes.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {writeTlv} from '../../tlv/ber.js';
import {chipValue, packDigits, track2EquivalentOf} from '../shared/chip-data.js';
import {PCB, writeLinkFrames} from '../shared/link-frame.js';
import {fillTemplate} from '../shared/tlv-template.js';
import type {WriteRequest, Writer} from '../writer.js';
import {MASK_BYTE, MASK_NIBBLE, VIPA, VSD, XPI} from './layout.js';
import {messageLrc} from './message.js';
import {encryptCard, tracksOf} from './plaintext.js';
import {isXpi, VERIFONE_OPTIONS, type VerifoneOptions, verifoneOptions} from './writer-options.js';

/**
 * Generates VIPA frames, tags and TVP text, and XPI message E07 or its blob
 * (docs/formats/verifone.md#verifone).
 */
export const verifoneWriter: Writer = {
  modes: ['swiped', 'emv', 'keyed'],
  options: VERIFONE_OPTIONS,
  write: (request) => {
    const options = verifoneOptions(request);
    const {serial} = request;
    return {
      devicePayload: isXpi(options) ? writeXpi(request, options) : writeVipa(request, options),
      ...(serial === undefined ? {} : {deviceSerial: serial}),
    };
  },
};

function writeVipa(request: WriteRequest, options: VerifoneOptions): string {
  if (options.form === 'tvp') return writeTvp(request, options);
  if (options.form === 'triple') return upperHexOf(writeBlock(request, options));
  const tags = writeTags(request, options);
  if (options.form === 'tags') return upperHexOf(tags);
  const control = request.mode === 'swiped' ? PCB.unsolicited : 0;
  return upperHexOf(writeLinkFrames(tags, {control, wrongLrc: request.wrongCheck ?? false}));
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
    ...(iv ? [writeTlv(VIPA.iv, iv)] : []),
    writeTlv(VIPA.ksn, hexBytes(request.ksn)),
    writeTlv(VIPA.ciphertext, encryptCard(request, options)),
  );
}

/** The default template of each mode: the SRED template beside masked copies. */
const LISTS: Readonly<Record<WriteRequest['mode'], string>> = {
  swiped: 'FF7F00DFDB0600DFDB0500',
  emv: 'C10100FF7F00570050005A005F24005F30005F3401019F0702FF009F3901059F0902000184009C0100',
  keyed: 'FF7F00',
};

const OUTER: Readonly<Record<WriteRequest['mode'], string>> = {
  swiped: 'E0',
  emv: 'E2',
  keyed: 'E0',
};

function writeTags(request: WriteRequest, options: VerifoneOptions): Uint8Array {
  const {mode} = request;
  const list = fillTemplate(options.template || LISTS[mode], (tag) =>
    filledValue(tag, request, options),
  );
  if (options.outer === 'none') return list;
  return writeTlv(options.outer === 'auto' ? OUTER[mode] : options.outer, list);
}

function filledValue(tag: string, request: WriteRequest, options: VerifoneOptions) {
  const {card} = request;
  if (tag === VIPA.template) return sredTemplate(request, options);
  if (tag === VIPA.track1) return maskedTrack(1, request, options);
  if (tag === VIPA.track2) return maskedTrack(2, request, options);
  if (tag === '5A') return packDigits(maskMiddle(card.pan, MASK_NIBBLE));
  return tag === '57' ? maskedEquivalent(request) : chipValue(tag, card);
}

function sredTemplate(request: WriteRequest, options: VerifoneOptions): Uint8Array {
  return concatBytes(
    writeBlock(request, options),
    ...(options.status === 'on' ? [writeTlv(VIPA.status, new Uint8Array(4))] : []),
    ...(options.slot === '' ? [] : [writeTlv(VIPA.slot, hexBytes(options.slot))]),
  );
}

/** Expiry and service code stay; everything after them is hidden, filler included. */
function maskedEquivalent({card}: WriteRequest): Uint8Array {
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
function maskedTrack(
  number: 1 | 2,
  {card}: WriteRequest,
  options: VerifoneOptions,
): Uint8Array | undefined {
  const text = tracksOf(card, options).find((track) => track.number === number)?.text;
  const form = number === 1 ? /^(%[A-Z])([\d ]+)(\^[^^]*\^\d{4})(.*)(\?.)$/ : TRACK_2;
  const [, lead = '', pan = '', kept = '', rest = '', end = ''] = form.exec(text ?? '') ?? [];
  if (pan === '') return undefined;
  const mask = String.fromCharCode(MASK_BYTE);
  const hidden = mask.repeat(rest.length);
  return bytesFromLatin1(lead + maskMiddle(pan, mask) + kept + hidden + end.charAt(0) + mask);
}

const TRACK_2 = /^(;)(\d+)(=\d{4})(.*)(\?.)$/;

const DATA_TYPE = {swiped: '01', emv: '02', keyed: '03'} as const;

function writeXpi(request: WriteRequest, options: VerifoneOptions): string {
  const blob = writeBlob(request, options);
  if (options.form === 'blob') return upperHexOf(blob);
  const base64 = base64Of(blob);
  if (options.form === 'base64') return base64;
  const separator = options.separator === 'byte' ? '\x1c' : options.separator;
  const fields = [`E0700${VSD[0]}`, DATA_TYPE[request.mode], base64];
  const message = fields.join(separator);
  if (options.form === 'e07') return message;
  const framed = `\x02${message}\x03`;
  return framed + String.fromCharCode(messageLrc(framed) ^ (request.wrongCheck ? 1 : 0));
}

function writeBlob(request: WriteRequest, options: VerifoneOptions): Uint8Array {
  const {mode, ksn, iv} = request;
  return concatBytes(
    writeTlv(XPI.label, bytesFromLatin1('FF')),
    writeTlv(XPI.dataType, hexBytes(`00${DATA_TYPE[mode]}`)),
    writeTlv(XPI.encryption, bytesFromLatin1(VSD[0])),
    writeTlv(XPI.ciphertext, encryptCard(request, options)),
    writeTlv(XPI.ksn, hexBytes(ksn)),
    ...(iv ? [writeTlv(XPI.iv, iv)] : []),
  );
}

/** Converts hex that was already validated. */
function hexBytes(hex: string): Uint8Array {
  return bytesFromHex(hex) ?? new Uint8Array();
}
