import {describe, expect, it} from 'vitest';
import {compactHex} from '../../../src/engine/forms/payload-bytes.js';
import {inspectPayload} from '../../../src/engine/inspection/inspect-payload.js';
import {seedOf} from '../../long.js';
import {readSamples} from '../samples.js';

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
  it.each(whole)('$id is named up to the part that the cut divides', ({id, request, read}) => {
    const {devicePayload} = request;
    const digits = read.unit === 'byte' ? 2 : 1;
    const units = Math.floor(devicePayload.length / digits);
    // Some places, and those between the last bytes, which are not of the card data.
    const drawn = [0, 1, 2, 3].map((i) => 4 + ((seedOf(`${id} ${i}`) >>> 1) % (units - 5)));
    for (const cut of [...drawn, units - 1, units - 2]) {
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
