import {latin1Of} from '../../../platform/bytes.js';
import type {TlvObject} from '../../tlv/ber.js';
import {assertOneValue} from '../one-read.js';

/** Factory values of 9F1E in terminals without a serial number. */
const PLACEHOLDER = /^(?:Terminal|12345678|[ 0]*)$/i;

/**
 * The serial number in tag 9F1E, unless it is a factory placeholder. Throws 2100 if two objects
 * have different ones.
 */
export function serialTag(objects: readonly TlvObject[]): string | undefined {
  const own = objects.filter(({tag, flag}) => tag === '9F1E' && !flag);
  assertOneValue(own);
  const [{value} = {value: undefined}] = own;
  const serial = value ? latin1Of(value).replaceAll('\0', ' ').trim() : '';
  return PLACEHOLDER.test(serial) || !/^[\x20-\x7e]+$/.test(serial) ? undefined : serial;
}
