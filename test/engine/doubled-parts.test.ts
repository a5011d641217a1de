import {describe, expect, it} from 'vitest';
import {readTlv, type TlvObject, writeTlv} from '../../src/engine/tlv/ber.js';
import {tenthOf} from '../long.js';
import {
  type Payload,
  SAMPLE_PAYLOADS,
  type Shape,
  SIMULATED_SHAPES,
  simulatedPayloads,
  uniquePayloads,
} from '../payloads.js';
import {answer} from './samples.js';

/*
 * A part that stands twice is never the first or the last of two: whether the other one stands in
 * front or behind, the answer is the same, and it is a refusal or that of the payload alone.
 */

const IDTECH_LISTS = ['flags', 'twice', 'augusta'].flatMap((convention): Shape[] =>
  [{}, {algorithm: 'aes'}].map((options) => ({
    deviceType: 'idtech',
    mode: 'emv',
    options: {message: 'tlv', convention, ...options},
  })),
);

/** Each payload once, however many options make it. */
const PAYLOADS = uniquePayloads([
  ...SAMPLE_PAYLOADS,
  ...simulatedPayloads([...SIMULATED_SHAPES, ...IDTECH_LISTS]),
]);

function outcomeOf({request, keys}: Payload, devicePayload: string): object {
  const {errCode, response} = answer({...request, devicePayload}, keys);
  return (
    response ?? {
      refused: [2100, 2101, 2102, 2103, 2110, 2111, 2400, 2600, 2601, 2602].includes(errCode ?? 0),
    }
  );
}

function isRefused(outcome: object): boolean {
  return 'refused' in outcome && outcome.refused === true;
}

/** Of the places where the other one may stand, all are refused or none changes anything. */
function assertNoChoice(payload: Payload, variants: readonly string[], where: object): void {
  const alone = outcomeOf(payload, payload.request.devicePayload);
  const outcomes = variants.map((variant) => outcomeOf(payload, variant));
  const refused = outcomes.filter(isRefused).length;
  if (refused === outcomes.length) return;
  expect({...where, outcomes}).toEqual({...where, outcomes: variants.map(() => alone)});
}

describe('a tag that stands twice', () => {
  const lists = PAYLOADS.flatMap((payload) => {
    const objects = listOf(payload.request.devicePayload);
    return objects ? [{...payload, objects}] : [];
  });

  it('is tried in lists of every terminal that sends some', () => {
    const types = new Set(lists.map(({request}) => request.deviceType));
    expect([...types].sort()).toEqual([
      'dspread',
      'idtech',
      'magtek',
      'miura',
      'phressiapad',
      'verifone',
      'wisepad',
      'wisepad2',
    ]);
    expect(lists.length).toBeGreaterThan(40);
  });

  it.each(tenthOf(lists, ({name}) => `same ${name}`))(
    'with the same value is one: $name',
    (payload) => {
      const alone = outcomeOf(payload, payload.request.devicePayload);
      for (const object of everyObject(payload.objects)) {
        for (const variant of doubled(payload.objects, object, bytesOf(object))) {
          const outcome = outcomeOf(payload, variant);
          // A message of MagTek is one container: behind another one it is refused, equal or not.
          if (payload.request.deviceType === 'magtek' && isRefused(outcome)) continue;
          expect({tag: object.tag, variant, outcome}).toEqual({
            tag: object.tag,
            variant,
            outcome: alone,
          });
        }
      }
    },
  );

  it.each(tenthOf(lists, ({name}) => `other ${name}`))(
    'with another value is never one of the two: $name',
    (payload) => {
      for (const object of everyObject(payload.objects)) {
        for (const other of othersOf(object)) {
          const whole = payload.request.devicePayload;
          const ends = [hexOf(other) + whole, whole + hexOf(other)];
          const where = {tag: object.tag, other: hexOf(other)};
          assertNoChoice(payload, doubled(payload.objects, object, other), where);
          for (const end of ends) assertNoChoice(payload, [end], where);
        }
      }
    },
  );
});

/** The objects of a payload that is hex of a TLV list and nothing else. */
function listOf(payload: string): readonly TlvObject[] | undefined {
  if (!/^(?:[0-9a-f]{2})+$/i.test(payload) || /^(?:01|02|C3|5669)/i.test(payload)) return undefined;
  try {
    const bytes = Buffer.from(payload, 'hex');
    const {objects, end} = readTlv(bytes, {idtechFlags: true});
    return end === bytes.length && objects.length > 1 ? objects : listInside(objects);
  } catch {
    return undefined;
  }
}

/** A single template is a list, too; a single value is not. */
function listInside(objects: readonly TlvObject[]): readonly TlvObject[] | undefined {
  return objects.some(({children}) => children !== undefined) ? objects : undefined;
}

function everyObject(objects: readonly TlvObject[]): TlvObject[] {
  return objects.flatMap((object) => [object, ...everyObject(object.children ?? [])]);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

function bytesOf({tag, lengthField, value}: TlvObject): Buffer {
  return Buffer.concat([Buffer.from(tag + lengthField, 'hex'), value]);
}

/** The payload with `other` directly in front of an object, and directly behind it. */
function doubled(objects: readonly TlvObject[], at: TlvObject, other: Buffer): string[] {
  return [
    hexOf(joined(objects, at, (own) => [other, own])),
    hexOf(joined(objects, at, (own) => [own, other])),
  ];
}

function joined(
  objects: readonly TlvObject[],
  at: TlvObject,
  put: (own: Buffer) => readonly Buffer[],
): Buffer {
  return Buffer.concat(
    objects.flatMap((object) => {
      if (object === at) return put(bytesOf(object));
      const {tag, children = []} = object;
      if (!everyObject(children).includes(at)) return [bytesOf(object)];
      return [Buffer.from(writeTlv(tag, joined(children, at, put)))];
    }),
  );
}

/** The same tag with its first and with its last byte changed; the length stays. */
function othersOf(object: TlvObject): Buffer[] {
  if (object.value.length === 0 || object.children) return [];
  const start = bytesOf(object).length - object.value.length;
  return [start, start + object.value.length - 1].map((at) => {
    const bytes = bytesOf(object);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  });
}

describe('a member that is given twice, in another case', () => {
  const objects = PAYLOADS.filter(({request}) => request.devicePayload.trim().startsWith('{"'));

  it('is tried in JSON of every terminal that sends some', () => {
    const types = new Set(objects.map(({request}) => request.deviceType));
    expect([...types].sort()).toEqual([
      'abecs',
      'bbpos',
      'dspread',
      'generic',
      'ifsf',
      'magtek',
      'newland',
      'nexo',
      'phressiapad',
      'poynt',
      'spire',
      'wisepad',
      'wisepad2',
    ]);
  });

  it.each(tenthOf(objects, ({name}) => name))('is never one of the two: $name', (payload) => {
    const text = payload.request.devicePayload;
    for (const {0: member, 1: name = '', 2: value = '', index} of text.matchAll(
      /"(\w+)"\s*:\s*"([^"]*)"/g,
    )) {
      for (const other of [`${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}`, value]) {
        const second = `"${name.toUpperCase() === name ? name.toLowerCase() : name.toUpperCase()}":"${other}"`;
        const variants = [
          `${text.slice(0, index)}${second},${text.slice(index)}`,
          `${text.slice(0, index)}${member},${second}${text.slice(index + member.length)}`,
        ];
        assertNoChoice(payload, variants, {name, other});
      }
    }
  });
});
