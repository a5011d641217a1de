import type {PaylensError} from '../../../contract/paylens-error.js';
import {latin1Of} from '../../../platform/bytes.js';
import type {TlvObject} from '../../tlv/ber.js';
import {EMV_TAGS} from '../../tlv/tags.js';
import {severalReads} from './one-read.js';

/**
 * The TLV forms of terminals, by objects that only one of them sends: its ciphertext or its KSN.
 */
const SIGNS = {
  ViVOpay: ['DFEE12', 'FFEE12', 'DFEE23', 'DFEF4D'],
  XPI: ['DF9020'],
  VIPA: ['DFDF10', 'DFDF13'],
  Miura: ['DFAE02'],
  BBPOS: ['C2', 'C5', 'C6', 'C8'],
  MagTek: ['DFDF37', 'DFDF39', 'DFDF56', 'DFDF59'],
} as const;

type TlvForm = keyof typeof SIGNS;

const FORMS = new Map<string, TlvForm>(
  (Object.keys(SIGNS) as TlvForm[]).flatMap((form) => SIGNS[form].map((tag) => [tag, form])),
);

/** BBPOS's short tags mean other things elsewhere, but not beside one of these KSNs. */
const KSNS: Readonly<Partial<Record<TlvForm, readonly string[]>>> = {
  BBPOS: ['C0', 'C3', 'C7'],
  MagTek: ['DFDF50', 'DFDF56'],
};
const KSN_BYTES = [10, 12];

/**
 * Objects encrypted by another terminal, or bytes that are not a list, are a second read. Throws
 * 2100.
 */
export function demandOneForm(all: readonly TlvObject[], own: TlvForm): void {
  demandTags(all);
  for (const object of all) {
    if (object.tag === MMS && object.value.length === 0) throw messageInside(object, own);
    const form = formOf(object);
    if (form === undefined || form === own || !hasKsn(all, form)) continue;
    const {tag, offset} = object;
    throw severalReads(`tag ${tag} at ${offset}: a read in ${form} tags beside ${own}`);
  }
}

/** MagTek's messages begin with this tag, and hide their container in the value of another. */
const MMS = 'AA';

function messageInside({offset}: TlvObject, own: TlvForm): PaylensError {
  return severalReads(`tag ${MMS} at ${offset}: a message of MagTek beside ${own}`);
}

/** A list contains no ASN.1 universal tags, and a terminal's list begins with a known tag. */
function demandTags(all: readonly TlvObject[]): void {
  const foreign = all.slice(0, 1).find(isNoBeginning) ?? all.find(({tag}) => UNIVERSAL.test(tag));
  if (!foreign) return;
  const {tag, offset} = foreign;
  throw severalReads(
    `tag ${tag} at ${offset}: not a tag of this terminal, but perhaps of another read`,
  );
}

/** Class bits 00, universal: `02` is the STX of a frame. */
const UNIVERSAL = /^[0-3]/;

/** Ciphertext before a list looks like an object with a short tag. */
function isNoBeginning({tag, value, flag}: TlvObject): boolean {
  if (!SHORT_PRIMITIVE.test(tag) || flag) return false;
  const isKnown = EMV_TAGS[tag] !== undefined || TERMINAL_TAG.test(tag);
  return !isKnown || value.length > (MOST_BYTES[tag] ?? value.length);
}

const SHORT_PRIMITIVE = /^[4589CD].$/;
/** The card status of Miura and VIPA, and BBPOS's tags. */
const TERMINAL_TAG = /^(?:48|C[\dA-E]|DC)$/;
/** Largest lengths (EMV Book 3, Annex A); tags that terminals encrypt have none here. */
const MOST_BYTES: Readonly<Record<string, number>> = {
  ...{42: 3, 50: 16, 81: 4, 82: 2, 84: 16, 87: 1, 88: 1, 89: 6, 91: 16, 95: 5, 98: 20},
  ...{'4F': 16, '8A': 2, '8F': 1, '9A': 3, '9B': 2, '9C': 1},
};

/** The form of an object that only one terminal sends. */
function formOf({tag, value}: TlvObject): TlvForm | undefined {
  // The name at the start of a message looks like an object of tag 56.
  if (tag === '56') return /^VO(?:tech2|payV3)\0/.test(latin1Of(value)) ? 'ViVOpay' : undefined;
  return value.length > 0 ? FORMS.get(tag) : undefined;
}

function hasKsn(all: readonly TlvObject[], form: TlvForm): boolean {
  const ksns = KSNS[form];
  return (
    !ksns || all.some(({tag, value}) => ksns.includes(tag) && KSN_BYTES.includes(value.length))
  );
}
