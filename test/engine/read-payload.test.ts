import {describe, expect, it} from 'vitest';
import {TERMINAL_TYPES} from '../../src/engine/devices/registry.js';
import {answer} from './samples.js';

describe('a clear track in place of a payload is refused as clear', () => {
  const tracks = ['%B4012888888881881^TEST/CARD^28012011234567?', ';4012888888881881=28012011234?'];
  it.each(TERMINAL_TYPES)('as %s', (deviceType) => {
    for (const devicePayload of tracks) {
      expect(answer({deviceType, devicePayload})).toMatchObject({errCode: 2110});
    }
  });
});
