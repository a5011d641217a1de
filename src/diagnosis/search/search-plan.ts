import type {GivenKey, SearchKeys} from '../../input/case.js';
import type {Clues} from '../../input/clues.js';
import {repairedInterpretations} from '../../input/interpret.js';
import {latin1Of} from '../../platform/bytes.js';
import {
  combinedComponents,
  type KeyCandidate,
  misCounted,
  otherRoles,
  parityVariants,
  repairedKeys,
  statedRoles,
  transactionKeysOf,
  typos,
} from '../candidates/key-candidates.js';
import {
  firstReads,
  type KsnCandidate,
  neighbours,
  otherForms,
  plainForms,
  publishedKsns,
} from '../candidates/ksn-candidates.js';
import {misCountedKsns, mistypedKsns} from '../candidates/ksn-typos.js';
import {simpleKeys} from '../candidates/published-keys.js';
import {makeProbe, type Probe} from './key-trial.js';
import {nearlyPublished} from './known-keys.js';
import {
  brokenProbes,
  gappedProbes,
  lostDigits,
  probesOf,
  unmarkedProbes,
  windowsOf,
} from './prepared-ciphertext.js';
import type {Stage} from './search.js';
import {ALL_SETTINGS, type TrialSetting, USUAL_SETTINGS} from './working-keys.js';

/** The share of the long stages for one worker. */
export interface Part {
  readonly index: number;
  readonly of: number;
}

/** Evidence in advance for a known key typed with at most two wrong digits. */
const NEAR_KEY_BITS = 16;
const NEAR = {thorough: true, priorBits: NEAR_KEY_BITS};
const MAX_COUNTER_DISTANCE = 64;
/** What is left when everything else was tried. */
const MAX_FAR_COUNTER_DISTANCE = 2048;
/** In the long stages every KSN costs thousands of trials. */
const MAX_LONG_KSNS = 8;

/** The stages of a search in order of likelihood: the usual causes, then the long ones. */
export function* usualStages(clues: Clues, keys: SearchKeys): Generator<Stage> {
  const {own, plain, others} = ksnLists(clues);
  const ksns = [...plain, ...own];
  const stated = byOrigin(statedRoles(keys.all));
  const components = combinedComponents(keys.all);
  const early = [...stated, ...components.slice(0, 4)];
  yield* repairStages(clues, stated);
  const lost = lostDigits(clues);
  yield {name: 'ciphertext with a missing hex digit', keys: stated, ksns, probes: lost};
  const probes = probesOf(clues, false);
  const gapped = gappedProbes(clues);
  yield* ownStages(probes, early);
  const usual = {ksns, probes, settings: ALL_SETTINGS};
  yield {name: 'keys as supplied', keys: stated, ...usual, thorough: true};
  yield compatibilityStage(keys, ksns, probes);
  yield {name: 'other ciphertext boundaries', keys: stated, ksns, probes: windowsOf(clues)};
  yield* gapStages(gapped, stated, ksns);
  const unpublished = keys.all.filter(({origin}) => origin !== 'published');
  const variants = transactionKeysOf(unpublished);
  const roles = otherRoles(unpublished);
  const all = [...stated, ...components, ...roles];
  yield {name: 'components', keys: components, ...usual};
  yield {name: 'keys in other roles', keys: roles, ...usual};
  yield {name: 'keys of other variants', keys: variants, ...usual, settings: ownSettings(probes)};
  yield {name: 'other forms of the KSN', keys: all, ...usual, ksns: others};
  // The end of a padded KSN has no meaning.
  const first = [...ksns, ...others.filter(({change}) => change === 'ksn-padded')].flatMap((ksn) =>
    firstReads(ksn, MAX_COUNTER_DISTANCE),
  );
  yield {name: 'first reads of a device', keys: all.filter(isRoot), ...usual, ksns: first};
  const near = nearlyPublished(keys, ksns.map(wholeKsn));
  yield {name: 'mistyped published keys', keys: near, ...usual, ...NEAR};
  yield {name: 'incorrectly assembled keys', keys: repairedKeys(keys.all), ...usual};
  yield* damageStages(clues, ksns, near, all);
}

const wholeKsn = ({ksn}: KsnCandidate) => ksn;

/** Ciphertext of which blocks are damaged, or digits are lost. */
function* damageStages(
  clues: Clues,
  ksns: readonly KsnCandidate[],
  near: readonly KeyCandidate[],
  all: readonly KeyCandidate[],
): Generator<Stage> {
  const usual = {ksns, settings: ALL_SETTINGS};
  const broken = {...usual, probes: brokenProbes(clues)};
  yield {name: 'damaged blocks', keys: near, ...broken, priorBits: NEAR_KEY_BITS};
  yield {name: 'damaged blocks', keys: all, ...broken};
  yield {name: 'unmarked gaps', keys: all, ...usual, probes: unmarkedProbes(clues)};
}

/**
 * Nearby transactions, mistyped keys, parity: thousands of keys, of which only first blocks are
 * tested.
 */
export function* longStages(clues: Clues, keys: SearchKeys, part?: Part): Generator<Stage> {
  const {own, plain, others} = ksnLists(clues);
  const probes = probesOf(clues, true);
  const first = [...plain, ...own].slice(0, MAX_LONG_KSNS);
  const stated = byOrigin(statedRoles(keys.all));
  const roles = otherRoles(keys.all.filter(({origin}) => origin === 'given'));
  const slots = others.filter(({change}) => change === 'ksn-swapped').slice(0, 3);
  const near = [...first, ...slots].flatMap((ksn) => neighbours(ksn, MAX_COUNTER_DISTANCE));
  const derived = [...stated, ...combinedComponents(keys.all), ...roles].filter(isRoot);
  yield {name: 'neighbouring reads', keys: derived, ksns: share(near, part), probes};
  const few = first.slice(0, 4);
  const mistyped = share(mistypedOf(clues, few, near), part);
  const settings = USUAL_SETTINGS;
  yield {name: 'mistyped KSNs', keys: derived, ksns: mistyped, probes, settings};
  for (const key of keys.all.filter(({origin}) => origin === 'given')) {
    for (const role of ['ik', 'transaction'] as const) {
      yield {name: 'parity bits', keys: shared(parityVariants(key, role), part), ksns: few, probes};
    }
  }
  for (const key of keys.all.filter(({origin}) => origin !== 'keyfile')) {
    const kinds = key.origin === 'published' ? (['bdk'] as const) : LONG_SEARCH_ROLES;
    yield {name: 'mistyped keys', keys: shared(typos(key, kinds), part), ksns: few, probes};
  }
  yield* miscountedStages(keys, part, {ksns: few, probes});
  const isWithout = clues.ksns.given.length + clues.ksns.message.length === 0;
  const published = isWithout ? publishedKsns() : [];
  yield {name: 'KSNs of published examples', keys: stated, ksns: share(published, part), probes};
  const simple = statedRoles(simpleKeys());
  yield {name: 'simple keys', keys: shared(simple, part), ksns: [...few, ...others], probes};
  const far = share(furtherOf(first, near), part);
  yield {name: 'distant reads', keys: derived, ksns: far, probes, settings};
}

/** The KSNs further away than those that were tried. */
function furtherOf(first: readonly KsnCandidate[], tried: readonly KsnCandidate[]): KsnCandidate[] {
  const known = new Set(tried.map(({ksn}) => ksn.hex));
  return first
    .flatMap((ksn) => neighbours(ksn, MAX_FAR_COUNTER_DISTANCE))
    .filter(({ksn}) => !known.has(ksn.hex));
}

function* miscountedStages(
  {written}: SearchKeys,
  part: Part | undefined,
  rest: Pick<Stage, 'ksns' | 'probes'>,
): Generator<Stage> {
  for (const {digits, source, kind} of written) {
    if (![31, 33, 47, 49].includes(digits.length)) continue;
    const key: GivenKey = {kind, bytes: new Uint8Array(), source, origin: 'given'};
    const keys = shared(misCounted(key, digits, LONG_SEARCH_ROLES), part);
    yield {name: 'keys with a missing or extra digit', keys, ...rest};
  }
}

/** KSNs with a wrong, missing or extra digit, except those already tried. */
function mistypedOf(
  {ksns}: Clues,
  whole: readonly KsnCandidate[],
  tried: readonly KsnCandidate[],
): KsnCandidate[] {
  const known = new Set([...whole, ...tried].map(({ksn}) => ksn.hex));
  const all = [
    ...whole.flatMap(mistypedKsns),
    ...ksns.given.flatMap((text) => misCountedKsns(text, 'given')),
  ];
  return all.filter(({ksn}) => !known.has(ksn.hex) && known.add(ksn.hex));
}

const LONG_SEARCH_ROLES = ['bdk', 'ik', 'transaction', 'working'] as const;

/** Each ciphertext under its own KSN with the setting of its format, as `decrypt` does. */
function* ownStages(probes: readonly Probe[], keys: readonly KeyCandidate[]): Generator<Stage> {
  const name = 'each ciphertext under its own KSN';
  const stage = {name, keys, thorough: true, settings: ALL_SETTINGS};
  for (const [ksns, own] of byOwnKsn(probes)) yield {...stage, ksns, probes: own};
}

/** The settings of the formats: a variant of one key is another variant of another key. */
function ownSettings(probes: readonly Probe[]): readonly TrialSetting[] {
  const formats = probes.flatMap(({target}) => target.setting ?? []);
  const own = ALL_SETTINGS.filter((one) =>
    formats.some(
      ({variant, selfEncrypted}) => variant === one.variant && selfEncrypted === one.selfEncrypted,
    ),
  );
  return own.length > 0 ? own : USUAL_SETTINGS;
}

/** AES keys with 10-byte KSNs: the AES DUKPT test keys, and every key that is not published. */
function compatibilityStage(
  {all}: SearchKeys,
  ksns: readonly KsnCandidate[],
  probes: readonly Probe[],
): Stage {
  const tdes = ksns.filter(({ksn}) => ksn.scheme === 'tdes').slice(0, MAX_LONG_KSNS);
  const likely = all.filter(({origin, scheme}) => origin !== 'published' || scheme === 'aes');
  const keys = byOrigin(statedRoles(likely).filter(isRoot));
  return {name: 'AES keys with 10-byte KSNs', keys, ksns: tdes, probes, isAes: true};
}

/** If the first block is lost, only a complete reading can decide. */
function gapStages(
  probes: readonly Probe[],
  keys: readonly KeyCandidate[],
  ksns: readonly KsnCandidate[],
): Stage[] {
  const isHeadless = ({target}: Probe) => (target.gaps?.[0]?.from ?? AES_BLOCK) < AES_BLOCK;
  const common = {name: 'gaps in the digits', keys, ksns, settings: ALL_SETTINGS};
  return [
    {...common, probes: probes.filter((one) => !isHeadless(one))},
    {...common, probes: probes.filter(isHeadless), thorough: true},
  ];
}

const AES_BLOCK = 16;

/** True for a key from which each KSN of a device gets its own keys. */
function isRoot({role}: KeyCandidate): boolean {
  return role === 'bdk' || role === 'ik';
}

/** Damaged frames, repaired at every position that their length and LRC allow. */
function* repairStages(clues: Clues, keys: readonly KeyCandidate[]): Generator<Stage> {
  const seen = new Set<string>();
  const probes = clues.texts
    .flatMap((text) => repairedInterpretations(text, clues.terminals))
    .flatMap((interpretation) =>
      interpretation.targets.flatMap((target) => {
        const key = `${target.ksn} ${latin1Of(target.ciphertext)}`;
        if (seen.has(key)) return [];
        seen.add(key);
        return [makeProbe(interpretation, target, {...clues, pans: []})];
      }),
    );
  for (const [ksns, own] of byOwnKsn(probes))
    yield {name: 'frames with missing characters', keys, ksns, probes: own};
}

function byOwnKsn(probes: readonly Probe[]): [KsnCandidate[], Probe[]][] {
  const found = new Map<string, Probe[]>();
  for (const probe of probes) {
    const {ksn} = probe.target;
    if (ksn !== undefined) found.set(ksn, [...(found.get(ksn) ?? []), probe]);
  }
  return [...found].map(([ksn, own]) => [plainForms(ksn, 'message'), own]);
}

/** Puts given keys before published ones. */
function byOrigin(keys: readonly KeyCandidate[]): KeyCandidate[] {
  const order = {given: 0, keyfile: 1, published: 2};
  return [...keys].sort((a, b) => order[a.origin] - order[b.origin]);
}

/** The KSNs as given, those of the message, and other forms of both, each once. */
function ksnLists({ksns}: Clues): Readonly<Record<'plain' | 'own' | 'others', KsnCandidate[]>> {
  const seen = new Set<string>();
  const fresh = (list: readonly KsnCandidate[]) =>
    list.filter(({ksn}) => !seen.has(ksn.hex) && seen.add(ksn.hex));
  return {
    plain: fresh(ksns.given.flatMap((text) => plainForms(text, 'given'))),
    own: fresh([...ksns.message, ...ksns.guessed].flatMap((text) => plainForms(text, 'message'))),
    others: fresh([
      ...ksns.given.flatMap((text) => otherForms(text, 'given')),
      ...ksns.message.flatMap((text) => otherForms(text, 'message')),
    ]),
  };
}

function share<T>(list: readonly T[], part: Part | undefined): readonly T[] {
  return part ? list.filter((_, i) => i % part.of === part.index) : list;
}

function* shared<T>(list: Iterable<T>, part: Part | undefined): Generator<T> {
  let i = 0;
  for (const one of list) if (!part || i++ % part.of === part.index) yield one;
}
