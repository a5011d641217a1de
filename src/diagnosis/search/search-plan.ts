import {latin1Of} from '../../platform/bytes.js';
import {
  combinedComponents,
  type KeyCandidate,
  misCounted,
  otherRoles,
  parityVariants,
  repairedKeys,
  statedRoles,
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
import type {GivenKey, SearchKeys} from '../input/case.js';
import type {Gathered} from '../input/clues.js';
import {repairedSubjects} from '../input/interpret.js';
import {makeProbe, type Probe, USUAL_SETTINGS} from './key-trial.js';
import {nearlyPublished} from './near-keys.js';
import {gappedProbes, lostDigits, probesOf, windowsOf} from './prepared-ciphertext.js';
import type {Stage} from './search.js';

/** The share of the long stages for one worker. */
export interface Part {
  readonly index: number;
  readonly of: number;
}

/** Evidence in advance for a known key that somebody typed with at most two wrong digits. */
const NEAR_KEY_BITS = 16;
const REACH = 64;
/** In the long stages every KSN costs thousands of trials. */
const MOST_LONG_KSNS = 8;

/** The stages of a search in order of likelihood: the usual causes, then the long ones. */
export function* usualStages(gathered: Gathered, keys: SearchKeys): Generator<Stage> {
  const {own, plain, others} = ksnLists(gathered);
  const probes = probesOf(gathered, false);
  const stated = byOrigin(statedRoles(keys.all));
  const components = combinedComponents(keys.all);
  const roles = otherRoles(keys.all.filter(({origin}) => origin !== 'published'));
  const first = [...plain, ...own];
  const usual = {probes, thorough: true, withAes: true};
  yield* repairStages(gathered, stated);
  yield {
    name: 'ciphertext with a missing hex digit',
    keys: stated,
    ksns: first,
    probes: lostDigits(gathered),
  };
  const early = [...stated, ...components.slice(0, 4)];
  yield* ownStages(gathered, early);
  yield* ownGapStages(gathered, early);
  yield* [
    {name: 'keys as supplied', keys: stated, ksns: first, ...usual},
    ...compatibilityStages(keys, first, probes),
    {name: 'other ciphertext boundaries', keys: stated, ksns: first, probes: windowsOf(gathered)},
    ...gapStages(gappedProbes(gathered), stated, first),
    {name: 'components', keys: components, ksns: first, probes, withAes: true},
    {name: 'keys in other roles', keys: roles, ksns: first, probes, withAes: true},
    {
      name: 'other forms of the KSN',
      keys: [...stated, ...components, ...roles],
      ksns: others,
      probes,
      withAes: true,
    },
    {
      name: 'first reads of a device',
      keys: [...stated, ...components, ...roles].filter(isRoot),
      ksns: [...first, ...others.filter(isPadded)].flatMap((ksn) => firstReads(ksn, REACH)),
      probes,
      withAes: true,
    },
    {
      name: 'mistyped published keys',
      keys: nearlyPublished(
        keys,
        first.map(({ksn}) => ksn),
      ),
      ksns: first,
      ...usual,
      priorBits: NEAR_KEY_BITS,
    },
    {
      name: 'incorrectly assembled keys',
      keys: repairedKeys(keys.all),
      ksns: first,
      probes,
      withAes: true,
    },
  ];
}

/**
 * Nearby transactions, mistyped keys, parity: thousands of keys, of which only first blocks are
 * tested.
 */
export function* longStages(gathered: Gathered, keys: SearchKeys, part?: Part): Generator<Stage> {
  const {own, plain, others} = ksnLists(gathered);
  const probes = probesOf(gathered, true);
  const first = [...plain, ...own].slice(0, MOST_LONG_KSNS);
  const stated = byOrigin(statedRoles(keys.all));
  const roles = otherRoles(keys.all.filter(({origin}) => origin === 'given'));
  const slots = others.filter(({change}) => change === 'swapped-slot').slice(0, 3);
  const near = [...first, ...slots].flatMap((ksn) => neighbours(ksn, REACH));
  const derived = [...stated, ...combinedComponents(keys.all), ...roles].filter(isRoot);
  yield {name: 'neighbouring reads', keys: derived, ksns: share(near, part), probes};
  const few = first.slice(0, 4);
  yield {
    name: 'mistyped KSNs',
    keys: derived,
    ksns: share(mistypedOf(gathered, few, near), part),
    probes,
    settings: USUAL_SETTINGS,
  };
  for (const key of keys.all.filter(({origin}) => origin === 'given')) {
    for (const role of ['ik', 'transaction'] as const) {
      yield {name: 'parity bits', keys: shared(parityVariants(key, role), part), ksns: few, probes};
    }
  }
  const typed = keys.all.filter(({origin}) => origin !== 'keyfile');
  for (const key of typed) {
    const kinds = key.origin === 'published' ? (['bdk'] as const) : ROLES;
    yield {name: 'mistyped keys', keys: shared(typos(key, kinds), part), ksns: few, probes};
  }
  for (const {digits, source, kind} of keys.written) {
    if (![31, 33, 47, 49].includes(digits.length)) continue;
    const key: GivenKey = {kind, bytes: new Uint8Array(), source, origin: 'given'};
    yield {
      name: 'keys with a missing or extra digit',
      keys: shared(misCounted(key, digits, ROLES), part),
      ksns: few,
      probes,
    };
  }
  const isWithout = gathered.ksns.given.length + gathered.ksns.message.length === 0;
  const published = isWithout ? publishedKsns() : [];
  yield {name: 'KSNs of published examples', keys: stated, ksns: share(published, part), probes};
  const simple = statedRoles(simpleKeys());
  yield {name: 'simple keys', keys: shared(simple, part), ksns: [...few, ...others], probes};
}

/** KSNs with a wrong, missing or extra digit, except those already tried. */
function mistypedOf(
  {ksns}: Gathered,
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

const ROLES = ['bdk', 'ik', 'transaction', 'working'] as const;

/** AES keys with 10-byte KSNs: the AES DUKPT test keys, and every key that is not published. */
function compatibilityStages(
  {all}: SearchKeys,
  ksns: readonly KsnCandidate[],
  probes: readonly Probe[],
): Stage[] {
  const tdes = ksns.filter(({ksn}) => ksn.scheme === 'tdes').slice(0, MOST_LONG_KSNS);
  const likely = all.filter(({origin, scheme}) => origin !== 'published' || scheme === 'aes');
  const keys = statedRoles(likely).filter(isRoot);
  const name = 'AES keys with 10-byte KSNs';
  return [{name, keys: byOrigin(keys), ksns: tdes, probes, settings: [], withCompatibility: true}];
}

/** Ciphertexts with a gap, each under its own KSN. */
function ownGapStages(gathered: Gathered, keys: readonly KeyCandidate[]): Stage[] {
  return byOwnKsn(gappedProbes(gathered)).flatMap(([ksn, own]) =>
    gapStages(own, keys, plainForms(ksn, 'message')),
  );
}

/** If the first block is lost, only a complete reading can decide. */
function gapStages(
  probes: readonly Probe[],
  keys: readonly KeyCandidate[],
  ksns: readonly KsnCandidate[],
): Stage[] {
  const isHeadless = ({target}: Probe) => (target.gaps?.[0]?.from ?? AES_BLOCK) < AES_BLOCK;
  const common = {name: 'gaps in the digits', keys, ksns, withAes: true};
  return [
    {...common, probes: probes.filter((one) => !isHeadless(one))},
    {...common, probes: probes.filter(isHeadless), thorough: true},
  ];
}

const AES_BLOCK = 16;

/** True for a KSN whose end was added as padding and therefore has no meaning. */
function isPadded({change}: KsnCandidate): boolean {
  return change === 'padded';
}

/** True for a key from which each KSN of a device gets its own keys. */
function isRoot({role}: KeyCandidate): boolean {
  return role === 'bdk' || role === 'ik';
}

/** Each ciphertext under its own KSN with the setting of its format, as `decrypt` does. */
function ownStages(gathered: Gathered, keys: readonly KeyCandidate[]): Stage[] {
  return byOwnKsn(probesOf(gathered, false)).map(([ksn, own]) => ({
    name: 'each ciphertext under its own KSN',
    keys,
    ksns: plainForms(ksn, 'message'),
    probes: own,
    thorough: true,
    withAes: true,
  }));
}

/** Damaged frames, repaired at every position that their length and LRC allow. */
function* repairStages(gathered: Gathered, keys: readonly KeyCandidate[]): Generator<Stage> {
  const seen = new Set<string>();
  const probes = gathered.texts
    .flatMap((text) => repairedSubjects(text, gathered.terminals))
    .flatMap((subject) =>
      subject.targets.flatMap((target) => {
        const key = `${target.ksn} ${latin1Of(target.ciphertext)}`;
        if (seen.has(key)) return [];
        seen.add(key);
        return [makeProbe(subject, target, {...gathered, pans: []})];
      }),
    );
  for (const [ksn, own] of byOwnKsn(probes)) {
    const ksns = plainForms(ksn, 'message');
    yield {name: 'frames with missing characters', keys, ksns, probes: own};
  }
}

function byOwnKsn(probes: readonly Probe[]): [string, Probe[]][] {
  const found = new Map<string, Probe[]>();
  for (const probe of probes) {
    const {ksn} = probe.target;
    if (ksn === undefined) continue;
    const own = found.get(ksn) ?? [];
    own.push(probe);
    found.set(ksn, own);
  }
  return [...found];
}

/** Puts given keys before published ones. */
function byOrigin(keys: readonly KeyCandidate[]): KeyCandidate[] {
  const order = {given: 0, keyfile: 1, published: 2};
  return [...keys].sort((a, b) => order[a.origin] - order[b.origin]);
}

interface KsnLists {
  readonly plain: readonly KsnCandidate[];
  readonly own: readonly KsnCandidate[];
  readonly others: readonly KsnCandidate[];
}

function ksnLists({ksns}: Gathered): KsnLists {
  const plain = ksns.given.flatMap((text) => plainForms(text, 'given'));
  const own = [...ksns.message, ...ksns.guessed].flatMap((text) => plainForms(text, 'message'));
  const others = [
    ...ksns.given.flatMap((text) => otherForms(text, 'given')),
    ...ksns.message.flatMap((text) => otherForms(text, 'message')),
  ];
  return distinctKsns({plain, own, others});
}

function distinctKsns(lists: KsnLists): KsnLists {
  const seen = new Set<string>();
  const fresh = (list: readonly KsnCandidate[]) =>
    list.filter(({ksn}) => !seen.has(ksn.hex) && seen.add(ksn.hex));
  return {plain: fresh(lists.plain), own: fresh(lists.own), others: fresh(lists.others)};
}

function share<T>(list: readonly T[], part: Part | undefined): readonly T[] {
  return part ? list.filter((_, i) => i % part.of === part.index) : list;
}

function* shared<T>(list: Iterable<T>, part: Part | undefined): Generator<T> {
  let i = 0;
  for (const one of list) if (!part || i++ % part.of === part.index) yield one;
}
