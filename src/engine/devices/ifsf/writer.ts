import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import type {CardImage, WriteRequest, Writer, Written} from '../writer.js';
import {resolveOptions} from '../writer-options.js';
import {EDITIONS, ELEMENTS} from './layout.js';

const OPTIONS = [
  {
    name: 'form',
    values: ['hex', 'json', 'lines'],
    meaning: 'the value of DE-127 alone, or a description of the message',
  },
  {
    name: 'edition',
    values: ['2009', '2004'],
    meaning: 'X9.24-1:2009, with self-encryption, or the edition of 2004, without',
  },
  {
    name: 'elements',
    values: ['usual'],
    form: /^(?:2|14|35|36|45)(?:,(?:2|14|35|36|45))*$/,
    meaning: 'numbers of the elements; usual: 35 for swiped, 2 and 14 for keyed',
  },
  {name: 'separator', values: ['=', 'D'], meaning: 'separator in track 2'},
  {name: 'expiry', values: ['YYMM', 'YYMMDD'], meaning: 'form of element 14'},
  {
    name: 'padding',
    values: ['zero', 'iso7816', 'iso7816-and-block'],
    meaning: 'padding to whole blocks; the last adds a block of zeros',
  },
  {
    name: 'names',
    values: ['de127', 'DE-127', '127', 'S-127'],
    meaning: 'spelling of the names in a description',
  },
  {name: 'ksn', values: ['auto', 'DE-53', 'ksn', 'request'], meaning: 'where the KSN is placed'},
  {name: 'iv', values: ['auto', 'request'], meaning: 'where the IV is placed'},
] as const;

type Options = Readonly<Record<(typeof OPTIONS)[number]['name'], string>>;

/** Generates DE-127 of a host message (docs/formats/ifsf.md#de-127). */
export const ifsfWriter: Writer = {
  modes: ['swiped', 'keyed'],
  options: OPTIONS,
  write: (request) => {
    const options = resolveOptions(OPTIONS, request.options);
    const {serial} = request;
    return {
      ...FORMS[options.form as keyof typeof FORMS](encrypted(request, options), request, options),
      ...(serial === undefined ? {} : {deviceSerial: serial}),
    };
  },
};

function encrypted(request: WriteRequest, options: Options): string {
  const {ksn, iv, encrypt} = request;
  const block = blockSizeOf(ksn.length === 24 ? 'aes' : 'tdes');
  const setting = EDITIONS[options.edition as unknown as keyof typeof EDITIONS];
  const plain = padded(elementList(request, options), options, block);
  return upperHexOf(encrypt(plain, setting, iv ? {iv} : {}));
}

function padded(list: Uint8Array, {padding}: Options, block: number): Uint8Array {
  if (padding === 'zero') return addFill(list, 'zero', block);
  const filled = addFill(list, 'iso7816', block);
  return padding === 'iso7816' ? filled : concatBytes(filled, new Uint8Array(block));
}

const USUAL: Readonly<Record<WriteRequest['mode'], string>> = {
  swiped: '35',
  keyed: '2,14',
  emv: '2,14',
};

function elementList({card, mode}: WriteRequest, options: Options): Uint8Array {
  const wanted = options.elements === 'usual' ? USUAL[mode] : options.elements;
  const tags = wanted.split(',').map(Number);
  const isSwiped = tags.some((tag) => tag > ELEMENTS.expiry);
  if (new Set(tags).size < tags.length || isSwiped !== (mode === 'swiped'))
    throw new PaylensError(
      9001,
      'option elements: expected each once, and tracks for swiped alone',
    );
  return concatBytes(...tags.map((tag) => element(tag, textOf(tag, card, options))));
}

function element(tag: number, value: string): Uint8Array {
  return concatBytes(
    Uint8Array.of(tag, value.length >> 8, value.length & 0xff),
    bytesFromLatin1(value),
  );
}

/** Throws 9001 if the card has no such track. */
function textOf(tag: number, card: CardImage, options: Options): string {
  const {pan, expiry, track1, track2, track3} = card;
  if (tag === ELEMENTS.pan) return pan;
  if (tag === ELEMENTS.expiry) return options.expiry === 'YYMM' ? expiry : `${expiry}31`;
  const text = {[ELEMENTS.track1]: track1, [ELEMENTS.track2]: track2, [ELEMENTS.track3]: track3}[
    tag
  ];
  if (text === undefined)
    throw new PaylensError(9001, `option elements: the card has no track for ${tag}`);
  const bare = text.slice(1, -1);
  return tag === ELEMENTS.track2 ? bare.replaceAll('=', options.separator) : bare;
}

type Form = (value: string, request: WriteRequest, options: Options) => Written;

const FORMS: Readonly<Record<'hex' | 'json' | 'lines', Form>> = {
  hex: (devicePayload, {ksn, iv}, options) => {
    if (options.ksn !== 'auto' && options.ksn !== 'request')
      throw new PaylensError(9001, 'option ksn: hex alone has no room for it');
    return {devicePayload, ksn, ...(iv ? {iv: upperHexOf(iv)} : {})};
  },
  json: (value, request, options) =>
    described(value, request, options, (members) => JSON.stringify(Object.fromEntries(members))),
  lines: (value, request, options) =>
    described(value, request, options, (members) =>
      members.map(([name, text]) => `${name}: ${text}`).join('\n'),
    ),
};

function described(
  value: string,
  {ksn, iv}: WriteRequest,
  options: Options,
  join: (members: readonly (readonly [string, string])[]) => string,
): Written {
  const name = (number: number) => options.names.replace('127', String(number));
  const isOutside = options.ksn === 'request';
  const place = options.ksn === 'ksn' ? 'ksn' : name(53);
  const ivInside = iv !== undefined && options.iv === 'auto';
  const members = [
    ...(isOutside ? [] : [[place, ksn] as const]),
    ...(ivInside ? [['iv', upperHexOf(iv)] as const] : []),
    [name(127), value] as const,
  ];
  return {
    devicePayload: join(members),
    ...(isOutside ? {ksn} : {}),
    ...(iv && !ivInside ? {iv: upperHexOf(iv)} : {}),
  };
}
