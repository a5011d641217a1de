import {readTlv, type TlvObject, writeTlv} from '../../../src/engine/tlv/ber.js';

/*
 * Payloads that lost, doubled or exchanged a part, or have parts of another card: as fields, whatever
 * their notation is.
 */

/** The fields of a payload, and the payload with others in their places. */
interface Fields {
  /** The lengths around its values are right whatever they are: cutting one would be no damage. */
  readonly isCounted?: true;
  readonly values: readonly string[];
  readonly join: (values: readonly (string | undefined)[]) => string;
}

/** A payload with one change. */
export interface Mutant {
  readonly how: string;
  readonly payload: string;
}

const MAX_BYTES = 9;

/** Every change of one payload; `other` is the same form with another card. */
export function* mutantsOf(payload: string, other: string): Generator<Mutant> {
  for (const [how, changed] of ofWhole(payload)) yield {how, payload: changed};
  const {values, join, isCounted} = fieldsOf(payload);
  const given = fieldsOf(other).values;
  for (const [how, changed] of ofFields(values, given, isCounted))
    yield {how, payload: join(changed)};
}

type Change<T> = readonly [how: string, changed: T];

/** Lines, then bytes and blocks of the text itself. */
function* ofWhole(payload: string): Generator<Change<string>> {
  const lines = payload.split(/(?<=[\r\n;|&])/);
  for (const i of lines.keys()) {
    yield [`line ${i} dropped`, lines.toSpliced(i, 1).join('')];
    yield [`line ${i} doubled`, lines.toSpliced(i, 0, lines[i] ?? '').join('')];
  }
  for (let count = 1; count <= 40; count++) {
    yield [`first ${count} dropped`, payload.slice(count)];
    yield [`last ${count} dropped`, payload.slice(0, -count)];
  }
}

function* ofFields(
  values: readonly string[],
  given: readonly string[],
  isCounted = false,
): Generator<Change<readonly (string | undefined)[]>> {
  for (const [i, value] of values.entries()) {
    yield [`field ${i} dropped`, values.with(i, undefined as never)];
    for (const [how, changed] of isCounted ? [] : ofValue(value))
      yield [`field ${i}: ${how}`, values.with(i, changed)];
    for (const [j, second] of values.entries())
      if (j > i) yield [`fields ${i}, ${j} exchanged`, values.with(i, second).with(j, value)];
      else if (j !== i) yield [`field ${i} is field ${j}`, values.with(i, second)];
  }
  if (given.length !== values.length) return;
  const differing = [...values.keys()].filter((i) => values[i] !== given[i]);
  const put = (set: readonly number[]) =>
    set.reduce<readonly string[]>((all, i) => all.with(i, given[i] ?? ''), values);
  for (const i of differing) {
    yield [`field ${i} of the other card`, put([i])];
    yield [`all but field ${i} of the other card`, put(differing.filter((one) => one !== i))];
    for (const j of differing)
      if (j > i) yield [`fields ${i}, ${j} of the other card`, put([i, j])];
  }
}

function* ofValue(value: string): Generator<Change<string>> {
  yield ['doubled', value + value];
  const hex = /^(?:[\da-f]{2})+$/i.test(value) ? value : undefined;
  const digits = hex ?? asBase64(value);
  if (digits === undefined) {
    for (let count = 1; count <= MAX_BYTES && count < value.length; count++) {
      yield [`first ${count} dropped`, value.slice(count)];
      yield [`last ${count} dropped`, value.slice(0, -count)];
    }
    return;
  }
  const back = (all: string) => (hex ? all : Buffer.from(all, 'hex').toString('base64'));
  for (const [how, changed] of ofDigits(digits)) yield [how, back(changed)];
}

function* ofDigits(digits: string): Generator<Change<string>> {
  for (let count = 1; count <= MAX_BYTES; count++) {
    yield [`first ${count} bytes dropped`, digits.slice(2 * count)];
    yield [`last ${count} bytes dropped`, digits.slice(0, -2 * count)];
  }
  const blocks = digits.match(/.{1,16}/g) ?? [];
  for (const i of blocks.keys()) {
    yield [`from block ${i} on dropped`, blocks.slice(0, i).join('')];
    yield [`up to block ${i} dropped`, blocks.slice(i).join('')];
  }
}

function asBase64(text: string): string | undefined {
  if (!/^[\w+/]{22,}={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Buffer.from(text, 'base64').toString('hex').toUpperCase();
}

function fieldsOf(payload: string): Fields {
  return jsonFields(payload) ?? tlvFields(payload) ?? textFields(payload);
}

function jsonFields(payload: string): Fields | undefined {
  if (!payload.trim().startsWith('{')) return undefined;
  const values: string[] = [];
  try {
    JSON.parse(payload, (_, value) => {
      if (typeof value === 'string') values.push(value);
      return value;
    });
  } catch {
    return undefined;
  }
  const join: Fields['join'] = (changed) => {
    let at = 0;
    return JSON.stringify(
      JSON.parse(payload, (_, value) => (typeof value === 'string' ? changed[at++] : value)),
    );
  };
  return {values, join};
}

/** The values of a list of tags without children, in hex; the lengths around them are right. */
function tlvFields(payload: string): Fields | undefined {
  if (!/^(?:[\da-f]{2})+$/i.test(payload)) return undefined;
  try {
    const bytes = Buffer.from(payload, 'hex');
    const {objects, end} = readTlv(bytes, {idtechFlags: true});
    if (end !== bytes.length || objects.length === 0) return undefined;
    const values: string[] = [];
    collect(objects, values);
    if (values.length < 2 || rebuilt(objects, values) !== payload.toUpperCase()) return undefined;
    return {isCounted: true, values, join: (changed) => rebuilt(objects, changed)};
  } catch {
    return undefined;
  }
}

function collect(objects: readonly TlvObject[], values: string[]): void {
  for (const {value, children} of objects)
    if (children) collect(children, values);
    else values.push(Buffer.from(value).toString('hex').toUpperCase());
}

function rebuilt(objects: readonly TlvObject[], values: readonly (string | undefined)[]): string {
  let at = 0;
  const build = (all: readonly TlvObject[]): Buffer =>
    Buffer.concat(
      all.flatMap(({tag, children}) => {
        if (children) return [Buffer.from(writeTlv(tag, build(children)))];
        const value = values[at++];
        return value === undefined ? [] : [Buffer.from(writeTlv(tag, Buffer.from(value, 'hex')))];
      }),
    );
  return build(objects).toString('hex').toUpperCase();
}

/** What stands between separators and tags of a text. */
function textFields(payload: string): Fields {
  const parts = payload.split(/(<[^>]*>|[\r\n;|&=:,]+)/);
  const places = [...parts.keys()].filter((i) => i % 2 === 0 && parts[i] !== '');
  const values = places.map((i) => parts[i] ?? '');
  const join: Fields['join'] = (changed) =>
    places.reduce((all, place, i) => all.with(place, changed[i] ?? ''), parts).join('');
  return {values, join};
}
