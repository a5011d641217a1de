import {describe, expect, it} from 'vitest';
import {TERMINAL_TYPES} from '../../../src/engine/families/registry.js';
import {compactHex} from '../../../src/engine/forms/payload-bytes.js';
import {type Inspection, inspectPayload} from '../../../src/engine/inspection/inspect-payload.js';
import type {ShownPart} from '../../../src/engine/inspection/mask-part.js';
import {UNREAD} from '../../../src/engine/inspection/name-unread.js';
import {seedOf} from '../../long.js';
import {readSamples} from '../samples.js';

/** A sample, and the inspection of it as it was sent. */
interface Whole {
  readonly id: string;
  readonly request: ReturnType<typeof readSamples>[number]['request'];
  readonly read: Inspection;
}

/** Places drawn from the `units` of a payload, none before `from`, and that before the last unit. */
function drawnCuts(id: string, from: number, units: number): number[] {
  const drawn = [0, 1, 2, 3].map((i) => from + ((seedOf(`${id} ${i}`) >>> 1) % (units - from - 1)));
  return [...drawn, units - 1];
}

/**
 * The inspection of a payload cut at that unit, of `perUnit` characters, names every part that ends
 * before `end`, but not fill. Returns how many those are.
 */
function expectNamed({request, read}: Whole, cut: number, perUnit: number, end = cut): number {
  const devicePayload = request.devicePayload.slice(0, cut * perUnit);
  const found = inspectPayload({...request, devicePayload}, true);
  // Between two objects a list ends, and may be read, or as another one; JSON never may.
  const isJson = devicePayload.trimStart().startsWith('{');
  if (found.failure?.code !== (isJson ? 2100 : 2102)) return 0;
  const places = (parts: readonly ShownPart[]) =>
    parts.map(({offset, length, depth, name}) => ({offset, length, depth, name}));
  const before = read.parts.filter(
    ({offset, length, name}) => offset + length <= end && name !== 'fill' && name !== UNREAD,
  );
  expect(places(found.parts), `cut at ${cut}`).toEqual(expect.arrayContaining(places(before)));
  for (const {offset, length} of found.parts) expect(offset + length).toBeLessThanOrEqual(cut);
  return before.length;
}

/** Frames in binary or keyboard text, swiped and keyed. */
const whole = readSamples('idtech').flatMap(({id, request}) => {
  const read = inspectPayload(request, true);
  const isRead = read.failure === undefined && read.form?.includes('enhanced layout');
  // What a tag holds is read only if the tag is whole.
  const isNested = read.parts.some(({name}) => name.startsWith('DFEE23'));
  const isHex = compactHex(request.devicePayload) !== undefined;
  return isRead && isHex && !isNested ? [{id, request, read}] : [];
});

describe('an ID TECH frame that was cut', () => {
  it.each(whole)('$id is named up to the part that the cut divides', (sample) => {
    const digits = sample.read.unit === 'byte' ? 2 : 1;
    const units = Math.floor(sample.request.devicePayload.length / digits);
    // Some places, and those between the last bytes, which are not of the card data.
    for (const cut of [...drawnCuts(sample.id, 4, units), units - 2])
      expect(expectNamed(sample, cut, digits)).toBeGreaterThan(0);
  });
});

/** Lists without a frame around them, in hex. */
const lists = (['miura', 'verifone', 'wisepad', 'wisepad2', 'idtech', 'magtek'] as const).flatMap(
  (type) =>
    readSamples(type).flatMap(({id, request}) => {
      const read = inspectPayload(request, true);
      const isList = read.parts.every(({name}) => /^(?:[\dA-F]{2}){1,4} |^fill/.test(name));
      const isHex = /^[\dA-F]+$/i.test(request.devicePayload);
      return isHex && isList && !read.failure && read.unit === 'byte' ? [{id, request, read}] : [];
    }),
);

describe('a TLV list that was cut', () => {
  it('is one of many samples', () => {
    expect(lists.length).toBeGreaterThan(10);
  });

  it.each(lists)('$id is named up to the object that the cut divides', (sample) => {
    const units = sample.request.devicePayload.length / 2;
    const named = drawnCuts(sample.id, 4, units).map((cut) => expectNamed(sample, cut, 2));
    expect(Math.max(...named)).toBeGreaterThan(0);
  });
});

describe('the header of an object that was cut', () => {
  it('says how many bytes of its value are there', () => {
    const devicePayload = 'E110DFAE030211225A08';
    const {parts} = inspectPayload({deviceType: 'miura', devicePayload}, true);
    expect(parts[0]).toMatchObject({value: '10', meaning: '8 of 16 bytes'});
  });
});

/** Objects of members, of every terminal that sends them. */
const objects = TERMINAL_TYPES.flatMap((type) =>
  readSamples(type).flatMap(({id, request}) => {
    const read = inspectPayload(request, true);
    return /^\s*\{\s*"/.test(request.devicePayload) && !read.failure ? [{id, request, read}] : [];
  }),
);

describe('a JSON payload that was cut', () => {
  it('is one of many samples', () => {
    expect(new Set(objects.map(({request}) => request.deviceType)).size).toBeGreaterThan(8);
  });

  it.each(objects)('$id is named up to the member that the cut divides', (sample) => {
    const {length} = sample.request.devicePayload;
    const named = drawnCuts(sample.id, 8, length).map((cut) => expectNamed(sample, cut, 1));
    expect(Math.max(...named)).toBeGreaterThan(0);
  });

  it('shows what there is of the last value', () => {
    const devicePayload = '{"ksn":"FFFF9876543210E00001","track2":"A1B2 C3';
    const {parts} = inspectPayload({deviceType: 'generic', devicePayload}, true);
    const last = {offset: 30, length: 17, name: 'track2', value: 'A1B2 C3'};
    expect(parts.at(-1)).toMatchObject(last);
  });
});

/** Messages with a length or an end of their own. */
const messages = (['ingenico-rba', 'prima', 'miura', 'verifone', 'idtech'] as const).flatMap(
  (type) =>
    readSamples(type).flatMap(({id, request}) => {
      const read = inspectPayload(request, true);
      const isMessage = /^(?:RBA|Prima|link|VIPA frames|ViVO(?:tech2|payV3))/.test(read.form ?? '');
      const isWhole =
        isMessage && !read.failure && !read.parts.some(({name}) => name === 'not read');
      const isNested = read.form?.includes('swipe frame');
      return isWhole && !isNested ? [{id, request, read}] : [];
    }),
);

/** The separator before the field that a cut divides, spelled out or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const LAST_FIELD = /(?:\x1c|\[FS\])(?!.*(?:\x1c|\[FS\]))/s;

describe('a message that was cut', () => {
  it('is one of many samples', () => {
    expect(new Set(messages.map(({read}) => read.form)).size).toBeGreaterThan(5);
  });

  it.each(messages)('$id is named up to the part that the cut divides', (sample) => {
    const {id, request, read} = sample;
    const perUnit = compactHex(request.devicePayload) && read.unit === 'byte' ? 2 : 1;
    const units = Math.floor(request.devicePayload.length / perUnit);
    const named = drawnCuts(id, Math.ceil(units / 3), units).map((cut) => {
      // The fields of this message are read one by one; what one holds, together.
      if (read.form?.startsWith('RBA 23'))
        return expectNamed(sample, cut, 1, request.devicePayload.slice(0, cut).search(LAST_FIELD));
      // ETX and a status word are named with the LRC behind them.
      return expectNamed(sample, cut, perUnit, cut === units - 1 ? cut - 1 : cut);
    });
    expect(Math.max(...named)).toBeGreaterThan(0);
  });
});

describe('a card number whose bytes pass for the objects of a list that was cut', () => {
  it('is masked across them', () => {
    // Tag 54 has 4 bytes, and of the 16 of tag 90 none is there.
    const devicePayload = '5F2A02FFFF5404123456789016';
    const {parts, failure} = inspectPayload({deviceType: 'miura', devicePayload}, false);
    expect(failure?.code).toBe(2102);
    expect(parts.map(({value}) => value).join(' ')).not.toContain('12345678');
  });
});
