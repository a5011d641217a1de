import {attempt} from '../../input/attempt.js';
import type {Target} from '../../input/interpretation.js';
import {inSteps, type Steps} from '../../input/steps.js';
import type {KeyCandidate} from '../candidates/key-candidates.js';
import {type KsnCandidate, plainForms} from '../candidates/ksn-candidates.js';
import type {ChainReading} from '../plaintext/chain.js';
import {pansIn} from '../plaintext/open-card.js';
import type {KeyMatch, OpenedTarget} from './key-match.js';
import {readUnder, siblingOf} from './key-trial.js';
import {ALL_SETTINGS, type TrialSetting, type WorkingKey, WorkingKeys} from './working-keys.js';

/** Evidence required of another ciphertext of a proven interpretation: few trials are left. */
const MIN_SIBLING_BITS = 24;

/**
 * Decrypts the other ciphertexts of an interpretation whose key is proven: each under its own KSN, or else
 * that of the proven one, trying the proven setting first.
 */
export function* extend(found: KeyMatch): Steps<KeyMatch> {
  const {targets} = found.probe.interpretation;
  const first = yield* openOthers(found, found.opened, []);
  const pans = first.flatMap(({reading}) => pansIn(reading.openings));
  const known = yield* openOthers(found, first, pans);
  const inOrder = targets.flatMap((target) => known.find((one) => one.target === target) ?? []);
  const opened = yield* inSteps(inOrder, function* (one) {
    // Data may be encrypted again inside the plaintext; the reader may refuse what opens all the same.
    const inner = attempt(() => one.target.open?.(one.reading.plain).within) ?? [];
    return [one, ...(yield* inSteps(inner, (target) => openSibling(target, found, [])))];
  });
  return {...found, key: keyOf(found.key, opened), opened};
}

/** The opened targets of an interpretation, and those of the others that open now. */
function* openOthers(
  found: KeyMatch,
  opened: readonly OpenedTarget[],
  pans: readonly string[],
): Steps<OpenedTarget[]> {
  const known = new Set(opened.map(({target}) => target));
  const others = found.probe.interpretation.targets.filter((one) => !known.has(one));
  return [...opened, ...(yield* inSteps(others, (one) => openSibling(one, found, pans)))];
}

/** A key that was used directly, and also with a variant, is the transaction key. */
function keyOf(key: KeyCandidate, opened: readonly OpenedTarget[]): KeyCandidate {
  const isVaried = opened.some(
    ({setting: {variant, selfEncrypted, usage}}) =>
      variant !== 'none' || selfEncrypted || usage !== undefined,
  );
  return key.role === 'working' && isVaried ? {...key, role: 'transaction'} : key;
}

/** Digits in front of a card number that may be in clear, and then prove nothing. */
const MAX_HEAD_BYTES = 8;

/** A card number that is too short as evidence is proven by the same number elsewhere. */
function agreementBits(reading: ChainReading, pans: readonly string[]): number {
  if (!reading.accepted) return 0;
  const isSame = (pan: string) =>
    pans.some((one) => one.length === pan.length && one.endsWith(pan.slice(MAX_HEAD_BYTES)));
  const [same = ''] = pansIn(reading.openings).filter(isSame);
  return Math.max(same.length - MAX_HEAD_BYTES, 0) * Math.log2(10);
}

/** The target as opened, or none. */
function* openSibling(
  target: Target,
  found: KeyMatch,
  pans: readonly string[],
): Steps<OpenedTarget[]> {
  const probe = siblingOf(found.probe, target);
  const own = target.ksn === undefined ? [] : plainForms(target.ksn, 'message');
  let best: OpenedTarget | undefined;
  for (const ksn of [...own, found.ksn]) {
    for (const [setting, working] of workingKeys(found, ksn)) {
      yield;
      const reading = readUnder(probe, setting.algorithm, working, true);
      if (!reading || reading.bits + agreementBits(reading, pans) < MIN_SIBLING_BITS) continue;
      if (!best || best.reading.bits < reading.bits) best = {target, reading, setting, ksn};
    }
    if (best) return [best];
  }
  return [];
}

/** Every key that a read has under the proven key, that of the proven setting before all others. */
function workingKeys(
  {key, setting, working}: KeyMatch,
  ksn: KsnCandidate | undefined,
): readonly WorkingKey[] {
  const proven: WorkingKey = [setting, working];
  const isAes = ksn?.ksn.scheme === 'aes' || setting.usage !== undefined;
  const derive = (root: KeyCandidate, settings: readonly TrialSetting[]) => [
    ...new WorkingKeys().of(root, ksn?.ksn, {settings, isAes}),
  ];
  if (key.role === 'working')
    return [proven, ...derive({...key, role: 'transaction'}, ALL_SETTINGS)];
  const derived = ksn ? derive(key, [setting, ...ALL_SETTINGS]) : [];
  return derived.length > 0 ? derived : [proven];
}
