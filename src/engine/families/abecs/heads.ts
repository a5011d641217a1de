import {PaylensError} from '../../../contract/paylens-error.js';
import {latin1Of, upperHexOf} from '../../../platform/bytes.js';
import type {MaskedPan} from '../../card/masked-pans.js';
import {type ObjectName, OPEN_DIGITS} from './layout.js';

/** An encrypted object: what it holds, its KSN and its value. */
export interface GtkObject {
  readonly name: ObjectName;
  readonly ksn: ObjectName;
  readonly holds: 1 | 2 | 3 | 'pan';
  readonly bytes: Uint8Array;
}

/** The cleartext before the blocks of an object. */
export interface Head {
  readonly length: number;
  readonly digits: number;
  /** PIN pads before protocol 2.03 do not send the format letter. */
  readonly lacksLetter?: boolean;
}

/**
 * The cleartext that may precede the blocks of all objects, most likely first. Throws 2102 if no
 * number of digits leaves whole blocks in all of them, 2100 for one that does not exist.
 */
export function headLayouts(
  sent: readonly GtkObject[],
  stated: string | undefined,
): readonly (readonly Head[])[] {
  const numbers = OPEN_DIGITS.filter((one) => stated === undefined || one === Number(stated));
  if (numbers.length === 0)
    throw new PaylensError(2100, `SPE_OPNDIG: expected ${OPEN_DIGITS.join(', ')}`);
  const layouts = numbers.map((digits) => sent.flatMap((one) => headOf(one, digits)));
  const whole = layouts.filter((heads) => heads.length === sent.length);
  if (whole.length > 0) return whole;
  const lengths = sent.map(({name, bytes}) => `${name} of ${bytes.length}`).join(', ');
  const detail = `expected whole blocks of 8 bytes after the digits in cleartext, found ${lengths} bytes`;
  throw new PaylensError(2102, detail);
}

/** The head of an object with this number of digits; none if none fits. */
function headOf({holds, bytes}: GtkObject, digits: number): Head[] {
  const heads: Head[] =
    holds === 1
      ? [
          {length: 1 + digits, digits},
          {length: digits, digits, ...(digits > 0 ? {lacksLetter: true} : {})},
        ]
      : [{length: digits / 2, digits}];
  const found = heads.find((head) => {
    const blocks = bytes.length - head.length;
    return blocks > 0 && blocks % 8 === 0 && isHead(bytes.subarray(0, head.length), holds, head);
  });
  return found ? [found] : [];
}

function isHead(bytes: Uint8Array, holds: GtkObject['holds'], head: Head): boolean {
  if (holds !== 1) return /^\d*$/.test(upperHexOf(bytes));
  if (head.length === 0) return true;
  const form = new RegExp(`^${head.lacksLetter ? '' : '[A-Z]'}\\d{${head.digits}}$`);
  return form.test(latin1Of(bytes));
}

/** A masked copy as evidence: digits that are in cleartext in the track as well prove nothing. */
export function hideOpenDigits(copy: MaskedPan, digits: number): MaskedPan {
  return {...copy, pan: '*'.repeat(digits) + copy.pan.slice(digits)};
}
