import {describe, expect, test} from 'vitest';
import {CapturedRequests} from '../../../src/service/information/captured-requests.js';
import type {FinishedRequest} from '../../../src/service/operations/answer-request.js';

function request(messageId: string, reference?: string): FinishedRequest {
  return {
    outcome: {answer: {status: 200, headers: {}, body: ''}, messageId, reference},
    operation: 'validate-partner',
    target: '/api/v1/partner/validate',
    milliseconds: 1,
    rawHeaders: [],
    body: Buffer.from('{}'),
  };
}

function numbers(received: CapturedRequests): number[] {
  return received.list().map(({messageId}) => Number(messageId));
}

describe('the received requests', () => {
  test('are the last ones, oldest first, however many came', () => {
    const received = new CapturedRequests();
    for (let i = 0; i < 12_345; i++) received.add(request(String(i)), 0);
    expect(numbers(received)).toEqual(Array.from({length: 1000}, (_, i) => 11_345 + i));
  });

  test('are all there while there are fewer', () => {
    const received = new CapturedRequests();
    for (let i = 0; i < 999; i++) received.add(request(String(i)), 0);
    expect(numbers(received)).toEqual(Array.from({length: 999}, (_, i) => i));
  });

  test.each(['é', '\n', '"\\', '\ud800', '😀', '\u2028', 'x'.repeat(65_000), '€'.repeat(30_000)])(
    'keep a reference as it was sent: case %#',
    (reference) => {
      const received = new CapturedRequests();
      received.add(request('1'), 0);
      received.add(request('2', reference), 0);
      received.add(request('3'), 0);
      expect(received.list().map((one) => one.reference)).toEqual([
        undefined,
        reference,
        undefined,
      ]);
    },
  );

  test('are right in bytes that were used before, by longer and by shorter ones', () => {
    const received = new CapturedRequests();
    const reference = (i: number) => `${i}`.padEnd(i % 7 === 0 ? 70_000 : (i % 5) * 1000, 'é');
    for (let i = 0; i < 2000; i++) received.add(request(String(i), reference(i)), 0);
    const last = Array.from({length: 100}, (_, i) => reference(1900 + i));
    const list = received.list().slice(-100);
    expect(list.map((one) => one.reference)).toEqual(last);
  });

  test.each([0, 400, 940, 980, 999, 1000, 1050])('show no secret of a target, at %i', (at) => {
    const key = '0123456789ABCDEFFEDCBA9876543210';
    const long = `partnerKey=${'s'.repeat(300)}&`;
    const front = '/api/v1/partner/validate?'.padEnd(at, 'x');
    const received = new CapturedRequests();
    for (const query of [`x=${key}`, `&${long}a=${key}`, `&pan=%204012888888881881&a=${key}`])
      received.add({...request('1'), target: `${front}${query}&end=${'y'.repeat(2000)}`}, 0);
    const targets = received.list().map(({target}) => target);
    expect(targets.filter((target) => /ss|01234|BA98|88888/.test(target))).toEqual([]);
    expect(targets.every((target) => target.length > 600 && target.length <= 1000)).toBe(true);
  });

  test('of long texts are fewer: the oldest give way', () => {
    const received = new CapturedRequests();
    const long = 'x'.repeat(2 ** 16);
    for (let i = 0; i < 200; i++) received.add(request(String(i), long), 0);
    expect(numbers(received)).toEqual(Array.from({length: 63}, (_, i) => 137 + i));
    for (let i = 200; i < 1137; i++) received.add(request(String(i)), 0);
    expect(numbers(received)).toHaveLength(1000);
  });

  test('are gone once they were cleared', () => {
    const received = new CapturedRequests();
    received.add(request('1'), 0);
    received.clear();
    received.add(request('2'), 0);
    expect(numbers(received)).toEqual([2]);
  });
});
