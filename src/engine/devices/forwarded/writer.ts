import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {type TrackNumber, trackLrc} from '../../card/lrc.js';
import {blockSizeOf, type CipherMode} from '../../cipher/block-cipher.js';
import {addFill, type Fill} from '../../cipher/padding.js';
import {CARD_DATA_SETTING} from '../../reading.js';
import {packDigits, track2EquivalentOf} from '../shared/chip-data.js';
import type {CardImage, WriteRequest, Writer, WriterOption, Written} from '../writer.js';
import {resolveOptions} from '../writer-options.js';

const COMMON = [
  {
    name: 'form',
    values: ['short', 'request', 'lines'],
    meaning: 'members alone, the request of the processor around them, or name: value lines',
  },
  {name: 'ksn', values: ['payload', 'request'], meaning: 'where the KSN is placed'},
  {name: 'iv', values: ['payload', 'request'], meaning: 'where the IV is placed'},
] as const;

type Options = Readonly<Record<string, string>>;
/** Members of a request, nested. */
type Tree = Readonly<{[name: string]: string | Tree}>;

/** What differs between the writers of forwarded reads. */
interface Shape {
  readonly mode: 'swiped' | 'emv';
  readonly options: readonly WriterOption[];
  readonly cipherMode?: (options: Options) => CipherMode;
  /** The plaintexts by their members. */
  readonly plaintexts: (
    card: CardImage,
    options: Options,
    block: number,
  ) => Map<string, Uint8Array>;
  /** The members alone, with KSN and IV, if they have them. */
  readonly members: (values: Tree, key: Tree, request: WriteRequest, options: Options) => Tree;
  /** The names of the objects around the members in a whole request. */
  readonly around: readonly string[];
}

function forwardedWriter(shape: Shape): Writer {
  const all = [...COMMON, ...shape.options];
  return {
    modes: [shape.mode],
    options: all,
    write: (request) => write(shape, request, resolveOptions(all, request.options)),
  };
}

function write(shape: Shape, request: WriteRequest, options: Options): Written {
  const {ksn, iv, card, encrypt, serial} = request;
  const algorithm = ksn.length === 24 ? 'aes' : 'tdes';
  const mode = shape.cipherMode?.(options) ?? 'cbc';
  if (mode === 'ecb' && iv) throw new PaylensError(9001, 'option mode: ecb takes no IV');
  const values = [...shape.plaintexts(card, options, blockSizeOf(algorithm))].map(
    ([name, plain]) =>
      [
        name,
        upperHexOf(encrypt(plain, {...CARD_DATA_SETTING, algorithm, mode}, iv ? {iv} : {})),
      ] as const,
  );
  const isInside = options.ksn === 'payload';
  const ivInside = iv !== undefined && options.iv === 'payload';
  const key = {...(isInside ? {ksn} : {}), ...(ivInside ? {iv: upperHexOf(iv)} : {})};
  const members = shape.members(Object.fromEntries(values), key, request, options);
  return {
    devicePayload: inForm(members, shape, options),
    ...(isInside ? {} : {ksn}),
    ...(iv && !ivInside ? {iv: upperHexOf(iv)} : {}),
    ...(serial === undefined ? {} : {deviceSerial: serial}),
  };
}

function inForm(members: Tree, {around}: Shape, {form}: Options): string {
  if (form === 'lines')
    return linesOf(members)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n');
  if (form === 'short') return JSON.stringify(members);
  const whole = around.reduceRight<Tree | readonly Tree[]>(
    (inner, name) => (name === '[]' ? [inner as Tree] : {[name]: inner as Tree}),
    members,
  );
  return JSON.stringify(whole);
}

function linesOf(tree: Tree): (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : linesOf(value),
  );
}

/** Track 1 or 2 of the card without sentinels. Throws 9001 if it has none. */
function bareTrack(card: CardImage, number: 1 | 2): string {
  return trackOf(card, number).slice(1, -1);
}

function trackOf({track1, track2}: CardImage, number: TrackNumber): string {
  const text = number === 1 ? track1 : track2;
  if (text === undefined) throw new PaylensError(9001, `the card has no track ${number}`);
  return text;
}

const MODE = {name: 'mode', values: ['ecb', 'cbc'], meaning: 'cipher mode'} as const;

/** Generates reads of Newland (docs/formats/forwarded.md#newland). */
export const newlandWriter = forwardedWriter({
  mode: 'swiped',
  options: [
    MODE,
    {name: 'count', values: ['on', 'off'], meaning: 'two digits of length before the track'},
  ],
  cipherMode: ({mode}) => mode as CipherMode,
  plaintexts: (card, {count}, block) => {
    const text = bareTrack(card, 1);
    const sent = count === 'on' ? `${String(text.length).padStart(2, '0')}${text}` : text;
    return new Map([['track1', addFill(bytesFromLatin1(sent), 'zero', block)]]);
  },
  members: (values, key) => ({poiType: 'newland', ...values, ...key}),
  around: ['card_present'],
});

/** Packed digits of whole blocks have no padding, and are not evidence enough without it. */
const COPY = {
  name: 'copy',
  values: ['on', 'off'],
  meaning: 'a masked card number beside the ciphertext',
} as const;

function maskedCopy(pan: string): string {
  return `${pan.slice(0, 6)}******${pan.slice(-4)}`;
}

/** Generates reads of BBPOS (docs/formats/forwarded.md#bbpos). */
export const bbposWriter = forwardedWriter({
  mode: 'swiped',
  options: [
    {name: 'member', values: ['track1', 'track2'], meaning: 'name of the member with track 2'},
    {name: 'content', values: ['packed', 'text'], meaning: 'track 2 as packed digits or as text'},
    COPY,
  ],
  plaintexts: (card, {member = 'track1', content}, block) => {
    const digits = bareTrack(card, 2).replaceAll('=', 'D');
    const packed = addFill(packDigits(digits), 'ff', block);
    const text = addFill(bytesFromLatin1(trackOf(card, 2)), 'zero', block);
    return new Map([[member, content === 'packed' ? packed : text]]);
  },
  members: (values, key, {card: {pan}}, {copy}) => ({
    poiType: 'bbpos',
    ...(copy === 'on' ? {maskedPan: maskedCopy(pan)} : {}),
    ...values,
    ...key,
  }),
  around: ['card_present'],
});

/** Generates reads of Poynt (docs/formats/forwarded.md#poynt). */
export const poyntWriter = forwardedWriter({
  mode: 'swiped',
  options: [
    {name: 'tracks', values: ['12', '1', '2'], meaning: 'tracks sent'},
    {name: 'sentinels', values: ['on', 'off'], meaning: 'start and end sentinel'},
    {
      name: 'trailer',
      values: ['nothing', 'lrc', '0A'],
      meaning: 'after the end sentinel: nothing, the LRC, or a byte that is not text',
    },
  ],
  plaintexts: (card, options, block) => {
    const numbers = [...(options.tracks ?? '12')].map(Number) as (1 | 2)[];
    return new Map(
      numbers.map((number) => [`track${number}data`, behindZeros(card, number, options, block)]),
    );
  },
  members: (values, {ksn, iv}, {card: {pan, expiry}}) => ({
    card: values,
    emvData: {
      emvTags: {
        ...(ksn === undefined ? {} : {'0x1F8102': ksn}),
        '0x1F8103': upperHexOf(bytesFromLatin1(pan.slice(0, 6))),
        '0x1F8104': upperHexOf(bytesFromLatin1(pan.slice(-4))),
        '0x5F24': `${expiry}28`,
        '0x9F39': '02',
        ...(values.track1data === undefined ? {} : {'0x56': values.track1data}),
        ...(values.track2data === undefined ? {} : {'0x57': values.track2data}),
      },
    },
    ...(iv === undefined ? {} : {iv}),
  }),
  around: ['transactions', '[]', 'fundingSource'],
});

const TAILS: Options = {nothing: '', '0A': '\n'};

function behindZeros(card: CardImage, number: 1 | 2, options: Options, block: number): Uint8Array {
  const text = trackOf(card, number);
  const tail = TAILS[options.trailer ?? ''] ?? trackLrc(number, text);
  if (options.sentinels === 'off' && tail !== '')
    throw new PaylensError(9001, 'option trailer: needs the end sentinel');
  const sent = bytesFromLatin1(options.sentinels === 'on' ? text + tail : text.slice(1, -1));
  // Alone, without zeros in front, the byte would be an LRC.
  if (tail === '\n' && sent.length % block === 0)
    throw new PaylensError(9001, 'option trailer: 0A needs a track that does not fill its blocks');
  return concatBytes(new Uint8Array((block - (sent.length % block)) % block), sent);
}

/** Generates reads of Spire (docs/formats/forwarded.md#spire). */
export const spireWriter = forwardedWriter({
  mode: 'emv',
  options: [
    {
      name: 'padding',
      values: ['pkcs7', 'zero', 'ff'],
      meaning: 'padding of the plaintext; only pkcs7 is stated',
    },
    COPY,
  ],
  plaintexts: (card, {padding}, block) =>
    new Map([
      ['track2Data', addFill(packDigits(track2EquivalentOf(card)), padding as Fill, block)],
    ]),
  members: (values, key, {card: {pan}}, {padding, copy}) => ({
    ...(copy === 'on' ? {pan: maskedCopy(pan)} : {}),
    ...values,
    dataEncryptionParams: {
      encoding: 'hex',
      format: 'thor-posmate-chip',
      ...key,
      ...(padding === 'pkcs7' ? {padding: 'pkcs'} : {}),
      version: '0',
    },
  }),
  around: ['payments', '[]', 'cardData'],
});
