import {nounFor} from '../../contract/found-hex.js';
import {keySetId} from '../../engine/dukpt/ksn.js';
import type {PartPair} from '../../engine/inspection/hidden-cells.js';
import type {EncryptedPart, Inspection} from '../../engine/inspection/inspect-payload.js';
import {UNREAD} from '../../engine/inspection/name-unread.js';
import {aidAmong, partWords} from '../../engine/inspection/part-words.js';
import type {TlvObject} from '../../engine/tlv/ber.js';
import {type EmvWord, emvWords, serviceCodeInWords} from '../../engine/tlv/emv-words.js';
import {isConstructed, tagName} from '../../engine/tlv/tags.js';
import type {Check} from '../../engine/trace.js';
import {counterInWords} from './derivation.js';
import type {Kind, NewField} from './field.js';
import {ksnOf} from './keys.js';
import type {CheckedMac, OpenedPart} from './open-payload.js';
import {objectValue} from './plaintext.js';
import {plain, type Shown} from './shown.js';

const NO_TEXT = plain('');

/** The facts that turn the parts of a payload into fields. */
interface Context {
  readonly inspection: Inspection;
  readonly opened: readonly OpenedPart[];
  readonly macs: readonly CheckedMac[];
  readonly ksns: ReadonlySet<string>;
  readonly words: ReadonlyMap<PartPair, readonly EmvWord[] | undefined>;
}

/** The fields of a payload, nested as its parts are, with what was decrypted below them. */
export function fieldsOf(
  pairs: readonly PartPair[],
  inspection: Inspection,
  opened: readonly OpenedPart[] = [],
  macs: readonly CheckedMac[] = [],
): NewField[] {
  const ksns = new Set([
    ...inspection.encrypted.flatMap(({ksn}) => ksn ?? []),
    ...pairs.flatMap(({clear: {name, value}}) => (name === 'KSN' ? value.toUpperCase() : [])),
    ...opened.flatMap(({explanation}) => explanation.ksn?.text ?? []),
  ]);
  const all = partWords(pairs.map(({masked}) => masked));
  const words = new Map(pairs.map((pair, i) => [pair, all[i]]));
  return nested(pairs, 0, {inspection, opened, macs, ksns, words});
}

function nested(pairs: readonly PartPair[], depth: number, context: Context): NewField[] {
  const fields: NewField[] = [];
  for (let i = 0; i < pairs.length; ) {
    const pair = pairs[i] as PartPair;
    let end = i + 1;
    while (end < pairs.length && (pairs[end]?.clear.depth ?? 0) > pair.clear.depth) end++;
    const inside = nested(pairs.slice(i + 1, end), depth + 1, context);
    fields.push(fieldOf(pair, inside, context));
    i = end;
  }
  return fields;
}

function fieldOf(pair: PartPair, inside: readonly NewField[], context: Context): NewField {
  const {masked, clear} = pair;
  const {offset, length, value} = clear;
  const check = context.inspection.checks.find((one) => one.offset === offset);
  const opened = context.opened.findIndex((part) => isWithin(clear, part));
  const field = {
    offset,
    length,
    name: {masked: masked.name, clear: clear.name},
    value: {masked: masked.value, clear: value},
    meaning: {masked: masked.meaning ?? '', clear: clear.meaning ?? ''},
    kind: kindOf(clear, check, context),
    check: check ? checkOf(check) : macAt(clear, context),
    ...(opened < 0 ? {} : {opened}),
  };
  const part = context.opened[opened];
  const bits = wordFields(context.words.get(pair), field);
  return {
    ...field,
    ...(bits.length > 0 ? {meaning: inWords(bits)} : {}),
    children: [
      ...inside,
      ...bits,
      ...(context.ksns.has(value.toUpperCase()) ? ksnFields(value, field) : []),
      ...(part ? [plaintextField(part, opened, field)] : []),
    ],
  };
}

/** Whether a part contains a ciphertext; in JSON, and at the first byte, it has its name. */
function isWithin(
  {offset, length, name, value}: PartPair['clear'],
  cipher: Pick<EncryptedPart, 'name' | 'offset'> & {readonly ciphertext?: Uint8Array},
): boolean {
  if (value === '') return false;
  if (name === cipher.name || name === `${cipher.name} encrypted`) return true;
  return cipher.offset > 0 && cipher.offset >= offset && cipher.offset < offset + length;
}

function kindOf(
  part: PartPair['clear'],
  check: Check | undefined,
  {inspection, ksns}: Context,
): Kind {
  if (part.name === UNREAD) return 'unread';
  if (part.sensitivity === 'ciphertext') return 'encrypted';
  if (inspection.encrypted.some((one) => isWithin(part, one))) return 'encrypted';
  if (ksns.has(part.value.toUpperCase())) return 'key';
  if (part.sensitivity === 'card') return 'card';
  if (check) return 'check';
  if (part.length <= 1 && part.meaning === undefined) return 'structure';
  return part.length <= 2 && part.meaning !== undefined ? 'length' : 'data';
}

function checkOf({name, expected, found, ok}: Check) {
  return {ok, text: ok ? `${name} is correct` : `${name}: expected ${expected}, found ${found}`};
}

/** The MAC or hash whose bytes the part contains. */
function macAt({offset, length}: PartPair['clear'], {macs}: Context): NewField['check'] {
  const mac = macs.find((one) => one.offset >= offset && one.offset < offset + length);
  return mac && {ok: mac.ok, text: `${mac.name} is ${mac.ok ? '' : 'not '}the ${mac.of}`};
}

type Place = Pick<NewField, 'offset' | 'length'>;

/** The meanings of the bits that are set, or of the codes. */
function inWords(bits: readonly NewField[]): Shown {
  const set = bits.filter(({isSet}) => isSet !== false).map(({meaning}) => meaning.clear);
  return plain(set.length > 0 ? set.join('; ') : 'no bit is set');
}

function wordFields(words: readonly EmvWord[] = [], {offset, length}: Place): NewField[] {
  return words.map(({name, meaning, isSet}) => ({
    ...{offset, length, kind: 'bit'},
    name: plain(name),
    value: plain(isSet === undefined ? '' : isSet ? '1' : '0'),
    meaning: plain(meaning),
    isSet,
  }));
}

/** The parts of a KSN in words. */
function ksnFields(hex: string, {offset, length}: Place): NewField[] {
  const ksn = ksnOf(hex);
  if (!ksn) return [];
  const set = keySetId(ksn);
  const device = ksn.initial.slice(set.length, ksn.scheme === 'aes' ? 16 : 15);
  const one = (name: string, value: string, meaning: string): NewField => ({
    ...{offset, length, kind: 'key'},
    name: plain(name),
    value: plain(value),
    meaning: plain(meaning),
  });
  return [
    one('key set', set, `${ksn.scheme.toUpperCase()} DUKPT`),
    one('device', device, ''),
    one('counter', String(ksn.counter), counterInWords(ksn)),
  ];
}

function plaintextField(part: OpenedPart, opened: number, {offset, length}: Place): NewField {
  const {pieces, lists} = part.plaintext;
  const place = {offset, length, opened};
  const texts = pieces.map(({text}) => text);
  const aid = aidAmong(lists.flatMap(({objects}) => objects));
  return {
    ...place,
    kind: 'card',
    name: plain('plaintext'),
    value: joined(texts),
    meaning: plain(lists.length > 0 ? `${part.plaintext.bytes.length} bytes of TLV` : ''),
    check: {ok: true, text: part.explanation.facts.join(', ')},
    children: [
      ...lists.flatMap(({objects}) => objects.map((object) => objectField(object, place, aid))),
      ...texts.flatMap((text) => serviceCodeField(text, place)),
    ],
  };
}

function joined(texts: readonly Shown[]): Shown {
  const all = (form: keyof Shown) => texts.map((text) => text[form]).join(' ');
  return {masked: all('masked'), clear: all('clear')};
}

function objectField(
  object: TlvObject,
  place: Place & {readonly opened: number},
  aid: string | undefined,
): NewField {
  const {tag, value, children} = object;
  const isList = children !== undefined && isConstructed(tag);
  const shown = isList ? NO_TEXT : objectValue(object);
  const isMasked = isList || shown.masked !== shown.clear;
  const bits = wordFields(isMasked ? [] : emvWords(tag, value, aid), place);
  return {
    ...place,
    kind: 'card',
    name: plain(`${tag} ${tagName(tag)}`),
    value: shown,
    meaning:
      bits.length > 0 ? inWords(bits) : plain(`${value.length} ${nounFor(value.length, 'byte')}`),
    children: isList ? children.map((child) => objectField(child, place, aid)) : bits,
  };
}

/** After the expiry date of a track; shown only with the card number. */
const SERVICE_CODE = /^(?:%[A-Z][\d ]+\^[^^]*\^\d{4}|;\d+=\d{4})(\d{3})/;

function serviceCodeField({clear}: Shown, place: Place & {readonly opened: number}): NewField[] {
  const [, code = ''] = SERVICE_CODE.exec(clear) ?? [];
  const words = serviceCodeInWords(code);
  if (!words) return [];
  return [
    {
      ...place,
      kind: 'card',
      name: plain('service code'),
      value: {masked: '***', clear: code},
      meaning: {masked: '', clear: words.join('; ')},
    },
  ];
}
