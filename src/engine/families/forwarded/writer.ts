import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import type {TrackNumber} from '../../card/lrc.js';
import {blockSizeOf, type CipherMode} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import {schemeOf} from '../../dukpt/ksn.js';
import {packDigits, track2EquivalentOf} from '../../forms/tlv/chip-data.js';
import {CARD_DATA_SETTING} from '../../reading.js';
import type {CardImage, WriteRequest, Writer, WriterOption, Written} from '../../writing.js';
import {resolveOptions} from '../writer-options.js';

const FORM_OPTION: WriterOption = {
  name: 'form',
  values: ['short', 'request', 'lines'],
  meaning: 'members alone, the request of the processor around them, or name: value lines',
};

type ForwardedOptions = Readonly<Record<string, string>>;
/** Members of a request, nested. */
type Tree = Readonly<{[name: string]: string | Tree}>;

/** The differences between the writers of forwarded reads. */
interface ForwardedShape {
  readonly mode: 'swiped' | 'emv';
  readonly options?: readonly WriterOption[];
  /** Without an IV; absent: CBC. */
  readonly cipherMode?: CipherMode;
  /** The plaintexts by their members. */
  readonly plaintexts: (
    card: CardImage,
    block: number,
    options: ForwardedOptions,
  ) => Readonly<Record<string, Uint8Array>>;
  /** The members alone, with KSN and IV. */
  readonly members: (values: Tree, key: KeyMembers, card: CardImage) => Tree;
  /** The names of the objects around the members in a whole request. */
  readonly around: readonly string[];
}

type KeyMembers = Readonly<{ksn: string; iv?: string}>;

function forwardedWriter(shape: ForwardedShape): Writer {
  const all = [FORM_OPTION, ...(shape.options ?? [])];
  return {
    modes: [shape.mode],
    options: all,
    write: (request) => write(shape, request, resolveOptions(all, request.options)),
  };
}

function write(shape: ForwardedShape, request: WriteRequest, options: ForwardedOptions): Written {
  const {ksn, iv, card, encrypt, serial} = request;
  const algorithm = schemeOf(ksn);
  const mode = iv ? 'cbc' : (shape.cipherMode ?? 'cbc');
  const setting = {...CARD_DATA_SETTING, algorithm, mode};
  const plaintexts = shape.plaintexts(card, blockSizeOf(algorithm), options);
  const values = Object.entries(plaintexts).map(
    ([name, plain]) => [name, upperHexOf(encrypt(plain, setting, iv ? {iv} : {}))] as const,
  );
  const key = {ksn, ...(iv ? {iv: upperHexOf(iv)} : {})};
  const members = shape.members(Object.fromEntries(values), key, card);
  return {
    devicePayload: writeForwardedForm(members, shape.around, options),
    ...(serial === undefined ? {} : {deviceSerial: serial}),
  };
}

function writeForwardedForm(
  members: Tree,
  around: readonly string[],
  {form}: ForwardedOptions,
): string {
  if (form === 'lines')
    return flatMembers(members)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n');
  if (form === 'short') return JSON.stringify(members);
  const whole = around.reduceRight<Tree | readonly Tree[]>(
    (inner, name) => (name === '[]' ? [inner as Tree] : {[name]: inner as Tree}),
    members,
  );
  return JSON.stringify(whole);
}

function flatMembers(tree: Tree): (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : flatMembers(value),
  );
}

/** Track 1 or 2 of the card, with sentinels. Throws 9001 if it has none. */
function cardTrack({track1, track2}: CardImage, number: TrackNumber): string {
  const text = number === 1 ? track1 : track2;
  if (text === undefined) throw new PaylensError(9001, `the card has no track ${number}`);
  return text;
}

/** Generates reads of Newland: ECB without an IV (docs/terminals/forwarded.md#newland). */
export const newlandWriter = forwardedWriter({
  mode: 'swiped',
  cipherMode: 'ecb',
  plaintexts: (card, block) => {
    const text = cardTrack(card, 1).slice(1, -1);
    const counted = `${String(text.length).padStart(2, '0')}${text}`;
    return {track1: addFill(bytesFromLatin1(counted), 'zero', block)};
  },
  members: (values, key) => ({poiType: 'newland', ...values, ...key}),
  around: ['card_present'],
});

/** Packed digits of whole blocks have no padding, and are not evidence enough without a copy. */
function maskedPanMember({pan}: CardImage): string {
  return `${pan.slice(0, 6)}******${pan.slice(-4)}`;
}

/** Generates reads of BBPOS: track 2 in the member of track 1 (docs/terminals/forwarded.md#bbpos). */
export const bbposWriter = forwardedWriter({
  mode: 'swiped',
  plaintexts: (card, block) => {
    const digits = cardTrack(card, 2).slice(1, -1).replaceAll('=', 'D');
    return {track1: addFill(packDigits(digits), 'ff', block)};
  },
  members: (values, key, card) => ({
    poiType: 'bbpos',
    maskedPan: maskedPanMember(card),
    ...values,
    ...key,
  }),
  around: ['card_present'],
});

/** Generates reads of Poynt (docs/terminals/forwarded.md#poynt). */
export const poyntWriter = forwardedWriter({
  mode: 'swiped',
  options: [{name: 'tracks', values: ['12', '1', '2'], meaning: 'tracks sent'}],
  plaintexts: (card, block, {tracks = '12'}) => {
    const numbers = [...tracks].map(Number) as (1 | 2)[];
    return Object.fromEntries(
      numbers.map((number) => [`track${number}data`, afterZeros(cardTrack(card, number), block)]),
    );
  },
  members: (values, {ksn, iv}, {pan, expiry}) => ({
    card: values,
    emvData: {
      emvTags: {
        '0x1F8102': ksn,
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

/** Pads a track to whole blocks with zeros in front of it. */
function afterZeros(text: string, block: number): Uint8Array {
  const zeros = new Uint8Array((block - (text.length % block)) % block);
  return concatBytes(zeros, bytesFromLatin1(text));
}

/** Generates reads of Spire (docs/terminals/forwarded.md#spire). */
export const spireWriter = forwardedWriter({
  mode: 'emv',
  plaintexts: (card, block) => ({
    track2Data: addFill(packDigits(track2EquivalentOf(card)), 'pkcs7', block),
  }),
  members: (values, key, card) => ({
    pan: maskedPanMember(card),
    ...values,
    dataEncryptionParams: {
      encoding: 'hex',
      format: 'thor-posmate-chip',
      ...key,
      padding: 'pkcs',
      version: '0',
    },
  }),
  around: ['payments', '[]', 'cardData'],
});
