import type {TlvObject} from '../../tlv/ber.js';
import {EMV_TAGS} from '../../tlv/tags.js';
import {severalReads} from '../one-read.js';

/**
 * Checks that bytes are a terminal's list: it begins with a known tag and contains no ASN.1 universal
 * tags. Throws 2100.
 */
export function assertTerminalTags(all: readonly TlvObject[]): void {
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
  return !isKnown || value.length > (MAX_BYTES[tag] ?? value.length);
}

const SHORT_PRIMITIVE = /^[4589CD].$/;
/** The card status of Miura and VIPA, and BBPOS's tags. */
const TERMINAL_TAG = /^(?:48|C[\dA-E]|DC)$/;
/** Largest lengths (EMV Book 3, Annex A); tags that terminals encrypt have none here. */
const MAX_BYTES: Readonly<Record<string, number>> = {
  ...{42: 3, 50: 16, 81: 4, 82: 2, 84: 16, 87: 1, 88: 1, 89: 6, 91: 16, 95: 5, 98: 20},
  ...{'4F': 16, '8A': 2, '8F': 1, '9A': 3, '9B': 2, '9C': 1},
};
