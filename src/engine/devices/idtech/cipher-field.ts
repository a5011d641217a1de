import {demandBlocks} from '../../cipher/block-cipher.js';
import {CARD_DATA_SETTING, type EncryptedField} from '../../reading.js';
import type {TlvObject} from '../../tlv/ber.js';

/** An encrypted tag as a field to decrypt. Throws 2102 if it is not whole blocks. */
export function cipherField(
  {tag, offset, headerLength, value}: TlvObject,
  ksn: string | undefined,
  open: EncryptedField['open'],
): EncryptedField {
  const name = `tag ${tag}`;
  const where = `${name} at byte ${offset}`;
  if (value.length > 0) demandBlocks(where, value, 8, {fault: {kind: 'tag', tag}});
  return {
    name,
    offset: offset + headerLength,
    ciphertext: value,
    ...(ksn === undefined ? {} : {ksn}),
    setting: CARD_DATA_SETTING,
    open,
  };
}
