import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, upperHexOf} from '../../../platform/bytes.js';
import type {TrackNumber} from '../../card/lrc.js';
import {blockSizeOf, type CipherMode} from '../../cipher/block-cipher.js';
import {addFill, type Fill} from '../../cipher/padding.js';
import {schemeOf} from '../../dukpt/ksn.js';
import {packDigits, track2EquivalentOf} from '../../forms/tlv/chip-data.js';
import {CARD_DATA_SETTING} from '../../reading.js';
import type {CardImage, WriteRequest, Writer, WriterOption} from '../../writing.js';
import {terminalWriter} from '../writer-options.js';

const FORM_OPTION: WriterOption = {
  name: 'form',
  values: ['short', 'request'],
  meaning: 'members alone, or the request of the processor around them',
};

/** Members of a request, nested. */
type Tree = Readonly<{[name: string]: string | Tree}>;

/** What the members of a request are made of. */
interface RequestParts {
  readonly card: CardImage;
  /** KSN and IV, as members of these names. */
  readonly key: Readonly<{ksn: string; iv?: string}>;
  readonly options: Readonly<Record<string, string>>;
  /** The hex of a value under the data key; absent: zeros in front of it fill its blocks. */
  readonly encrypted: (plain: string | Uint8Array, fill?: Fill) => string;
}

/** The differences between the writers of forwarded reads. */
interface ForwardedShape {
  readonly mode: 'swiped' | 'emv';
  readonly options?: readonly WriterOption[];
  /** Without an IV; absent: CBC. */
  readonly cipherMode?: CipherMode;
  readonly members: (parts: RequestParts) => Tree;
  /** The names of the objects around the members in a whole request. */
  readonly around: readonly string[];
}

function forwardedWriter({mode, options = [], cipherMode, ...shape}: ForwardedShape): Writer {
  return terminalWriter({
    modes: [mode],
    options: [FORM_OPTION, ...options],
    write: (request, chosen: Readonly<Record<string, string>>) => {
      const members = shape.members(requestParts(request, cipherMode, chosen));
      if (chosen.form === 'short') return JSON.stringify(members);
      const whole = shape.around.reduceRight<Tree | readonly Tree[]>(
        (inner, name) => (name === '[]' ? [inner as Tree] : {[name]: inner as Tree}),
        members,
      );
      return JSON.stringify(whole);
    },
  });
}

function requestParts(
  {card, ksn, iv, encrypt}: WriteRequest,
  cipherMode: CipherMode = 'cbc',
  options: RequestParts['options'],
): RequestParts {
  const algorithm = schemeOf(ksn);
  const block = blockSizeOf(algorithm);
  const setting = {...CARD_DATA_SETTING, algorithm, mode: iv ? 'cbc' : cipherMode};
  return {
    card,
    options,
    key: {ksn, ...(iv ? {iv: upperHexOf(iv)} : {})},
    encrypted: (value, fill) => {
      const plain = typeof value === 'string' ? bytesFromLatin1(value) : value;
      const whole = fill ? addFill(plain, fill, block) : afterZeros(plain, block);
      return upperHexOf(encrypt(whole, setting, iv ? {iv} : {}));
    },
  };
}

/** Whole blocks with zeros in front. */
function afterZeros(plain: Uint8Array, block: number): Uint8Array {
  const whole = new Uint8Array(Math.ceil(plain.length / block) * block);
  whole.set(plain, whole.length - plain.length);
  return whole;
}

/** Track 1 or 2 of the card, with sentinels. Throws 9001 if it has none. */
function cardTrack({track1, track2}: CardImage, number: TrackNumber): string {
  const text = number === 1 ? track1 : track2;
  if (text === undefined) throw new PaylensError(9001, `the card has no track ${number}`);
  return text;
}

/** Packed digits of whole blocks have no padding, and are not evidence enough without a copy. */
function maskedPanMember({pan}: CardImage): string {
  return `${pan.slice(0, 6)}******${pan.slice(-4)}`;
}

/** Generates reads of Newland: ECB without an IV (docs/terminals/forwarded.md#newland). */
export const newlandWriter = forwardedWriter({
  mode: 'swiped',
  cipherMode: 'ecb',
  members: ({card, key, encrypted}) => {
    const text = cardTrack(card, 1).slice(1, -1);
    const counted = `${String(text.length).padStart(2, '0')}${text}`;
    return {poiType: 'newland', track1: encrypted(counted, 'zero'), ...key};
  },
  around: ['card_present'],
});

/** Generates reads of BBPOS: track 2 in the member of track 1 (docs/terminals/forwarded.md#bbpos). */
export const bbposWriter = forwardedWriter({
  mode: 'swiped',
  members: ({card, key, encrypted}) => {
    const digits = cardTrack(card, 2).slice(1, -1).replaceAll('=', 'D');
    const track1 = encrypted(packDigits(digits), 'ff');
    return {poiType: 'bbpos', maskedPan: maskedPanMember(card), track1, ...key};
  },
  around: ['card_present'],
});

/** Generates reads of Poynt (docs/terminals/forwarded.md#poynt). */
export const poyntWriter = forwardedWriter({
  mode: 'swiped',
  options: [{name: 'tracks', values: ['12', '1', '2'], meaning: 'tracks sent'}],
  members: ({card, key: {ksn, iv}, options: {tracks = ''}, encrypted}) => {
    const {pan, expiry} = card;
    const values = ([1, 2] as const)
      .filter((number) => tracks.includes(String(number)))
      .map((number) => [number, encrypted(cardTrack(card, number))] as const);
    const emvTags = {
      '0x1F8102': ksn,
      '0x1F8103': upperHexOf(bytesFromLatin1(pan.slice(0, 6))),
      '0x1F8104': upperHexOf(bytesFromLatin1(pan.slice(-4))),
      '0x5F24': `${expiry}28`,
      '0x9F39': '02',
      ...Object.fromEntries(values.map(([number, value]) => [`0x5${5 + number}`, value])),
    };
    return {
      card: Object.fromEntries(values.map(([number, value]) => [`track${number}data`, value])),
      emvData: {emvTags},
      ...(iv === undefined ? {} : {iv}),
    };
  },
  around: ['transactions', '[]', 'fundingSource'],
});

/** Generates reads of Spire (docs/terminals/forwarded.md#spire). */
export const spireWriter = forwardedWriter({
  mode: 'emv',
  members: ({card, key, encrypted}) => ({
    pan: maskedPanMember(card),
    track2Data: encrypted(packDigits(track2EquivalentOf(card)), 'pkcs7'),
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
