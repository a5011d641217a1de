import {Secret} from '../../contract/secret.js';
import {
  type DerivedKey,
  deriveInitialKey,
  deriveTransactionKeys,
  wipeDerived,
} from '../../engine/dukpt/derive-keys.js';
import {aesKcv, tdesKcv} from '../../engine/dukpt/kcv.js';
import type {KeyRing} from '../../engine/dukpt/key-ring.js';
import {AES_KEY_USAGES, dataKeyType, VARIANT_MASKS} from '../../engine/dukpt/key-usage.js';
import type {Ksn} from '../../engine/dukpt/ksn.js';
import {schemeFor} from '../../engine/dukpt/ring-key.js';
import type {OpenedField} from '../../engine/explanation.js';

/** One key on the way from the base key to the working key; its bytes are shown when asked for. */
export interface Step {
  readonly name: string;
  readonly kcv: string;
  readonly key: Secret;
  readonly how?: string;
}

/** The keys from the one of the ring to the one that decrypted a field. */
export function derivationOf({planned, way}: OpenedField, ring: KeyRing): readonly Step[] {
  const {ksn, field, algorithm} = planned;
  const {usage} = way;
  const base = ring.find(ksn);
  if (!ksn || !base || base.kind === 'working') return [];
  const isAes = schemeFor(base, ksn) === 'aes';
  const bytes = base.secret.reveal();
  const kcv = isAes ? aesKcv(bytes) : tdesKcv(bytes);
  const initial = deriveInitialKey(ring, ksn, isAes);
  const type = isAes ? dataKeyType(algorithm, base.secret.length) : undefined;
  const keys = deriveTransactionKeys(ring, ksn, type);
  const steps: Step[] = [
    ...(base.kind === 'bdk' ? [{name: 'BDK', kcv, key: new Secret(bytes)}] : []),
    stepOf('initial key', initial, `KSN ${ksn.initial}`),
    ...keys.slice(0, 1).map((key) => stepOf('transaction key', key, counterInWords(ksn))),
  ];
  if (isAes && usage !== undefined) {
    const code = AES_KEY_USAGES[usage].toString(16).toUpperCase().padStart(4, '0');
    const key = keys.find((one) => one.usage === code);
    if (key) steps.push(stepOf(key.name, key, `usage ${code}`));
  } else {
    steps.push(...variantSteps(keys, field.setting.variant, field.setting.selfEncrypted));
  }
  wipeDerived([initial, ...keys]);
  return steps;
}

function stepOf(name: string, {kcv, key}: DerivedKey, how?: string): Step {
  return {name, kcv, key: new Secret(key), ...(how === undefined ? {} : {how})};
}

function variantSteps(
  keys: readonly DerivedKey[],
  variant: keyof typeof VARIANT_MASKS,
  selfEncrypted: boolean,
): Step[] {
  const mask = VARIANT_MASKS[variant];
  const [key, encrypted] = keys.filter((one) => one.usage === mask);
  if (!key) return [];
  const made = stepOf(`${variant} variant`, key, `mask ${mask}`);
  return selfEncrypted && encrypted ? [made, stepOf('self-encrypted', encrypted)] : [made];
}

/** The counter, and the bits that it sets: one derivation each. */
export function counterInWords({counter}: Ksn): string {
  const bits = Array.from({length: 32}, (_, i) => 31 - i)
    .filter((bit) => (counter >>> bit) & 1)
    .map((bit) => String(bit + 1));
  if (bits.length === 0) return 'counter 0';
  const list = bits.length === 1 ? bits[0] : `${bits.slice(0, -1).join(', ')} and ${bits.at(-1)}`;
  return `counter ${counter} (${bits.length === 1 ? 'bit' : 'bits'} ${list})`;
}
