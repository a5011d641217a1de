import {PaylensError} from '../../../contract/paylens-error.js';
import {CARD_DATA_SETTING, type EncryptedField} from '../../reading.js';
import type {TlvObject} from '../../tlv/ber.js';

/** An encrypted tag as the corridor takes it. Throws 2102 when it is not whole blocks. */
export function cipherField(
  {tag, offset, headerLength, value}: TlvObject,
  ksn: string | undefined,
  open: EncryptedField['open'],
): EncryptedField {
  const name = `tag ${tag}`;
  if (value.length % 8 !== 0) {
    throw new PaylensError(
      2102,
      `${name} at byte ${offset}: expected whole blocks of 8, found ${value.length} bytes`,
      {fault: {kind: 'tag', tag}},
    );
  }
  return {
    name,
    offset: offset + headerLength,
    ciphertext: value,
    ...(ksn === undefined ? {} : {ksn}),
    setting: CARD_DATA_SETTING,
    open,
  };
}
