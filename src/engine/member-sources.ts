import type {Extracted} from '../contract/process-payload.js';
import {type CardContent, mergeContent} from './card/card-content.js';
import {clearMember} from './card/clear-tags.js';
import {extract} from './card/extract.js';
import type {MaskedPan} from './card/masked-pans.js';
import {trackDataOf} from './card/track-data.js';
import {parseTrack2Equivalent} from './card/track2-equivalent.js';
import {flatten} from './tlv/ber.js';

/** Where a member of the response was read, and what agreed with it. No card data. */
export interface MemberSource {
  /** `PAN` and the other members of `extracted`; `track1`, `tlv`; `pin`, which only `decrypt` adds. */
  readonly member: string;
  /** The place and its encrypted field, `tag 57 in tag DFDF10`, or `the cleartext data`. */
  readonly from: string;
  /** The evidence for that field, other places that give the same value, and masked copies. */
  readonly agreed: readonly string[];
}

/** The content of an encrypted field, or of the data in clear, and the evidence for it. */
export interface NamedContent {
  readonly name: string;
  readonly content: CardContent;
  readonly facts: readonly string[];
}

/** Members of the response that are one plaintext each. */
const WHOLES = ['track1', 'track2', 'track3', 'tlv', 'track2equivalent', 'keyed'] as const;

/**
 * The source of each member of a response to `fields`. `others` are read as well, but preferred by no
 * member that a field gives; `masked` are the copies of the card number that did not contradict it.
 */
export function memberSources(
  fields: readonly NamedContent[],
  others: readonly NamedContent[],
  masked: readonly MaskedPan[] = [],
): MemberSource[] {
  const all = [...fields, ...others];
  const places = all.flatMap(dataPlaces).sort((a, b) => a.rank - b.rank);
  const content = mergeContent(all.map((one) => one.content));
  const data = Object.entries(extract(content)).map(([member, value]) => {
    const found = places.filter(({members}) => members[member as keyof Extracted] === value);
    const copies = member === 'PAN' ? masked.filter(({isTrack1}) => !isTrack1) : [];
    return sourceOf(member, found, copies);
  });
  const wholes = WHOLES.flatMap((member) => {
    const found = all.filter((one) => one.content[member] !== undefined);
    if (found.length === 0) return [];
    const name = found.map((one) => one.name).join(', ');
    const facts = found.flatMap((one) => one.facts);
    // Of other members given twice the first is answered; lists are joined.
    return [member === 'tlv' ? sourceOf(member, [{name, facts}]) : sourceOf(member, found)];
  });
  return [...data, ...wholes];
}

function sourceOf(
  member: string,
  [first, ...others]: readonly Pick<NamedContent, 'name' | 'facts'>[],
  copies: readonly MaskedPan[] = [],
): MemberSource {
  const same = others.map(({name}) => name).filter((name) => name !== first?.name);
  const masked = copies.map(({name}) => `masked copy in ${name}`);
  const agreed = [...new Set([...(first?.facts ?? []), ...same, ...masked])];
  return {member, from: first?.name ?? '', agreed};
}

/** A place with card data, and the members that it gives. */
interface DataPlace extends Pick<NamedContent, 'name' | 'facts'> {
  readonly members: Partial<Extracted>;
  /** The response prefers the lower one. */
  readonly rank: number;
}

/** The places of one content; what a tag gives is no further place of its list. */
function dataPlaces({name, content, facts}: NamedContent): DataPlace[] {
  const {track1, track2, track2equivalent, keyed, tlv = [], ...separate} = content;
  const objects = flatten(tlv.flatMap((list) => list.objects));
  const tags = objects.flatMap((object) =>
    dataPlaces({name, content: clearMember(object), facts}).map((place) => ({
      ...place,
      name: placeName(`tag ${object.tag}`, name),
    })),
  );
  const given = new Set(tags.flatMap(({members}) => Object.keys(members)));
  const parts: [string, CardData | undefined][] = [
    ['track 2', track2 && trackDataOf(2, track2)],
    ['track 2 equivalent', track2equivalent && parseTrack2Equivalent(track2equivalent.text)],
    ['track 1', track1 && trackDataOf(1, track1)],
    ['keyed entry', keyed && {...separate, pan: keyed.pan, cvv: separate.cvv ?? keyed.cvv}],
    [name, keyed ? undefined : separate],
  ];
  const own = parts.flatMap(([place, data], rank): DataPlace[] => {
    const members = Object.entries(data ? membersOf(data) : {}).filter(([key]) => !given.has(key));
    if (members.length === 0) return [];
    return [{name: placeName(place, name), members: Object.fromEntries(members), facts, rank}];
  });
  return [...tags, ...own];
}

function placeName(place: string, field: string): string {
  return field.startsWith(place) ? field : `${place} in ${field}`;
}

type CardData = {readonly [M in 'pan' | 'expiry' | 'cvv']?: string | undefined};

/** As a response has them, if this were all. */
function membersOf(data: CardData): Partial<Extracted> {
  const {pan, expiry} = data;
  const alone = {...data, pan: pan ?? NO_PAN, expiry: expiry ?? NO_EXPIRY};
  // Without a prototype: nothing that a program added to all objects is card data.
  const {PAN, EXPY, ...others} = extract(Object.assign(Object.create(null), alone));
  return {...others, ...(pan && {PAN}), ...(expiry && {EXPY})};
}

const NO_PAN = '000000000000';
const NO_EXPIRY = '0000';
