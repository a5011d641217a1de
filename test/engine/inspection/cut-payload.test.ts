import {describe, expect, it} from 'vitest';
import {compactHex} from '../../../src/engine/forms/payload-bytes.js';
import {inspectPayload} from '../../../src/engine/inspection/inspect-payload.js';
import {seedOf} from '../../long.js';
import {readSamples} from '../samples.js';

const TYPES = ['idtech', 'miura', 'verifone'] as const;
/** Frames and lists whose parts are named as far as they go. */
const FORMS = /enhanced layout|ViVO|template$|tags/;

const whole = TYPES.flatMap((deviceType) =>
  readSamples(deviceType).flatMap(({id, request}) => {
    const read = inspectPayload(request, true);
    const isRead = read.failure === undefined && FORMS.test(read.form ?? '');
    const isHex = compactHex(request.devicePayload) !== undefined;
    // What a tag holds is read only if the tag is whole.
    const isNested = read.parts.some(({name}) => name.startsWith('DFEE23'));
    return isRead && isHex && !isNested ? [{id, request, read}] : [];
  }),
);

describe('a payload that was cut', () => {
  it('is of every kind that is tried', () => {
    const forms = new Set(whole.map(({read}) => `${read.deviceType}: ${read.form}`));
    expect(forms.size).toBeGreaterThan(4);
  });

  it.each(whole)('$id is named up to the part that the cut divides', ({id, request, read}) => {
    const {devicePayload} = request;
    const digits = read.unit === 'byte' ? 2 : 1;
    const units = Math.floor(devicePayload.length / digits);
    for (let i = 0; i < 4; i++) {
      const cut = 4 + ((seedOf(`${id} ${i}`) >>> 1) % (units - 5));
      const found = inspectPayload(
        {...request, devicePayload: devicePayload.slice(0, cut * digits)},
        true,
      );
      const named = found.parts.map(({offset, length, name}) => ({offset, length, name}));
      const before = read.parts.filter(({offset, length}) => offset + length <= cut);
      expect(named, `cut at ${cut}`).toEqual(
        expect.arrayContaining(before.map(({offset, length, name}) => ({offset, length, name}))),
      );
      for (const {offset, length} of found.parts) expect(offset + length).toBeLessThanOrEqual(cut);
    }
  });
});
