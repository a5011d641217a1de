import type {WrittenKey} from './case.js';
import type {Gathered} from './gather.js';
import {
  combinedComponents,
  type GivenKey,
  type KeyCandidate,
  misCounted,
  otherRoles,
  parityVariants,
  repairedKeys,
  statedRoles,
  typos,
} from './key-candidates.js';
import {type KsnCandidate, neighbours, otherForms, plainForms} from './ksn-candidates.js';
import {panFields} from './open-pin.js';
import {simpleKeys} from './published-keys.js';
import type {Stage} from './search.js';
import {makeProbe, type Probe} from './trial.js';

/** The keys of a search. */
export interface SearchKeys {
  /** Given, of the keyfile, published; in this order. */
  readonly all: readonly GivenKey[];
  readonly written: readonly WrittenKey[];
}

/** Which share of the long stages a worker does. */
export interface Part {
  readonly index: number;
  readonly of: number;
}

const REACH = 64;
/** The published number of X9.24's own PIN block example. */
const EXAMPLE_PAN = '4012345678909';

/** The stages of a search in order of likelihood: the usual causes, then the long ones. */
export function usualStages(gathered: Gathered, keys: SearchKeys): Stage[] {
  const {own, plain, others} = ksnLists(gathered);
  const probes = probesOf(gathered, false);
  const stated = byOrigin(statedRoles(keys.all));
  const components = combinedComponents(keys.all);
  const roles = otherRoles(keys.all.filter(({origin}) => origin !== 'published'));
  const first = [...plain, ...own];
  const usual = {probes, thorough: true, withAes: true};
  return [
    ...ownStages(gathered, [...stated, ...components.slice(0, 4)]),
    {name: 'keys as they were given', keys: stated, ksns: first, ...usual},
    {name: 'components', keys: components, ksns: first, ...usual},
    {name: 'keys in other roles', keys: roles, ksns: first, ...usual},
    {name: 'other forms of the KSN', keys: [...stated, ...components], ksns: others, ...usual},
    {name: 'other forms of the KSN', keys: roles, ksns: others, probes, withAes: true},
    {
      name: 'keys put together wrongly',
      keys: repairedKeys(keys.all),
      ksns: first,
      probes,
      withAes: true,
    },
  ];
}

/** Neighbouring reads, mistyped keys, parity: thousands of keys, of which only first blocks are read. */
export function* longStages(gathered: Gathered, keys: SearchKeys, part?: Part): Generator<Stage> {
  const {own, plain, others} = ksnLists(gathered);
  const probes = probesOf(gathered, true);
  const first = [...plain, ...own].slice(0, MOST_LONG_KSNS);
  const stated = byOrigin(statedRoles(keys.all));
  const roles = otherRoles(keys.all.filter(({origin}) => origin === 'given'));
  const near = share(
    first.flatMap((ksn) => neighbours(ksn, REACH)),
    part,
  );
  const derived = [...stated, ...combinedComponents(keys.all), ...roles].filter(
    ({role}) => role === 'bdk' || role === 'ik',
  );
  yield {name: 'neighbouring reads', keys: derived, ksns: near, probes};
  const typed = keys.all.filter(({origin}) => origin !== 'keyfile');
  const few = first.slice(0, 4);
  for (const key of typed) {
    const kinds = key.origin === 'published' ? (['bdk'] as const) : ROLES;
    yield {name: 'mistyped keys', keys: shared(typos(key, kinds), part), ksns: few, probes};
  }
  for (const {digits, source, kind} of keys.written) {
    if (![31, 33, 47, 49].includes(digits.length)) continue;
    const key: GivenKey = {kind, bytes: new Uint8Array(), source, origin: 'given'};
    yield {
      name: 'keys with a digit too few or too many',
      keys: shared(misCounted(key, digits, ROLES), part),
      ksns: few,
      probes,
    };
  }
  for (const key of keys.all.filter(({origin}) => origin === 'given')) {
    for (const role of ['ik', 'transaction'] as const) {
      yield {name: 'parity bits', keys: shared(parityVariants(key, role), part), ksns: few, probes};
    }
  }
  const simple = statedRoles(simpleKeys());
  yield {name: 'simple keys', keys: shared(simple, part), ksns: [...few, ...others], probes};
}

const ROLES = ['bdk', 'ik', 'transaction', 'working'] as const;

/** Each ciphertext under its own KSN, under the setting of its format: what `decrypt` does. */
function ownStages(gathered: Gathered, keys: readonly KeyCandidate[]): Stage[] {
  const probes = probesOf(gathered, false).filter(({target}) => target.ksn !== undefined);
  const byKsn = new Map<string, Probe[]>();
  for (const probe of probes) {
    const ksn = probe.target.ksn ?? '';
    byKsn.set(ksn, [...(byKsn.get(ksn) ?? []), probe]);
  }
  return [...byKsn].map(([ksn, own]) => ({
    name: 'each ciphertext under its own KSN',
    keys,
    ksns: plainForms(ksn, 'message'),
    probes: own,
    thorough: true,
    withAes: true,
  }));
}

/** Keys that a person gave go before published ones. */
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
  const own = ksns.message.flatMap((text) => plainForms(text, 'message'));
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

const MOST_PROBES = 120;
/** In the long stages every ciphertext and KSN costs thousands of trials. */
const MOST_LONG_PROBES = 12;
const MOST_LONG_KSNS = 8;

function probesOf({subjects, ivs, pans}: Gathered, isLong: boolean): Probe[] {
  const known = pans.length > 0 ? pans : [EXAMPLE_PAN];
  const fields = panFields(known);
  const seen = new Set<string>();
  const probes = subjects.flatMap((subject) =>
    subject.targets.map((target) => makeProbe(subject, target, ivs, known, fields)),
  );
  if (!isLong) return probes.slice(0, MOST_PROBES);
  const whole = probes.filter(({subject}) => !subject.isCut);
  const distinct = (whole.length > 0 ? whole : probes).filter(({target}) => {
    const key = Buffer.from(target.ciphertext).toString('latin1');
    return !seen.has(key) && seen.add(key);
  });
  return distinct.slice(0, MOST_LONG_PROBES);
}

function share<T>(list: readonly T[], part: Part | undefined): readonly T[] {
  return part ? list.filter((_, i) => i % part.of === part.index) : list;
}

function* shared<T>(list: Iterable<T>, part: Part | undefined): Generator<T> {
  let i = 0;
  for (const one of list) if (!part || i++ % part.of === part.index) yield one;
}
