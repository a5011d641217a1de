import {PaylensError} from '../../../contract/paylens-error.js';
import {latin1Of, upperHexOf} from '../../../platform/bytes.js';
import type {MaskedPan} from '../../card/masked-pans.js';
import {type ObjectName, OPEN_DIGITS} from './layout.js';

/** An encrypted object: its KSN and what it holds. */
export interface Place {
  readonly name: ObjectName;
  readonly ksn: ObjectName;
  readonly holds: 1 | 2 | 3 | 'pan';
}

/** A place with its value. */
export interface SentObject extends Place {
  readonly bytes: Uint8Array;
}

/**
 * The cleartext that may precede the blocks of all fields, most likely first. Throws 2102 if no
 * number of digits leaves whole blocks in all of them, 2100 for one that does not exist.
 */
export function headLayouts(
  sent: readonly SentObject[],
  given: string | undefined,
): readonly Head[][] {
  const layouts = statedDigits(given).map((digits) => headsWithDigits(sent, digits));
  const found = layouts.filter((heads) => heads !== undefined);
  if (found.length > 0) return found;
  throw brokenBlocks(sent);
}

/** Throws 2100 for a number of digits that does not exist. */
function statedDigits(given: string | undefined): readonly number[] {
  if (given === undefined) return OPEN_DIGITS;
  const found = OPEN_DIGITS.filter((digits) => digits === Number(given));
  if (found.length > 0) return found;
  throw new PaylensError(2100, `SPE_OPNDIG: expected ${OPEN_DIGITS.join(', ')}`);
}

/** The cleartext before the blocks of a field. */
export interface Head {
  readonly length: number;
  readonly digits: number;
  /** PIN pads before protocol 2.03 do not send the format letter. */
  readonly lacksLetter?: true;
}

export const NO_HEAD: Head = {length: 0, digits: 0};

/** The heads of all fields with this number of digits; undefined if one does not fit. */
function headsWithDigits(sent: readonly SentObject[], digits: number): Head[] | undefined {
  const heads = sent.map((one) => possibleHeads(one, digits).find((head) => headFits(one, head)));
  const found = heads.filter((head) => head !== undefined);
  return found.length === sent.length ? found : undefined;
}

function possibleHeads({holds}: SentObject, digits: number): Head[] {
  if (holds !== 1) return [{length: digits / 2, digits}];
  const bare: Head = {length: digits, digits, ...(digits > 0 ? {lacksLetter: true} : {})};
  return [{length: 1 + digits, digits}, bare];
}

function headFits({holds, bytes}: SentObject, {length, digits, lacksLetter}: Head): boolean {
  if (bytes.length <= length || (bytes.length - length) % 8 !== 0) return false;
  const head = bytes.subarray(0, length);
  if (holds !== 1) return /^\d*$/.test(upperHexOf(head));
  if (length === 0) return true;
  return new RegExp(`^${lacksLetter ? '' : '[A-Z]'}\\d{${digits}}$`).test(latin1Of(head));
}

function brokenBlocks(sent: readonly SentObject[]): PaylensError {
  const lengths = sent.map(({name, bytes}) => `${name} of ${bytes.length}`).join(', ');
  return new PaylensError(
    2102,
    `expected whole blocks of 8 bytes after the digits in cleartext, found ${lengths} bytes`,
  );
}

/** Digits that are in clear in the track as well prove nothing. */
export function hiding(copy: MaskedPan, digits: number): MaskedPan {
  return {...copy, pan: '*'.repeat(digits) + copy.pan.slice(digits)};
}
