import {expect, it} from 'vitest';
import {ServiceLog} from '../../../src/service/information/log.js';

it('a log that cannot be written counts its lines, and says how many when it can', () => {
  const lines: string[] = [];
  let isFull = true;
  const log = new ServiceLog((text) => {
    if (isFull) return false;
    lines.push(text);
    return true;
  });
  log.info('one');
  log.info('two');
  expect(log.dropped).toBe(2);
  isFull = false;
  log.info('three');
  log.info('four');
  const [first = '', ...others] = lines.join('').trimEnd().split('\n');
  expect(JSON.parse(first)).toMatchObject({level: 40, msg: 'log lines dropped', lines: 2});
  expect(others.map((line) => JSON.parse(line).msg)).toEqual(['three', 'four']);
  expect(log.dropped).toBe(2);
});
