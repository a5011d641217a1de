import {PaylensError} from '../../../contract/paylens-error.js';
import {hexByte} from '../../../platform/bytes.js';
import type {Algorithm} from '../../cipher/block-cipher.js';
import type {AesKeyType, AesKeyUsage, Variant} from '../../dukpt/key-usage.js';
import {schemeOf} from '../../dukpt/ksn.js';
import type {MacKind} from '../../dukpt/mac.js';
import {entryOf} from '../../forms/entry-of.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';

/** TDES-CBC under the key of a variant; only that for PINs is used without self-encryption. */
export function tdesSetting(variant: Variant): CipherSetting {
  return {...CARD_DATA_SETTING, variant, selfEncrypted: variant !== 'pin'};
}

/** AES-CBC under the working key of a usage; the variant has no meaning there. */
export function aesSetting(usage: AesKeyUsage, type?: AesKeyType): CipherSetting {
  const aes = {usage, ...(type ? {type} : {})};
  return {...CARD_DATA_SETTING, algorithm: 'aes', variant: 'none', selfEncrypted: false, aes};
}

/** How data of each encryption type is encrypted (docs/terminals/magtek.md#keys). */
export const DATA_TYPES: Readonly<Record<string, CipherSetting>> = {
  '80': tdesSetting('data'),
  '81': tdesSetting('pin'),
  '83': tdesSetting('data-response'),
  '9B': aesSetting('data-encryption', 'aes128'),
  '9C': aesSetting('data-decryption', 'aes128'),
  '9D': aesSetting('data', 'aes128'),
  AB: aesSetting('data-encryption', 'aes256'),
  AC: aesSetting('data-decryption', 'aes256'),
  AD: aesSetting('data', 'aes256'),
};

/** How a MAC of each encryption type is computed. */
const MAC_TYPES: Readonly<Record<string, MacKind>> = {
  '82': {method: 'retail', variant: 'mac'},
  '84': {method: 'retail', variant: 'mac-response'},
  '98': cmacKind('mac-generation', 'aes128'),
  '99': cmacKind('mac-verification', 'aes128'),
  '9A': cmacKind('mac', 'aes128'),
  A8: cmacKind('mac-generation', 'aes256'),
  A9: cmacKind('mac-verification', 'aes256'),
  AA: cmacKind('mac', 'aes256'),
};

function cmacKind(usage: AesKeyUsage, type: AesKeyType): MacKind {
  return {method: 'cmac', variant: 'none', aes: {usage, type}};
}

/** How data of this encryption type is encrypted. Throws 2111 if it is not a type for data. */
export function settingOfType(type: number, where: string): CipherSetting {
  const setting = entryOf(DATA_TYPES, hexByte(type));
  if (setting) return setting;
  throw new PaylensError(2111, `${where}: encryption type ${hexByte(type)} is not supported`, {
    hint: 'paylens decrypts data under TDES and AES DUKPT: types 80, 81, 83, 9B to 9D and AB to AD.',
  });
}

/** How a MAC of this encryption type is computed; undefined if it is not known. */
export function macKindOf(type: number): MacKind | undefined {
  return entryOf(MAC_TYPES, hexByte(type));
}

/**
 * A KSN of 12 bytes means AES, one of 10 TDES: throws 2400 if the payload states the other.
 * `digits`: its hex digits.
 */
export function assertKsnScheme(algorithm: Algorithm, digits: string, where: string): void {
  if (digits === '' || schemeOf(digits) === algorithm) return;
  const name = algorithm.toUpperCase();
  const expected = `${algorithm === 'aes' ? 24 : 20} digits for ${name}`;
  throw new PaylensError(2400, `${where}: expected a KSN of ${expected}, found ${digits.length}`);
}
