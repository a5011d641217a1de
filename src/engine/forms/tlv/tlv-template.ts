import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, concatBytes} from '../../../platform/bytes.js';
import {readTlv, type TlvObject, writeTlv} from '../../tlv/ber.js';

/** The value for an empty object of a template; undefined: it stays empty. */
export type FilledValue = (tag: string) => Uint8Array | undefined;

/**
 * The TLV list of a template in hex, with its empty objects filled in, nested ones included. Throws
 * 9001 if it is not a TLV list.
 */
export function fillTemplate(template: string, filledValue: FilledValue): Uint8Array {
  const bytes = bytesFromHex(template) ?? new Uint8Array();
  return concatBytes(...templateObjects(bytes).map((object) => writeFilled(object, filledValue)));
}

function templateObjects(bytes: Uint8Array): readonly TlvObject[] {
  try {
    const {objects, end} = readTlv(bytes);
    if (end === bytes.length) return objects;
  } catch {
    // Reported below, like a list with bytes left over.
  }
  throw new PaylensError(9001, 'option template: expected a TLV list in hex');
}

function writeFilled({tag, value, children}: TlvObject, filledValue: FilledValue): Uint8Array {
  if (value.length === 0) return writeTlv(tag, filledValue(tag) ?? value);
  if (!children) return writeTlv(tag, value);
  return writeTlv(tag, concatBytes(...children.map((child) => writeFilled(child, filledValue))));
}
