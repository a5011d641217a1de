import {latin1Of} from '../../../platform/bytes.js';
import type {TlvObject} from '../../tlv/ber.js';

/** What factories leave in 9F1E when a terminal has no serial number of its own. */
const PLACEHOLDER = /^(?:Terminal|12345678|[ 0]*)$/i;

/** The serial number in tag 9F1E, unless it is a factory placeholder. */
export function serialTag(objects: readonly TlvObject[]): string | undefined {
  const value = objects.find(({tag, flag}) => tag === '9F1E' && !flag)?.value;
  const serial = value ? latin1Of(value).replaceAll('\0', ' ').trim() : '';
  return PLACEHOLDER.test(serial) || !/^[\x20-\x7e]+$/.test(serial) ? undefined : serial;
}
