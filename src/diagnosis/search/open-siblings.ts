import {rethrowTerminalFault} from '../../contract/paylens-error.js';
import {toBytes, toWords} from '../../engine/cipher/words.js';
import {AES_KEY_TYPES} from '../../engine/dukpt/key-usage.js';
import {prepareBdk} from '../../engine/dukpt/tdes.js';
import {TdesTransactionKey} from '../../engine/dukpt/tdes-transaction-key.js';
import type {Target} from '../../input/interpretation.js';
import type {KeyCandidate} from '../candidates/key-candidates.js';
import {type KsnCandidate, plainForms} from '../candidates/ksn-candidates.js';
import type {ChainReading} from '../plaintext/chain.js';
import {pansOf} from '../plaintext/open-card.js';
import {aesWorkingKeys} from './aes-working-keys.js';
import type {KeyMatch, OpenedTarget} from './key-match.js';
import {
  AES_USAGES,
  type Probe,
  readUnder,
  siblingOf,
  TDES_SETTINGS,
  type TrialSetting,
  workingWords,
} from './key-trial.js';

/** Evidence required of another ciphertext of a proven interpretation: few trials are left. */
const MIN_SIBLING_BITS = 24;

/**
 * Decrypts the other ciphertexts of an interpretation whose key is proven: each under its own KSN, or else
 * that of the proven one, trying the proven setting first.
 */
export function extend(found: KeyMatch): KeyMatch {
  const {targets} = found.probe.interpretation;
  const known = new Map(found.opened.map((one) => [one.target, one]));
  const proven = targets.flatMap(
    (target) => known.get(target) ?? openSibling(siblingOf(found.probe, target), found) ?? [],
  );
  const pans = proven.flatMap(({reading}) => numbersIn(reading));
  const outer = targets.flatMap(
    (target) =>
      proven.find((one) => one.target === target) ??
      openSibling(siblingOf(found.probe, target), found, pans) ??
      [],
  );
  const opened = outer.flatMap((one) => [one, ...openInside(one, found)]);
  return {...found, key: keyOf(found.key, opened), opened};
}

/** Data encrypted again inside a plaintext, under separate keys. */
function openInside({target, reading}: OpenedTarget, found: KeyMatch): OpenedTarget[] {
  return insideOf(target, reading.plain).flatMap(
    (inner) => openSibling(siblingOf(found.probe, inner), found) ?? [],
  );
}

/** The reader may refuse what opens all the same. */
function insideOf({open}: Target, plain: Uint8Array): readonly Target[] {
  try {
    return open?.(plain).within ?? [];
  } catch (error) {
    rethrowTerminalFault(error);
    return [];
  }
}

/** A key that was used directly, and also with a variant, is the transaction key. */
function keyOf(key: KeyCandidate, opened: readonly OpenedTarget[]): KeyCandidate {
  const isVaried = opened.some(({setting}) => isDerived(setting));
  return key.role === 'working' && isVaried ? {...key, role: 'transaction'} : key;
}

function isDerived({variant, selfEncrypted, usage}: TrialSetting): boolean {
  return variant !== 'none' || selfEncrypted || usage !== undefined;
}

function numbersIn({openings}: ChainReading): string[] {
  return openings.flatMap(({content}) => (content ? pansOf(content) : []));
}

/** Digits in front of a card number that may be in clear, and then prove nothing. */
const MAX_HEAD_BYTES = 8;

/** A card number that is too short as evidence is proven by the same number elsewhere. */
function agreementBits(reading: ChainReading, pans: readonly string[]): number {
  if (!reading.accepted) return 0;
  const isSame = (pan: string) =>
    pans.some((one) => one.length === pan.length && one.endsWith(pan.slice(MAX_HEAD_BYTES)));
  const [same = ''] = numbersIn(reading).filter(isSame);
  return Math.max(same.length - MAX_HEAD_BYTES, 0) * Math.log2(10);
}

function openSibling(
  probe: Probe,
  found: KeyMatch,
  pans: readonly string[] = [],
): OpenedTarget | undefined {
  const own = probe.target.ksn === undefined ? [] : plainForms(probe.target.ksn, 'message');
  const ksns: (KsnCandidate | undefined)[] = [...own, found.ksn];
  let best: OpenedTarget | undefined;
  for (const ksn of ksns) {
    for (const [setting, working] of workingKeys(found, ksn)) {
      const reading = readUnder(probe, setting.algorithm, working, true);
      if (!reading || reading.bits + agreementBits(reading, pans) < MIN_SIBLING_BITS) continue;
      if (best && best.reading.bits >= reading.bits) continue;
      best = {target: probe.target, reading, setting, ...(ksn ? {ksn} : {})};
    }
    if (best) return best;
  }
  return undefined;
}

function workingKeys(found: KeyMatch, ksn: KsnCandidate | undefined): [TrialSetting, Uint8Array][] {
  const {key, setting, working} = found;
  const proven: [TrialSetting, Uint8Array] = [setting, working];
  if (key.role === 'working') return [proven, ...derivedKeys({...key, role: 'transaction'}, ksn)];
  if (!ksn) return [proven];
  const derived = derivedKeys(key, ksn, setting);
  return derived.length > 0 ? derived : [proven];
}

/** Every key that a read has under a key, that of `first` before all others. */
function derivedKeys(
  key: KeyCandidate,
  ksn: KsnCandidate | undefined,
  first?: TrialSetting,
): [TrialSetting, Uint8Array][] {
  if (ksn && (ksn.ksn.scheme === 'aes' || first?.usage !== undefined))
    return aesTrialKeys(key, ksn);
  const words = transactionWords(key, ksn);
  if (!words) return [];
  const settings = [...(first ? [first] : []), ...TDES_SETTINGS, ...TDES_SETTINGS.map(withAes)];
  return settings.map((one) => {
    const into = new Int32Array(4);
    workingWords(into, words, one);
    return [one, toBytes(into)];
  });
}

function withAes(setting: TrialSetting): TrialSetting {
  return {...setting, algorithm: 'aes'};
}

/**
 * The transaction key of a TDES KSN under a key; undefined if the key's length does not suit TDES
 * DUKPT.
 */
function transactionWords(
  {bytes, role}: KeyCandidate,
  ksn: KsnCandidate | undefined,
): Int32Array | undefined {
  if (bytes.length !== 16) return undefined;
  if (role === 'transaction') return toWords(bytes);
  const root = role === 'ik' ? toWords(bytes) : prepareBdk(bytes);
  return ksn && toWords(new TdesTransactionKey(root, ksn.ksn).reveal());
}

function aesTrialKeys(
  {bytes, role}: KeyCandidate,
  {ksn}: KsnCandidate,
): [TrialSetting, Uint8Array][] {
  const derive = aesWorkingKeys(bytes, role, ksn);
  if (!derive) return [];
  return AES_USAGES.flatMap((usage) =>
    (['aes128', 'aes192', 'aes256', '2tdea'] as const).flatMap((type) => {
      const working = derive(usage, type);
      const algorithm = AES_KEY_TYPES[type].algorithm < 2 ? 'tdes' : 'aes';
      const setting: TrialSetting = {variant: 'none', selfEncrypted: false, algorithm, usage};
      return working ? [[setting, working] as [TrialSetting, Uint8Array]] : [];
    }),
  );
}
