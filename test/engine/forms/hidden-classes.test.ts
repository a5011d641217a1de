import {setFlagsFromString} from 'node:v8';
import {describe, expect, it} from 'vitest';
import type {DecryptionObserver} from '../../../src/engine/explanation.js';
import {TERMINAL_TYPES} from '../../../src/engine/families/registry.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import {readSamples, ringOf, type Sample} from '../samples.js';

setFlagsFromString('--allow-natives-syntax');
/** Whether two objects have the same hidden class of V8. */
const isSameClass = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (
  a: unknown,
  b: unknown,
) => boolean;
setFlagsFromString('--no-allow-natives-syntax');

/** So that V8 has feedback for every literal. */
const WARM_UP_READS = 400;

/** The objects of which every read makes its own: reading, fields, settings, contents. */
function objectsOf({request, keys}: Sample): readonly object[] {
  const objects: object[] = [];
  const observer: DecryptionObserver = {
    opened: ({planned, content}) =>
      objects.push(planned, planned.field, planned.field.setting, content),
    accepted: (_, reading) => objects.push(reading),
  };
  processPayload(request, ringOf(keys), {observer});
  return objects;
}

describe('a second read has objects of the same hidden classes', () => {
  const samples = TERMINAL_TYPES.flatMap((type) =>
    readSamples(type)
      .filter(({expect: {response}}) => response !== undefined)
      .slice(0, 2),
  );
  it.each(samples)('$id', (sample) => {
    for (let i = 0; i < WARM_UP_READS; i++) objectsOf(sample);
    const [first, second] = [objectsOf(sample), objectsOf(sample)];
    const differing = first.filter((object, i) => !isSameClass(object, second[i]));
    expect(differing.map((object) => Object.keys(object))).toEqual([]);
  });
});
