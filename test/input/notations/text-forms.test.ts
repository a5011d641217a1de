import {expect, it} from 'vitest';
import {textForms} from '../../src/input/notations/text-forms.js';

it.each(['A', ' ', "'", 'a='])('leaves a log of 16 Mi of %j as it is', (unit) => {
  const log = unit.repeat((16 * 1024 * 1024) / unit.length);
  expect(textForms(log)).toHaveLength(1);
});
