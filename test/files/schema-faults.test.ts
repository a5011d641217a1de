import {describe, expect, test} from 'vitest';
import {z} from 'zod';
import {fitTo, unknownMember} from '../../src/files/schema-faults.js';

const SHAPE = {kind: z.enum(['bdk', 'ik']), hex: z.string().optional()};
const FORM = z.strictObject(SHAPE, {error: unknownMember(SHAPE)});
const FILE = z.strictObject({keys: z.array(FORM)});
const KEY = 'FEDCBA98765432100123456789ABCDEF';

function faultsOf(key: unknown): readonly string[] {
  const fitted = fitTo(FILE, {keys: [key]});
  return fitted.ok ? [] : fitted.faults;
}

describe('the faults of a value', () => {
  test.each([
    [{kind: 'bdk', hex: KEY}, []],
    [{kind: KEY}, ['keys[0].kind: expected bdk, ik']],
    [{}, ['keys[0].kind: expected bdk, ik']],
    [{kind: 'ik', hex: 7}, ['keys[0].hex: expected a string, found a number']],
    [{kind: 'ik', hex: null}, ['keys[0].hex: expected a string, found null']],
    [{kind: 'ik', hexx: KEY}, ['keys[0]: expected members kind, hex, found hexx']],
    [{kind: 'ik', [KEY]: ''}, ['keys[0]: expected members kind, hex, found another']],
    [[KEY], ['keys[0]: expected an object, found an array']],
  ])('%j', (key, faults) => {
    expect(faultsOf(key)).toEqual(faults);
    expect(faultsOf(key).join()).not.toContain(KEY);
  });
});
