import {describe, expect, it} from 'vitest';
import {latenciesOf, repeat} from '../../src/client/repeat.js';
import {PaylensError} from '../../src/contract/paylens-error.js';

const exchange = (status = 200, errCode?: number) => ({
  status,
  answer: {success: errCode === undefined, ...(errCode !== undefined && {errCode})},
  milliseconds: status / 100,
  attempts: 1,
  skew: undefined,
});

describe('repeat', () => {
  it('sends as often as asked, and no more at a time than asked', async () => {
    let [under, most] = [0, 0];
    const send = async () => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 2));
      under -= 1;
      return exchange();
    };
    const {requests, outcomes} = await repeat(send, {count: 25, concurrency: 4});
    expect([requests, outcomes, most]).toEqual([25, {'200': 25}, 4]);
  });

  it('counts outcomes and keeps the first error', async () => {
    const answers = [exchange(), exchange(401, 1003), exchange(400, 2002), exchange()];
    const send = async () => {
      const next = answers.shift();
      if (!next) throw new PaylensError(9020);
      return next;
    };
    const report = await repeat(send, {count: 5, concurrency: 1});
    expect(report).toMatchObject({
      succeeded: 2,
      firstError: 1003,
      outcomes: {'200': 2, '401 1003': 1, '400 2002': 1, 'error 9020': 1},
    });
  });

  it('has no latency when nothing was answered', async () => {
    const send = () => Promise.reject(new PaylensError(9020));
    const report = await repeat(send, {count: 3, concurrency: 3});
    expect(report.latency).toBeUndefined();
  });

  it('tells how far it is', async () => {
    const steps: number[] = [];
    const done = (finished: number) => steps.push(finished);
    await repeat(async () => exchange(), {count: 3, concurrency: 1, done});
    expect(steps).toEqual([1, 2, 3]);
  });

  it('passes on what is a defect', async () => {
    const send = () => Promise.reject(new TypeError('x'));
    await expect(repeat(send, {count: 1, concurrency: 1})).rejects.toThrow(TypeError);
  });
});

describe('latencies', () => {
  it('are percentiles by nearest rank', () => {
    const times = Array.from({length: 100}, (_, i) => 100 - i);
    expect(latenciesOf(times)).toEqual({min: 1, p50: 50, p95: 95, p99: 99, max: 100});
  });

  it('of one request are its time', () => {
    expect(latenciesOf([7])).toEqual({min: 7, p50: 7, p95: 7, p99: 7, max: 7});
  });
});
