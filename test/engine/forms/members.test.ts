import {expect, it} from 'vitest';
import {TERMINAL_TYPES} from '../../../src/engine/families/registry.js';
import {textPieces} from '../../../src/engine/forms/members.js';
import {inspectPayload} from '../../../src/engine/inspection/inspect-payload.js';

const TOO_MANY = 'a=b;'.repeat(4097);

it('a text of more members than any terminal sends is refused before they are read', () => {
  expect(textPieces('a=b;'.repeat(4096))).toHaveLength(4096);
  expect(() => textPieces(TOO_MANY)).toThrow('expected at most 4096 members');
});

it.each(TERMINAL_TYPES)('no reader of %s notes parts of it', (deviceType) => {
  const {parts, failure} = inspectPayload({deviceType, devicePayload: TOO_MANY}, false);
  expect(failure?.code).toBeGreaterThanOrEqual(2100);
  expect(parts.length).toBeLessThan(10);
});
