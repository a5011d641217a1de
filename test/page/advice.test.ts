import {describe, expect, it} from 'vitest';
import {ERROR_CATALOGUE, type ErrorCode} from '../../src/contract/error-catalogue.js';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {simulate} from '../../src/library/simulate.js';
import {adviceOf} from '../../src/page/model/advice.js';
import {explore} from '../../src/page/model/explore.js';
import {SAMPLE_REQUESTS} from '../../src/page/model/samples.js';
import {diagnoseOrder} from '../../src/page/worker/diagnosis-worker.js';

/** Errors of payloads and keys; those of files, networks and PINs are of the command line alone. */
const OF_KEYS_AND_FILES: readonly ErrorCode[] = [9001, 9002, 9015, 9040];
const CODES = (Object.keys(ERROR_CATALOGUE).map(Number) as ErrorCode[]).filter(
  (code) => (code < 9000 && code !== 2010) || OF_KEYS_AND_FILES.includes(code),
);
const COMMAND_LINE = /(?:^|\s)--?[a-z]|`|paylens \w+|PAYLENS_|command/;

const [swipe] = SAMPLE_REQUESTS.filter(({name}) => name === 'idtech-swipe');
const read = (text: string, terminal?: 'miura' | 'verifone') =>
  explore({text, terminal, keys: {testKeys: true, typed: ''}}).failure;
const thrown = (make: () => Promise<unknown>) =>
  make().then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the advice of the page', () => {
  it.each(CODES)('for %i names no flag and no command', (code) => {
    const {title, hint} = adviceOf(new PaylensError(code));
    expect(title).toBe(ERROR_CATALOGUE[code].message);
    expect(hint).not.toMatch(COMMAND_LINE);
  });

  it.each([
    ['no known payload', () => read('zzzz'), /under Terminal/],
    ['a type that differs', () => read(swipe?.text ?? '', 'miura'), /Terminal/],
    ['a wrong type', () => read('02', 'verifone'), /./],
    ['a payload that was typed twice', () => read('{"devicePayload":"02","ksn":"1"}'), /./],
    [
      'a card without a track',
      () => thrown(() => simulate({deviceType: 'idtech', card: 'x', testKeys: true})),
      /Test card/,
    ],
    [
      'a mistyped option',
      () => thrown(() => simulate({deviceType: 'idtech', options: {frm: 'x'}, testKeys: true})),
      /options/,
    ],
    [
      'a mistyped value',
      () => thrown(() => simulate({deviceType: 'idtech', options: {form: 'x'}, testKeys: true})),
      /option form/,
    ],
  ])('for %s is of its own controls', async (_, make, expected) => {
    const error = await make();
    expect(error).toHaveProperty('code');
    const {detail, hint} = adviceOf(error as PaylensError);
    expect(`${detail} ${hint}`).not.toMatch(COMMAND_LINE);
    expect(hint).toMatch(expected);
  });

  it('does not depend on the words of the hint', () => {
    const fault = {kind: 'setting', setting: 'deviceType', is: 'missing'} as const;
    const other = new PaylensError(2100, '', {hint: 'Name the type, in other words.', fault});
    expect(adviceOf(other).hint).toContain('under Terminal');
  });

  it('keeps a hint of the engine, and removes card numbers from the detail', () => {
    const error = new PaylensError(2100, 'found 4111111111111111', {
      hint: 'Paste one payload only.',
    });
    expect(adviceOf(error)).toEqual({
      title: ERROR_CATALOGUE[2100].message,
      detail: 'found 411111******1111',
      hint: 'Paste one payload only.',
    });
  });

  it('comes whole from the worker', () => {
    const news: unknown[] = [];
    const text = JSON.stringify({payload: 'zz', keys: [{kind: 'bdk', hex: 'F'}]});
    const known = {terminal: undefined, keys: {testKeys: false, typed: ''}};
    diagnoseOrder({isDiagnosis: true, text, ...known}, (one) => news.push(structuredClone(one)));
    const error = {code: 2005, hint: expect.stringMatching(/./), detail: expect.any(String)};
    expect(news).toEqual([{kind: 'failed', error: expect.objectContaining(error)}]);
  });
});
