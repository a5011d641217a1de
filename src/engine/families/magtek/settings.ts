import {PaylensError} from '../../../contract/paylens-error.js';
import {hexByte} from '../../../platform/bytes.js';
import type {AesKeyType, AesKeyUsage, Variant} from '../../dukpt/key-usage.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';

/** Swipes without a type of their own: the PIN variant, without self-encryption. */
export const MAGTEK_SETTING: CipherSetting = {
  ...CARD_DATA_SETTING,
  variant: 'pin',
  selfEncrypted: false,
};

/** The key of each low nibble of an encryption type under TDES (docs/terminals/magtek.md#keys). */
const TDES_USES: Readonly<Record<number, {readonly variant: Variant; readonly isData?: true}>> = {
  0: {variant: 'data', isData: true},
  1: {variant: 'pin', isData: true},
  2: {variant: 'mac'},
  3: {variant: 'data-response', isData: true},
  4: {variant: 'mac-response'},
};

/** The same under AES. */
const AES_USES: Readonly<Record<number, AesKeyUsage>> = {
  7: 'pin',
  8: 'mac-generation',
  9: 'mac-verification',
  10: 'mac',
  11: 'data-encryption',
  12: 'data-decryption',
  13: 'data',
};

const AES_TYPES: readonly (AesKeyType | undefined)[] = [undefined, 'aes128', 'aes256'];
const DATA_USAGES: ReadonlySet<string> = new Set(['data-encryption', 'data-decryption', 'data']);

/** A working key as an encryption type names it. */
export type KeyUse =
  | {readonly variant: Variant}
  | {readonly usage: AesKeyUsage; readonly type: AesKeyType};

/**
 * The key that an encryption type names; undefined for a fixed key, an unknown algorithm or an
 * unknown use.
 */
export function keyUseOf(type: number): KeyUse | undefined {
  const [bits, use] = [(type >> 4) & 3, type & 15];
  if ((type & 0x80) === 0 || (type & 0x40) !== 0) return undefined;
  if (bits === 0) return TDES_USES[use] && {variant: TDES_USES[use].variant};
  const [usage, aesType] = [AES_USES[use], AES_TYPES[bits]];
  return usage && aesType && {usage, type: aesType};
}

/** How data of this encryption type is encrypted. Throws 2111 if it is no type for data. */
export function settingOfType(type: number, where: string): CipherSetting {
  const use = keyUseOf(type);
  if (use && 'usage' in use && DATA_USAGES.has(use.usage)) return aesSetting(use.usage, use.type);
  const {variant, isData} = (use && 'variant' in use && TDES_USES[type & 15]) || {};
  if (variant && isData) return tdesSetting(variant);
  throw new PaylensError(2111, `${where}: encryption type ${hexByte(type)} is not supported`, {
    hint: 'paylens decrypts data under TDES and AES DUKPT: types 80, 81, 83, 9B to 9D and AB to AD.',
  });
}

/** Of the TDES variants only that for PINs is used without self-encryption. */
export function tdesSetting(variant: Variant): CipherSetting {
  return {...CARD_DATA_SETTING, variant, selfEncrypted: variant !== 'pin'};
}

/** AES-CBC under the working key of a usage; the variant has no meaning there. */
export function aesSetting(usage: AesKeyUsage, type?: AesKeyType): CipherSetting {
  const aes = {usage, ...(type ? {type} : {})};
  return {...CARD_DATA_SETTING, algorithm: 'aes', variant: 'none', selfEncrypted: false, aes};
}

/**
 * A KSN of 12 bytes means AES, one of 10 TDES: throws 2400 if the payload states the other.
 * `digits`: its hex digits.
 */
export function assertKsnLength(
  {algorithm}: Pick<CipherSetting, 'algorithm'>,
  digits: string,
  where: string,
): void {
  const expected = algorithm === 'aes' ? AES_KSN : TDES_KSN;
  if (digits === '' || (digits.length === AES_KSN) === (expected === AES_KSN)) return;
  throw new PaylensError(
    2400,
    `${where}: expected a KSN of ${expected} digits for ${algorithm.toUpperCase()}, found ${digits.length}`,
  );
}

const TDES_KSN = 20;
const AES_KSN = 24;

/** The meaning of an encryption type, for people. */
export function typeMeaning(type: number): string {
  const use = keyUseOf(type);
  if (!use) return 'unsupported';
  if ('variant' in use) return `TDES DUKPT, ${use.variant} variant`;
  return `${use.type === 'aes256' ? 'AES-256' : 'AES-128'} DUKPT, ${use.usage}`;
}
