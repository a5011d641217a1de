import {upperHexOf} from '../../../platform/bytes.js';
import type {Variant} from '../../dukpt/key-usage.js';
import type {Ksn} from '../../dukpt/ksn.js';
import type {CipherSetting} from '../../reading.js';

/** Ciphertexts with everything needed to decrypt them. */
interface Description {
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
export function describedRequest({ksn, setting, iv, values}: Description) {
  const variant = variantName(setting.variant, setting.selfEncrypted);
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
  return {deviceType: 'generic', devicePayload: JSON.stringify(members)} as const;
}

/** Names of variants in generic payloads; undefined for variants without one. */
function variantName(variant: Variant, selfEncrypted: boolean): string | undefined {
  if (variant === 'data') return selfEncrypted ? 'data' : 'data-plain';
  if (variant === 'data-response') return selfEncrypted ? variant : undefined;
  return selfEncrypted ? undefined : variant;
}
