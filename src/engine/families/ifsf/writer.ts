import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import type {CardImage, WriteRequest} from '../../writing.js';
import {type OptionValues, terminalWriter} from '../writer-options.js';
import {EDITIONS, elementAt} from './elements.js';

const IFSF_OPTIONS = [
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
] as const;

type IfsfOptions = OptionValues<typeof IFSF_OPTIONS>;

/** Generates DE-127 of a host message (docs/terminals/ifsf.md#de-127). */
export const ifsfWriter = terminalWriter({
  modes: ['swiped', 'keyed'],
  options: IFSF_OPTIONS,
  write: (request, options) => {
    const {ksn, iv, serial} = request;
    const value = encryptElements(request, options);
    const ivHex = iv && {iv: upperHexOf(iv)};
    const members = {de53: ksn, ...ivHex, de127: value};
    if (options.form === 'json') return JSON.stringify(members);
    if (options.form === 'hex')
      return {
        ...{devicePayload: value, ksn, ...ivHex},
        ...(serial === undefined ? {} : {deviceSerial: serial}),
      };
    const lines = Object.entries(members).map(([name, text]) => `${name}: ${text}`);
    return lines.join('\n');
  },
});

function encryptElements(request: WriteRequest, options: IfsfOptions): string {
  const {ksn, iv, encrypt} = request;
  const block = blockSizeOf(ksn.length === 24 ? 'aes' : 'tdes');
  const setting = EDITIONS[options.edition as unknown as keyof typeof EDITIONS];
  const plain = addFill(elementList(request, options), 'zero', block);
  return upperHexOf(encrypt(plain, setting, iv ? {iv} : {}));
}

function elementList({card, mode}: WriteRequest, {elements}: IfsfOptions): Uint8Array {
  const usual = mode === 'swiped' ? '35' : '2,14';
  const tags = (elements === 'usual' ? usual : elements).split(',').map(Number);
  const isSwiped = tags.some((tag) => elementAt(tag)?.track);
  if (new Set(tags).size < tags.length || isSwiped !== (mode === 'swiped'))
    throw new PaylensError(9001, WRONG_ELEMENTS);
  return concatBytes(...tags.map((tag) => element(tag, elementText(tag, card))));
}

const WRONG_ELEMENTS = 'option elements: expected each once, and tracks for swiped alone';

function element(tag: number, value: string): Uint8Array {
  const header = Uint8Array.of(tag, value.length >> 8, value.length & 0xff);
  return concatBytes(header, bytesFromLatin1(value));
}

/** Throws 9001 if the card has no such track. */
function elementText(tag: number, card: CardImage): string {
  const number = elementAt(tag)?.track;
  if (number === undefined) return tag === 2 ? card.pan : card.expiry;
  const text = card[`track${number}`];
  if (text !== undefined) return text.slice(1, -1);
  throw new PaylensError(9001, `option elements: the card has no track for ${tag}`);
}
