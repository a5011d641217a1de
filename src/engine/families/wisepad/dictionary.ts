import {readJson} from '../../../contract/parse-json.js';
import {PaylensError} from '../../../contract/paylens-error.js';
import {unlessThrown} from '../../../platform/unless-thrown.js';
import {withoutEnd} from '../../../platform/without-end.js';
import {entryOf} from '../../forms/entry-of.js';
import {membersWithin, readJsonPayload, UNKNOWN_MEMBER} from '../../forms/json-payload.js';
import {type Member, textPieces} from '../../forms/members.js';
import {severalReads} from '../../forms/one-read.js';
import {hexValue} from '../../forms/payload-bytes.js';
import type {Part, Trace} from '../../trace.js';
import {type Maker, type MakerHint, makerOfMembers} from './makers.js';
import {DICTIONARY_MEMBERS, type DictionaryMember} from './members.js';

/** The SDK's dictionary, in whichever form it was sent. Empty values and `null` count as absent. */
export class Dictionary {
  readonly form: string;
  /** The value of each member and its position in the payload. */
  readonly #values = new Map<string, {readonly text: string; readonly offset: number}>();
  readonly #makers = new Set<Maker>();

  constructor(form: string) {
    this.form = form;
  }

  /**
   * Adds a value under any spelling of its name. Throws 2100 if it contradicts an earlier one, or
   * is an element of an ISO 8583 message, which no reader sends in its dictionary.
   */
  add(name: string, text: string, offset: () => number): void {
    const member = memberName(name);
    const value = text.trim();
    if (/^de-?\d+$/.test(member)) throw new PaylensError(2100, `${member}: not of a reader`);
    const entry = declaredMember(member);
    if (entry?.maker) this.#makers.add(entry.maker);
    if (entry === undefined || value === '' || value === 'null') return;
    const known = this.#values.get(member);
    if (known && known.text !== value) throw new PaylensError(2100, `${member}: given twice`);
    if (!known) this.#values.set(member, {text: value, offset: offset()});
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** Who made the reader that sent it. */
  get maker(): MakerHint {
    const hasKsn = this.text('ksn') !== undefined;
    return makerOfMembers({makers: this.#makers, formatId: this.formatId, hasKsn});
  }

  get formatId(): string | undefined {
    return this.text('formatid')?.toUpperCase();
  }

  /** The KSN of the tracks. Throws 2100 if a BBPOS dictionary has two. */
  get ksn(): string | undefined {
    const [own, other] = [this.text('trackksn'), this.text('ksn')];
    if (own !== undefined && other !== undefined && own !== other && this.maker !== 'DSpread')
      throw new PaylensError(2100, 'ksn: given twice');
    return own ?? other;
  }

  text(member: string): string | undefined {
    return this.#values.get(member)?.text;
  }

  /** Hex of either case with spaces. Throws 2100 if it is not hex, 2102 on an odd digit. */
  bytes(member: string): {bytes: Uint8Array; offset: number} | undefined {
    const value = this.#values.get(member);
    if (!value) return undefined;
    return {bytes: hexValue(value.text.replaceAll(/\s/g, ''), member), offset: value.offset};
  }
}

/**
 * Reads the dictionary as JSON, as its `{k=v, k=v}` or `{k = v; k = v;}` dump, as printed `Label:
 * value` lines, or as `k=v` lines or query string (docs/terminals/wisepad.md#accepted-shapes).
 *
 * Throws 2100 if it is none of these, or has no member of the SDK's dictionary.
 */
export function readDictionary(payload: string, trace: Trace): Dictionary {
  trace.unit = 'character';
  const dictionary = dictionaryReader(payload)(payload, trace);
  if (!dictionary.isEmpty) return dictionary;
  throw new PaylensError(
    2100,
    'expected hex (TLV or encrypted tracks), or members such as encTracks and ksn as JSON, Label: value lines or key=value',
  );
}

type ReadDictionary = (payload: string, trace: Trace) => Dictionary;

function dictionaryReader(payload: string): ReadDictionary {
  const text = payload.trim();
  if (/^\{\s*["}]/.test(text)) return readJsonDictionary;
  if (DUMP.test(text)) return readDump;
  if (JOINED_MEMBERS.test(text)) return readJoined;
  return /[:=]/.exec(text)?.[0] === ':' ? readLabels : readPairs;
}

/** A dump, perhaps after a name that is not hex: `DecodeData{`, `decodeData={`. */
const DUMP = /^(?:[A-Za-z]{0,20}[g-z][A-Za-z]{0,20}(?:\s?[:=]\s?)?)?\{/;

/** Members of a plugin for Cordova: `formatID_30,maskedPAN_542418XXXXXX4563`. */
const JOINED_MEMBERS = /^\w[^\W_]*_[^,:=]*,\s*[A-Za-z][^\W_]*_/;

/** Normalises a name: `Encrypted Track 1` and `encTrack1` are the same. */
export function memberName(name: string): string {
  return name
    .replaceAll(/\s/g, '')
    .toLowerCase()
    .replace(/^encrypted/, 'enc');
}

/** The member of the SDK's dictionary that has this name in any spelling. */
export function declaredMember(name: string): DictionaryMember | undefined {
  return entryOf(DICTIONARY_MEMBERS, memberName(name));
}

function readJsonDictionary(payload: string, trace: Trace): Dictionary {
  const object = readJsonPayload(payload, trace, (name) => describeMember(name));
  const dictionary = new Dictionary('JSON dictionary');
  // Their own member of the name is text; software wraps the whole in one.
  const isOwn = (name: string) => name !== 'data' && declaredMember(name) !== undefined;
  for (const [name, value] of membersWithin(object, isOwn)) {
    const text = String(value);
    if (typeof value !== 'object' || value === null)
      dictionary.add(name, text, () => payload.indexOf(text));
    else throw new PaylensError(2100, `${name}: expected a string`);
  }
  return dictionary;
}

/** Position of a member: its name begins at `start`, its value ends at `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function readDump(payload: string, trace: Trace): Dictionary {
  const found = payload.indexOf('}', withoutEnd(payload, /[}\s]/).length);
  if (found < 0) trace.cut(new PaylensError(2102, 'expected } at the end of the {key=value} dump'));
  const close = found < 0 ? payload.length : found;
  // Java prints the name of the class in front.
  const open = ' '.repeat(payload.indexOf('{')) + payload.slice(payload.indexOf('{'), close);
  const spans = spansBetweenCommas(open, /^\s*[A-Za-z]\w*\s*=/);
  return readTextMembers('{key=value} dump', payload, spans, '=', trace, unquoted);
}

function readJoined(payload: string, trace: Trace): Dictionary {
  const spans = spansBetweenCommas(payload, /^\s*[A-Za-z][A-Za-z0-9]*_/);
  return readTextMembers('members joined by _', payload, spans, '_', trace);
}

/** A value may contain commas: a new member begins as `beginning` says. */
function spansBetweenCommas(text: string, beginning: RegExp): Span[] {
  const spans: Span[] = [];
  for (const {0: piece, index} of text.matchAll(/[^,;{]+/g)) {
    if (piece.trim() === '') continue;
    const end = index + piece.length;
    const before = spans.at(-1);
    if (before && !beginning.test(piece)) spans[spans.length - 1] = {...before, end};
    else spans.push({start: index, end});
  }
  return spans;
}

/** iOS ends members with `;` and quotes values that are empty or contain spaces; Java may quote. */
function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/s, '$2');
}

function readLabels(payload: string, trace: Trace): Dictionary {
  return readTextMembers('Label: value lines', payload, spansOf(payload, /[^\r\n]+/g), ':', trace);
}

function readPairs(payload: string, trace: Trace): Dictionary {
  const isQuery = !/[\r\n]/.test(payload.trim()) && payload.includes('&');
  const form = isQuery ? 'query string' : 'key=value lines';
  const spans = spansOf(payload, /[^\r\n&]+/g);
  return readTextMembers(form, payload, spans, '=', trace, isQuery ? decodeQueryValue : undefined);
}

function spansOf(payload: string, pattern: RegExp): Span[] {
  return textPieces(payload, pattern, MAX_MEMBERS).map(({piece, offset}) => ({
    start: offset,
    end: offset + piece.length,
  }));
}

function readTextMembers(
  form: string,
  payload: string,
  spans: readonly Span[],
  separator: ':' | '=' | '_',
  trace: Trace,
  decode: (value: string) => string = (value) => value,
): Dictionary {
  if (spans.length > MAX_MEMBERS)
    throw new PaylensError(2100, `expected at most ${MAX_MEMBERS} members, found ${spans.length}`);
  const dictionary = new Dictionary(form);
  const entries: Member[] = [];
  trace.members = {list: entries, describe: describeMember};
  for (const [i, {start, end}] of spans.entries()) {
    const piece = payload.slice(start, end);
    const cut = piece.indexOf(separator);
    const name = piece.slice(0, Math.max(cut, 0));
    assertNoOtherRead(piece, cut, start);
    const value = decode(piece.slice(cut + 1));
    assertNoReadInside(declaredMember(name), value, start);
    entries.push([name, value]);
    dictionary.add(name, value, () => start + cut + 1 + piece.slice(cut + 1).search(/\S|$/));
    // Separators and brackets belong to the part before them, those at the start to the first part.
    const from = i === 0 ? 0 : start;
    const to = spans[i + 1]?.start ?? payload.length;
    const place = {offset: from, length: to - from, depth: 0, name: name.trim()};
    if (trace.recording) trace.note({value: value.trim(), ...place, ...describeMember(name)});
  }
  return dictionary;
}

/** The longest dictionary has some forty members; lines between them are few. */
const MAX_MEMBERS = 500;

/**
 * Hex as long as a ciphertext or a KSN, braces, markup, and characters that do not occur in member
 * names.
 */
const FOREIGN_TEXT =
  /[0-9a-f]{48}|^\s*(?:[{<]|[0-9a-f]{20}\s*$)|\{\s*"|[|;%^*]|[[<]FS[\]>]|(?!\s)\p{Cc}/iu;

const MAX_NAME_CHARS = 60;

/** Members inside the value of an unknown member: `GN-7;ksn=...`, `{"ksn": ...`. */
const MEMBERS_INSIDE = /[;,|&]\s*(?:ksn|track[1-3]|enc\w+)\s*[=:]|\{\s*"/i;

/** KSN, PIN block, random number, number of the PSAM; any other value belongs to another read. */
const SHORT_VALUE = /^[\w\s./-]{0,60}$/;

/** The value of a member that no answer needs may contain a read in another form. Throws 2100. */
function assertNoReadInside(
  member: DictionaryMember | undefined,
  value: string,
  offset: number,
): void {
  const isShort =
    member?.maker !== 'DSpread' ||
    member.name === 'trackblock' ||
    SHORT_VALUE.test(unquoted(value));
  const hasMembers = !member && MEMBERS_INSIDE.test(value) && !isWholeJson(value);
  if (!isShort || hasMembers) throw otherRead(offset);
}

/** Every terminal tries it as a value that no form declares. */
function isWholeJson(value: string): boolean {
  return value.trimStart().startsWith('{') && 'value' in readJson(value);
}

/** Text that is not a member, and members in another form, are other reads. Throws 2100. */
function assertNoOtherRead(piece: string, cut: number, offset: number): void {
  const text = cut < 0 ? piece : piece.slice(0, cut);
  const [head = ''] = text.split(/[:=]/);
  const isMember = cut < 0 && declaredMember(head) !== undefined;
  if (!isMember && text.trim().length <= MAX_NAME_CHARS && !FOREIGN_TEXT.test(text)) return;
  throw otherRead(offset);
}

function otherRead(offset: number): PaylensError {
  return severalReads(`a second read at character ${offset}, before or after the members`);
}

/** Members that are in no table could contain anything. */
function describeMember(name: string): Pick<Part, 'meaning' | 'sensitivity'> {
  const member = declaredMember(name);
  if (!member) return UNKNOWN_MEMBER;
  const {meaning, sensitivity} = member;
  return {meaning, ...(sensitivity ? {sensitivity} : {})};
}

function decodeQueryValue(value: string): string {
  return unlessThrown(() => decodeURIComponent(value.replaceAll('+', ' '))) ?? value;
}
