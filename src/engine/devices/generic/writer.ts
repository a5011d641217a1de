import {
  base64Of,
  bytesFromHex,
  bytesFromLatin1,
  bytesOfHex,
  concatBytes,
  upperHexOf,
} from '../../../platform/bytes.js';
import {type TrackNumber, trackLrc} from '../../card/lrc.js';
import type {CipherMode} from '../../cipher/block-cipher.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill, type Fill} from '../../cipher/padding.js';
import type {CipherSetting} from '../../reading.js';
import {writeTlv} from '../../tlv/ber.js';
import {chipValue, packDigits} from '../shared/chip-data.js';
import type {CardImage, WriteRequest, Writer, Written} from '../writer.js';
import {resolveOptions} from '../writer-options.js';
import {CIPHER_MODES, ENCODINGS, VARIANTS} from './layout.js';
import type {NamedValue} from './members.js';

/** Text members of the payload. */
type Text = Readonly<Record<string, string>>;

const OPTIONS = [
  {
    name: 'form',
    values: ['short', 'long', 'text'],
    meaning: 'JSON short or long, or key=value text',
  },
  {
    name: 'separator',
    values: [';', '|', '&', 'line'],
    meaning: 'separator of the pairs in key=value text',
  },
  {
    name: 'encoding',
    values: ['usual', ...Object.keys(ENCODINGS)],
    meaning: 'encoding of KSN, IV and values; usual: base64 in the long form, hex in the others',
  },
  {name: 'variant', values: Object.keys(VARIANTS), meaning: 'working key'},
  {name: 'mode', values: Object.keys(CIPHER_MODES), meaning: 'cipher mode'},
  {name: 'algorithm', values: ['tdes', 'aes'], meaning: 'TDES, or AES under the TDES DUKPT key'},
  {
    name: 'padding',
    values: ['zero', 'iso7816', 'pkcs7', 'x923'],
    meaning: 'padding of the plaintext to whole blocks',
  },
  {name: 'declare', values: ['off', 'on'], meaning: 'give the padding in a member of its own'},
  {
    name: 'content',
    values: ['tracks', 'tlv'],
    meaning: 'swiped: one value per track, or one TLV list of DFDB06 and DFDB05',
  },
  {name: 'lrc', values: ['on', 'off'], meaning: 'the LRC after the tracks'},
  {
    name: 'tags',
    values: ['5A,57,5F20,5F24,5F30'],
    form: /^[0-9A-F]{2,6}(?:,[0-9A-F]{2,6})*$/,
    meaning: 'emv: content of the TLV list',
  },
  {name: 'ksn', values: ['payload', 'request'], meaning: 'where the KSN is placed'},
  {name: 'iv', values: ['payload', 'request'], meaning: 'where the IV is placed'},
] as const;

type Options = Readonly<Record<(typeof OPTIONS)[number]['name'], string>>;

/**
 * Generates the generic forms: tracks or TLV lists, described by the caller
 * (docs/formats/generic.md#generic-forms).
 */
export const genericWriter: Writer = {
  modes: ['swiped', 'emv', 'keyed'],
  options: OPTIONS,
  write: (request) => {
    const options = resolveOptions(OPTIONS, request.options);
    const encode = encoder(options);
    const values = plaintexts(request, options).map(({name, plain}) => ({
      name,
      value: encode(encryptValue(plain, request, options)),
    }));
    const devicePayload = FORMS[options.form as keyof typeof FORMS](
      describe(request, options, encode),
      values,
      options,
    );
    return {devicePayload, ...outside(request, options)};
  },
};

type Encode = (bytes: Uint8Array) => string;

function encoder({form, encoding}: Options): Encode {
  const usual = form === 'long' ? 'base64' : 'hex';
  return (encoding === 'usual' ? usual : encoding) === 'base64' ? base64Of : upperHexOf;
}

interface Plaintext {
  readonly name: string;
  readonly plain: Uint8Array;
}

function plaintexts({mode, card}: WriteRequest, options: Options): Plaintext[] {
  const tracks = trackTexts(card, options);
  if (mode === 'swiped' && options.content === 'tracks') {
    return tracks.map(({number, plain}) => ({name: `track${number}`, plain}));
  }
  return [{name: 'data', plain: LISTS[mode](card, options, tracks)}];
}

type Tracks = readonly {readonly number: TrackNumber; readonly plain: Uint8Array}[];

const LISTS: Readonly<
  Record<WriteRequest['mode'], (card: CardImage, options: Options, tracks: Tracks) => Uint8Array>
> = {
  swiped: (_card, _options, tracks) =>
    concatBytes(
      ...tracks.toReversed().flatMap(({number, plain}) => {
        const tag = TRACK_TAGS[number];
        return tag === undefined ? [] : [writeTlv(tag, plain)];
      }),
    ),
  emv: (card, {tags}) =>
    concatBytes(
      ...tags.split(',').map((tag) => writeTlv(tag, chipValue(tag, card) ?? new Uint8Array())),
    ),
  keyed: ({pan, expiry, cvv}) =>
    concatBytes(
      writeTlv('DFDB01', packDigits(pan)),
      ...(cvv === undefined ? [] : [writeTlv('DFDB02', bytesFromLatin1(cvv))]),
      writeTlv('DFDB03', packDigits(expiry)),
      MANUAL_ENTRY,
    ),
};

/** POS entry mode 01, amount, currency and country: a short PAN alone could be chance. */
const MANUAL_ENTRY = bytesOfHex('9F3901019F02060000000010005F2A0208409F1A020840');

/** VIPA's tags for clear tracks inside a decrypted list. */
const TRACK_TAGS: Readonly<Partial<Record<TrackNumber, string>>> = {1: 'DFDB05', 2: 'DFDB06'};

function trackTexts({track1, track2, track3}: CardImage, {lrc}: Options): Tracks {
  return [track1, track2, track3].flatMap((text, i) => {
    const number = (i + 1) as TrackNumber;
    if (text === undefined) return [];
    const sent = lrc === 'on' ? text + trackLrc(number, text) : text;
    return [{number, plain: bytesFromLatin1(sent)}];
  });
}

function encryptValue(plain: Uint8Array, request: WriteRequest, options: Options): Uint8Array {
  const {ksn, iv, encrypt} = request;
  const algorithm = ksn.length === 24 || options.algorithm === 'aes' ? 'aes' : 'tdes';
  const key = VARIANTS[options.variant] ?? {variant: 'data' as const, selfEncrypted: true};
  const setting: CipherSetting = {algorithm, mode: options.mode as CipherMode, ...key};
  const filled = addFill(plain, options.padding as Fill, blockSizeOf(algorithm));
  return encrypt(filled, setting, iv ? {iv} : {});
}

/** The members that describe the decryption, without those that have the default value. */
function describe({serial, ksn, iv}: WriteRequest, options: Options, encode: Encode): Text {
  const {form, encoding, variant, mode, algorithm, padding, declare} = options;
  const usual = form === 'long' ? 'base64' : 'hex';
  return {
    ...(serial === undefined ? {} : {serial}),
    ...(options.ksn === 'request' ? {} : {ksn: encode(bytesFromHex(ksn) ?? new Uint8Array())}),
    ...(iv && options.iv === 'payload' ? {iv: encode(iv)} : {}),
    ...(encoding === 'usual' || encoding === usual ? {} : {encoding}),
    ...(variant === 'data' ? {} : {variant}),
    ...(mode === 'cbc' ? {} : {mode}),
    ...(algorithm === 'tdes' ? {} : {algorithm}),
    ...(declare === 'on' ? {padding} : {}),
  };
}

type Form = (members: Text, values: readonly NamedValue[], options: Options) => string;

const FORMS: Readonly<Record<'short' | 'long' | 'text', Form>> = {
  short: (members, values) =>
    JSON.stringify({
      ...members,
      ...Object.fromEntries(values.map(({name, value}) => [name, value])),
    }),
  long: ({serial, ksn, iv, encoding, ...members}, values) =>
    JSON.stringify({
      serial,
      hasCcData: '1',
      decryptionParameters: {sequenceNumber: ksn, cbcVector: iv, encoding},
      ...members,
      encrypted: values,
    }),
  text: (members, values, {separator}) =>
    [...Object.entries(members), ...values.map(({name, value}) => [name, value])]
      .map(([name, value]) => `${name}=${value}`)
      .join(separator === 'line' ? '\n' : separator),
};

function outside({ksn, iv}: WriteRequest, options: Options): Partial<Written> {
  return {
    ...(options.ksn === 'request' ? {ksn} : {}),
    ...(iv && options.iv === 'request' ? {iv: upperHexOf(iv)} : {}),
  };
}
