import {afterEach, describe, expect, test} from 'vitest';
import {call, tell} from '../../service/control/control-client.js';
import {hmacHeader} from '../../service/node-signature.js';
import {type Serving, serve} from './serving.js';
import {isRunning, postAlone, workersOf} from './workers.js';

const PARTNER = '/api/v1/partner/validate';

/** As `call`, on a connection of its own, so that the workers take turns. */
async function callAlone(url: string, reference?: string) {
  const credentials = {partnerId: 'DEMO', partnerKey: 'd3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0'};
  const response = await fetch(url + PARTNER, {
    method: 'POST',
    headers: {'content-type': 'application/json', connection: 'close'},
    body: JSON.stringify({...credentials, ...(reference === undefined ? {} : {reference})}),
  });
  const body = (await response.json()) as {errCode?: number; messageId: string};
  return {errCode: body.errCode, messageId: body.messageId};
}

const many = (url: string, count: number, reference?: string) =>
  Promise.all(Array.from({length: count}, () => callAlone(url, reference)));

describe('four workers', {timeout: 60_000}, () => {
  let serving: Serving;

  afterEach(() => serving.kill('SIGTERM'));

  test('use each queued answer once, and share requests and reset', async () => {
    serving = await serve(['--mock', '--workers', '4', '--quiet']);
    const {url} = serving;

    for (let round = 0; round < 5; round++) {
      await tell(url, 'POST /_answers', {answer: {error: 2601}, times: 7});
      await tell(url, 'POST /_answers', {answer: {error: 2602}});
      const answers = await many(url, 40);
      const codes = answers.map(({errCode}) => errCode).filter((code) => code !== undefined);
      expect(codes.sort()).toEqual([...Array(7).fill(2601), 2602]);
      expect(new Set(answers.map(({messageId}) => messageId.slice(15, 20))).size).toBe(4);
    }

    // What is queued holds for every worker from the response on.
    for (let i = 0; i < 8; i++) {
      await tell(url, 'POST /_answers', {match: {reference: 'r'}, answer: {error: 2100}});
      expect((await callAlone(url, 'other')).errCode).toBeUndefined();
      expect((await callAlone(url, 'r')).errCode).toBe(2100);
      expect((await callAlone(url, 'r')).errCode).toBeUndefined();
    }
    const marked = await tell(url, 'GET /_requests?reference=r');
    expect(marked.body).toHaveLength(16);
    const since = marked.body[14].messageId;
    expect((await tell(url, `GET /_requests?reference=r&since=${since}`)).body).toHaveLength(1);

    // The queue is one, whichever worker is asked.
    const {body} = await tell(url, 'POST /_answers', {answer: {error: 1202}, times: 3});
    for (let i = 0; i < 8; i++) {
      const alone = await tell(url, 'GET /_answers', undefined, {connection: 'close'});
      expect(alone.body).toMatchObject([{id: body.id, times: 3}]);
    }
    const removed = await tell(url, `DELETE /_answers/${body.id}`, undefined, {
      connection: 'close',
    });
    expect(removed.status).toBe(204);
    expect((await many(url, 8)).every(({errCode}) => errCode === undefined)).toBe(true);

    // A reset holds for all of them.
    await tell(url, 'POST /_answers', {answer: {error: 1202}, times: 10});
    const header = hmacHeader();
    expect([(await postAlone(url, header)).status, (await postAlone(url, header)).status]).toEqual([
      400, 401,
    ]);
    expect((await tell(url, 'POST /_reset')).status).toBe(204);
    expect((await tell(url, 'GET /_requests')).body).toEqual([]);
    expect((await tell(url, 'GET /_answers')).body).toEqual([]);
    expect((await many(url, 8)).every(({errCode}) => errCode === undefined)).toBe(true);
    expect([(await postAlone(url, header)).status, (await postAlone(url, header)).status]).toEqual([
      200, 401,
    ]);
    expect((await tell(url, 'DELETE /_requests')).status).toBe(204);
    expect((await tell(url, 'GET /_requests')).body).toEqual([]);

    // Errors come from the primary as they are.
    const refused = await tell(url, 'DELETE /_answers/none');
    expect(refused.body).toMatchObject({errCode: 2008});
  });

  test('keep a queued answer when a worker dies', async () => {
    serving = await serve(['--mock', '--workers', '2']);
    const {url} = serving;
    await tell(url, 'POST /_answers', {answer: {error: 2601}, times: 4});
    const [first = 0] = workersOf(serving);
    process.kill(first, 'SIGKILL');
    await serving.logged('starting a replacement');
    expect(isRunning(first)).toBe(false);
    const started = () => serving.stderr().match(/worker ready/g)?.length;
    await expect.poll(started, {timeout: 30_000}).toBe(3);
    const answers = await many(url, 12);
    expect(answers.filter(({errCode}) => errCode === 2601)).toHaveLength(4);
    expect((await call(url)).status).toBe(200);
  });
});
