import {bytesOfHex, concatBytes} from '../../../platform/bytes.js';
import {readTlv, type TlvObject, writeTlv} from '../../tlv/ber.js';

/** The value for an empty object of a template; undefined: it stays empty. */
export type FilledValue = (tag: string) => Uint8Array | undefined;

/** The TLV list of a template in hex, with its empty objects filled in, nested ones included. */
export function fillTemplate(template: string, filledValue: FilledValue): Uint8Array {
  const {objects} = readTlv(bytesOfHex(template));
  return concatBytes(...objects.map((object) => writeFilled(object, filledValue)));
}

function writeFilled({tag, value, children}: TlvObject, filledValue: FilledValue): Uint8Array {
  if (value.length === 0) return writeTlv(tag, filledValue(tag) ?? value);
  if (!children) return writeTlv(tag, value);
  return writeTlv(tag, concatBytes(...children.map((child) => writeFilled(child, filledValue))));
}
