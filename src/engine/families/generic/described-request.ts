import {DESCRIBED_TYPE} from '../../../contract/device-types.js';
import {upperHexOf} from '../../../platform/bytes.js';
import type {Ksn} from '../../dukpt/ksn.js';
import type {CipherSetting} from '../../reading.js';
import {GENERIC_VARIANTS} from './layout.js';

/** Ciphertexts with everything needed to decrypt them. */
interface DescribedCiphertexts {
  /** Absent under a working key. */
  readonly ksn: Ksn | undefined;
  readonly setting: CipherSetting;
  readonly iv?: Uint8Array | undefined;
  /** Names of values and their hex. */
  readonly values: readonly (readonly [string, string])[];
}

/**
 * The request that sends ciphertexts of any terminal as a generic payload; undefined if generic
 * payloads have no name for the key.
 */
export function describedRequest({ksn, setting, iv, values}: DescribedCiphertexts) {
  const [variant] =
    Object.entries(GENERIC_VARIANTS).find(
      ([, key]) => key.variant === setting.variant && key.selfEncrypted === setting.selfEncrypted,
    ) ?? [];
  if (variant === undefined) return undefined;
  const {mode, algorithm} = setting;
  const members = {
    ...(ksn ? {ksn: ksn.hex} : {}),
    ...(iv ? {iv: upperHexOf(iv)} : {}),
    ...(variant === 'data' ? {} : {variant}),
    ...(mode === 'cbc' ? {} : {mode}),
    ...(algorithm === 'aes' && ksn?.scheme !== 'aes' ? {algorithm} : {}),
    ...Object.fromEntries(values),
  };
  return {deviceType: DESCRIBED_TYPE, devicePayload: JSON.stringify(members)} as const;
}
