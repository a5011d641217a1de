import type {Place} from './notation.js';
import {byteRuns} from './table.js';

/** Members that a text gives in the notation of a program, and the same as JSON. */
export interface MemberText extends Place {
  readonly json: string;
}

/** Long enough for every track, and bounded so that no text takes long. */
const STRING_VALUE = String.raw`(?<quote>["'])(?<value>(?:[^"'\\\n]|\\.){0,4096})\k<quote>`;
/** Behind a string: more of its value. */
const CONTINUED = /\s{0,40}(?:[+.&]\s{0,40}["'$@(]|[+&]\s{0,40}\w|\.\s{1,40}\w|\\\n)/y;

/** How programs write a member with its value, with the groups `name` and `value`. */
const MEMBER_NOTATIONS: readonly RegExp[] = [
  // Hashes of Ruby, PHP and Perl: 'name' => 'value', :name => "value"
  new RegExp(
    String.raw`(?:["']|(?<!\w):)?\b(?<name>\w{2,60})["']?\s{0,8}=>\s{0,8}${STRING_VALUE}`,
    'g',
  ),
  // Assignments: card.name = @"value", $card->name = 'value'
  new RegExp(String.raw`(?:\.|->)(?<name>\w{2,60})\s{0,8}=\s{0,8}[@$]?${STRING_VALUE}`, 'g'),
  // Setters: setName("value"), getName().setValue("value")
  new RegExp(
    String.raw`\b(?:get(?<name>\w{2,60})\(\)\.setValue|set(?<setter>(?!Value\()\w{2,60}))\(\s{0,8}@?${STRING_VALUE}`,
    'g',
  ),
  // Calls with a name and a value: map.put("name", "value")
  new RegExp(
    String.raw`\.(?:put|add|append|set)\(\s{0,8}["'](?<name>[\w.-]{2,60})["']\s{0,8},\s{0,8}${STRING_VALUE}`,
    'g',
  ),
  // Elements of XML without others inside, in any namespace
  /<(?:\w{1,40}:)?(?<name>[A-Za-z]\w{1,60})(?:\s[^<>]{0,200})?>(?<value>[^<>]{1,4096})<\//g,
  // Maps of Java in print: {name=value, name=value}, where a value may hold commas and tracks, and end in =
  /[{,]\s{0,8}(?<name>[A-Za-z][\w. ]{1,60})=(?<value>(?:[^={}\n]|=(?=[\d*])){0,4096}?={0,2})(?=\}|,\s{0,8}[\w.$ -]{1,60}=)/g,
  // Rows of a table: | name = value |
  /^\s{0,8}\|\s{0,8}(?<name>[A-Za-z][\w .]{1,60}?)\s{0,8}[=:|]\s{0,8}(?<value>[^|=:\n]{1,4096}?)\s{0,8}\|\s{0,8}$/gm,
];

const MIN_MEMBERS = 2;

/** The members of a text in each notation of programs that it is written in. */
export function memberTexts(text: string): MemberText[] {
  return MEMBER_NOTATIONS.flatMap((notation) => membersIn(text, notation) ?? []);
}

/**
 * Undefined if a name has two values, or there are bytes between the members: several reads. Also
 * undefined if a value continues after its string.
 */
function membersIn(text: string, notation: RegExp): MemberText | undefined {
  const found = [...text.matchAll(notation)];
  const [first, last] = [found[0], found.at(-1)];
  const members = new Map<string, string>();
  if (found.some((one) => isContinued(text, one))) return undefined;
  for (const {groups = {}} of found) {
    const {name, setter = '', quote, value: given = ''} = groups;
    // In quotes a backslash may precede a quote or another backslash.
    const value = (quote === undefined ? given : given.replaceAll(/\\(["'\\])/g, '$1')).trim();
    const known = members.get(name ?? setter);
    if (known !== undefined && known !== value) return undefined;
    members.set(name ?? setter, value);
  }
  if (!first || !last || members.size < MIN_MEMBERS) return undefined;
  const place = {from: first.index, to: last.index + last[0].length};
  if (byteRuns(between(text, found, place)).length > 0) return undefined;
  return {...place, json: JSON.stringify(Object.fromEntries(members))};
}

function isContinued(text: string, {0: all, index, groups}: RegExpExecArray): boolean {
  CONTINUED.lastIndex = index + all.length;
  return groups?.quote !== undefined && CONTINUED.test(text);
}

/** The text between the members. */
function between(text: string, found: readonly RegExpExecArray[], {from, to}: Place): string {
  let at = from;
  const gaps = found.map(({0: all, index}) => {
    const gap = text.slice(at, index);
    at = index + all.length;
    return gap;
  });
  return [...gaps, text.slice(at, to)].join('\n');
}
