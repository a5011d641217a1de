import {describe, expect, it} from 'vitest';
import {recognise} from '../../src/engine/recognise.js';
import {readSamples} from './samples.js';

/** Cases whose frame is not intact, or not one that a terminal sends. */
const NOT_INTACT = [
  ...['neg-idtech-lrc', 'neg-idtech-vivo-crc', 'neg-idtech-kb-lowercase'],
  'vivotech2-0240-command',
];

describe('recognise', () => {
  for (const deviceType of ['idtech', 'generic']) {
    const intact = readSamples(deviceType).filter(({id}) => !NOT_INTACT.includes(id));
    for (const {id, request} of intact) {
      it(`names ${deviceType} and nothing else for ${id}`, () => {
        expect(recognise(request.devicePayload)).toEqual([deviceType]);
      });
    }
  }

  for (const payload of ['', 'hello', '\0\0\0', '00'.repeat(100), '4012888888881881']) {
    it(`names nothing for ${JSON.stringify(payload.slice(0, 20))}`, () => {
      expect(recognise(payload)).toEqual([]);
    });
  }
});
