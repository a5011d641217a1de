import {aesKcv, tdesKcv} from '../../engine/dukpt/kcv.js';
import {asTdes} from '../../engine/dukpt/working-key.js';
import {algorithmsOf, type KeyAlgorithm, type KeyEntry, type KeyKind} from './key-entry.js';

/** Key check values, upper-case hex: three bytes for TDES, five for AES. */
export type Kcvs = Readonly<Partial<Record<KeyAlgorithm, string>>>;

/** What may be shown of a key: everything but its bytes. */
export interface KeyDescription {
  readonly name?: string;
  readonly kind: KeyKind;
  readonly algorithm?: KeyAlgorithm;
  readonly bytes: number;
  readonly ksnPrefix?: string;
  readonly compatibility?: boolean;
  readonly kcv: Kcvs;
}

/** Describes a key by its KCVs: one of each algorithm that it may serve. */
export function describeKey(key: KeyEntry): KeyDescription {
  const {secret, ...shown} = key;
  return {...shown, bytes: secret.length, kcv: kcvsOf(secret.reveal(), algorithmsOf(key))};
}

/** The KCVs of a key, one of each of `algorithms`. */
export function kcvsOf(bytes: Uint8Array, algorithms: readonly KeyAlgorithm[]): Kcvs {
  return {
    ...(algorithms.includes('tdes') ? {tdes: tdesKcv(asTdes(bytes))} : {}),
    ...(algorithms.includes('aes') ? {aes: aesKcv(bytes)} : {}),
  };
}
