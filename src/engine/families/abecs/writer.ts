import {PaylensError} from '../../../contract/paylens-error.js';
import {
  bytesFromLatin1,
  bytesOfHex,
  concatBytes,
  latin1Of,
  upperHexOf,
} from '../../../platform/bytes.js';
import {addFill} from '../../cipher/padding.js';
import {packDigits} from '../../forms/tlv/chip-data.js';
import {CARD_DATA_SETTING} from '../../reading.js';
import type {WriteRequest, Written} from '../../writing.js';
import {type OptionValues, terminalWriter} from '../writer-options.js';
import {ABECS_METHODS, OBJECTS, type ObjectName, OPEN_DIGITS} from './layout.js';

const ABECS_OPTIONS = [
  {
    name: 'form',
    values: ['json', 'objects', 'response', 'text', 'members'],
    meaning:
      'GTK as JSON, as objects in hex or as its whole response; or tracks with an encrypted card number, as text or in JSON',
  },
  {
    name: 'method',
    values: ['51', '50', '30', '11', '10', '01', '00'],
    meaning: 'SPE_MTHDDAT of GTK',
  },
  {
    name: 'digits',
    values: OPEN_DIGITS.map(String),
    meaning: 'SPE_OPNDIG: leading digits in cleartext',
  },
] as const;

type AbecsOptions = OptionValues<typeof ABECS_OPTIONS>;

/** Generates what PIN pads of the ABECS protocol send (docs/terminals/abecs.md#gtk). */
export const abecsWriter = terminalWriter({
  modes: ['swiped', 'emv'],
  options: ABECS_OPTIONS,
  tdesOnly: ['swiped', 'emv'],
  write: (request, options) => {
    const isGtk = options.form !== 'text' && options.form !== 'members';
    const written = isGtk ? writeGtk(request, options) : writePanTracks(request, options.form);
    return request.serial === undefined ? written : {...written, deviceSerial: request.serial};
  },
});

/** Both tracks without sentinels; a card with a chip may have no track 1. */
function bareTracks({card, mode}: WriteRequest): (readonly [1 | 2, string])[] {
  return ([1, 2] as const).flatMap((number) => {
    const text = card[`track${number}`];
    if (text !== undefined) return [[number, text.slice(1, -1)] as const];
    if (mode === 'emv') return [];
    throw new PaylensError(9001, `the card has no track ${number}`);
  });
}

type GtkValues = readonly (readonly [ObjectName, Uint8Array])[];

function writeGtk(request: WriteRequest, options: AbecsOptions): Written {
  const {card, ksn, iv, mode} = request;
  const {pan, expiry, serviceCode} = card;
  const isDukpt = /^[35]/.test(options.method);
  const withKsn = (name: ObjectName): GtkValues => (isDukpt ? [[name, bytesOfHex(ksn)]] : []);
  const encrypted = (holds: 1 | 2 | 'pan', text: string) =>
    encryptObject(holds, text, request, options);
  const isCbc = ABECS_METHODS[options.method]?.setting.mode === 'cbc';
  const values: GtkValues = [
    ['SPE_MTHDDAT', bytesFromLatin1(options.method)],
    ['SPE_OPNDIG', bytesFromLatin1(options.digits)],
    ...(iv && isCbc ? ([['SPE_IVCBC', iv]] as const) : []),
    // PIN pads cut the copy after the service code.
    ['PP_TRK2INC', bytesFromLatin1(`${maskedPanText(pan)}=${expiry}${serviceCode}`)],
    ...(mode === 'emv' ? ([['PP_ENCPAN', encrypted('pan', pan)]] as const) : []),
    ...(mode === 'emv' ? withKsn('PP_ENCPANKSN') : []),
    ...bareTracks(request).flatMap(
      ([number, text]): GtkValues => [
        [`PP_TRACK${number}`, encrypted(number, text)],
        ...withKsn(`PP_TRK${number}KSN`),
      ],
    ),
  ];
  return {devicePayload: writeObjects(values, options.form), ...(isDukpt ? {} : {ksn})};
}

function maskedPanText(pan: string): string {
  return pan.slice(0, 6) + '*'.repeat(pan.length - 10) + pan.slice(-4);
}

function encryptObject(
  holds: 1 | 2 | 'pan',
  text: string,
  {iv, encrypt}: WriteRequest,
  options: AbecsOptions,
): Uint8Array {
  const {setting} = ABECS_METHODS[options.method] ?? {setting: CARD_DATA_SETTING};
  const digits = Number(options.digits);
  const isText = holds === 1;
  if (isText && !/^[A-Z]\d*$/.test(text.slice(0, 1 + digits)))
    throw new PaylensError(9001, SPACED_NUMBER);
  const plain = isText ? bytesFromLatin1(text) : packDigits(text.replaceAll('=', 'D'));
  const head = isText ? digits && 1 + digits : digits / 2;
  const filled = addFill(plain.subarray(head), isText ? 'zero' : 'ff', 8);
  const blocks = encrypt(filled, setting, setting.mode === 'cbc' && iv ? {iv} : {});
  return concatBytes(plain.subarray(0, head), blocks);
}

const SPACED_NUMBER = 'option digits: expected a track 1 whose number has no spaces there';

function writeObjects(values: GtkValues, form: string): string {
  if (form === 'json') {
    const shown = values.map(([name, value]) => {
      return [name, OBJECTS[name].isText ? latin1Of(value) : upperHexOf(value)] as const;
    });
    return JSON.stringify(Object.fromEntries(shown));
  }
  const objects = values.map(([name, value]) => {
    const length = value.length.toString(16).padStart(4, '0').toUpperCase();
    return `${OBJECTS[name].id}${length}${upperHexOf(value)}`;
  });
  const hex = objects.join('');
  if (form === 'objects') return hex;
  return upperHexOf(bytesFromLatin1(`GTK000${String(hex.length / 2).padStart(3, '0')}`)) + hex;
}

/** Real PIN pads use a working key; under DUKPT keys the data key of the KSN replaces it. */
function writePanTracks(request: WriteRequest, form: string): Written {
  const {card, ksn, mode} = request;
  if (mode === 'emv') {
    const detail = 'option form: expected one of GTK, which alone sends data of a chip';
    throw new PaylensError(9001, detail);
  }
  const tracks = bareTracks(request).map(
    ([number, text]) => [`track${number}`, withPanBlock(text, request)] as const,
  );
  if (form === 'text') return {devicePayload: tracks.map(([, text]) => text).join('\n'), ksn};
  const members = {...Object.fromEntries(tracks), maskedPan: maskedPanText(card.pan)};
  return {devicePayload: JSON.stringify(members), ksn};
}

/** The last 16 characters of the card number as one block, a short one filled with F. */
function withPanBlock(text: string, {encrypt}: WriteRequest): string {
  const [, letter = '', pan = '', rest = ''] = /^([A-Z]?)([\d ]+)([^\d ].*)?$/.exec(text) ?? [];
  if (pan.replaceAll(' ', '').length < 13)
    throw new PaylensError(9001, 'a card number of fewer than 13 digits is not encrypted');
  const open = pan.slice(0, Math.max(0, pan.length - 16));
  const digits = pan.slice(open.length).replaceAll(' ', 'E').padEnd(16, 'F');
  const block = encrypt(bytesOfHex(digits), {...CARD_DATA_SETTING, mode: 'ecb'});
  return letter + open + upperHexOf(block) + rest;
}
