import {describe, expect, it} from 'vitest';
import type {DeviceType} from '../../src/contract/device-types.js';
import {KNOWN_TERMINALS} from '../../src/engine/families/registry.js';
import {recognise} from '../../src/engine/recognise.js';
import {answer} from './samples.js';
import {SHAPES} from './shapes.js';

for (const [deviceType, shapes] of Object.entries(SHAPES)) {
  describe(`payloads of ${deviceType} made by node:crypto`, () => {
    for (const [name, devicePayload] of shapes) {
      it(`${name}: opens`, () => {
        const found = answer({deviceType: deviceType as DeviceType, devicePayload});
        expect(found).toMatchObject({response: {extracted: {PAN: '4012888888881881'}}});
      });

      it(`${name}: is recognised as ${deviceType} alone`, () => {
        expect(recognise(devicePayload, KNOWN_TERMINALS)).toEqual([deviceType]);
      });
    }
  });
}
