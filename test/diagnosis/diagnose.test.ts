import {expect, it} from 'vitest';
import {diagnose} from '../../src/diagnosis/diagnose.js';
import {parseCase} from '../../src/input/case.js';

const CASE = {ciphertexts: [{hex: '0123456789ABCDEF'.repeat(5)}], ksn: 'FFFF9876543210E00001'};

it('leaves a defect its stack, which says where it is', () => {
  let asked = 0;
  const now = () => {
    asked += 1;
    // The first time it is asked outside of the search.
    if (asked > 1) throw new TypeError('a defect');
    return 0;
  };
  const given = parseCase(JSON.stringify(CASE));
  const defect = caught(() => diagnose(given, {now, budgetMs: 1000, usualOnly: true}));
  expect(defect.stack).toMatch(/\n {4}at .*diagnose\.test\.ts.*\n {4}at .*isOver/);
});

function caught(search: () => unknown): Error {
  try {
    search();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('expected an error');
}
