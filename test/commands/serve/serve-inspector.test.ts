import {describe, expect, test} from 'vitest';
import type {StreamBatch} from '../../../src/contract/control/inspected-request.js';
import {FURTHER_TYPES} from '../../../src/engine/devices/registry.js';
import {readSamples} from '../../engine/samples.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {call} from '../../service/control/control-client.js';
import {act, detailOf, raw, rowsIn, watch} from '../../service/inspector/inspector-client.js';
import {hmacHeader} from '../../service/node-signature.js';
import {PAN, PARTNER_KEY, putDevices, realFiles, SWIPE} from './real-service.js';
import {serve} from './serving.js';
import {postAlone, visibleOf, workersOf} from './workers.js';

const WORKERS = 3;
const PARSER = '/api/v1/decrypt/parser';
const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({length: count}, (_, i) => make(i)));
const all = (count: number) => (lines: readonly StreamBatch[]) => rowsIn(lines).length >= count;

/** Asks on a connection of its own, so that the workers take turns. */
async function detailAlone(url: string, id: string, cookie = '') {
  const {status, body} = await raw(url, `GET /_inspector/detail?id=${id}`, [
    ...(cookie === '' ? [] : [`Cookie: ${cookie}`]),
    'Connection: close',
  ]);
  return {status, detail: JSON.parse(body)};
}

describe('the inspector of several workers', {timeout: 60_000}, () => {
  test('is one: whichever answers has the requests of all', async () => {
    const {url} = await serve(['--demo', '--workers', String(WORKERS), '--quiet']);
    await many(24, () => postAlone(url, hmacHeader()));
    const lists = await many(6, () => watch(url, all(24)));
    for (const lines of lists) {
      const rows = rowsIn(lines);
      expect(rows).toHaveLength(24);
      expect(new Set(rows.map(({process}) => process)).size).toBe(WORKERS);
      expect(new Set(rows.map(({messageId}) => messageId)).size).toBe(24);
    }
    const servers = new Set(lists.map(([first]) => first?.hello?.server));
    expect(servers.size).toBe(1);
    for (const {process, sequence} of rowsIn(lists[0] ?? [])) {
      const {status, detail} = await detailAlone(url, `${process}-${sequence}`);
      expect([status, detail.request.process, detail.request.sequence]).toEqual([
        200,
        process,
        sequence,
      ]);
    }
  });

  test('streams what comes to any of them, once, and says so of queue and clear', async () => {
    const {url} = await serve(['--demo', '--workers', String(WORKERS), '--quiet']);
    const isCleared = ({cleared}: StreamBatch) => cleared !== undefined;
    const watched = many(4, () => watch(url, (lines) => lines.some(isCleared)));
    await many(30, () => postAlone(url, hmacHeader()));
    await act(url, 'queue', {answer: {error: 2601}});
    await many(4, () => watch(url, (lines) => lines.some(({answers}) => answers?.length === 1)));
    const [row] = rowsIn(await watch(url, all(30)));
    const sent = await act(url, 'replay', {request: `${row?.process}-${row?.sequence}`});
    expect(sent.object.messageId.slice(15, 20)).toBe(row?.messageId.slice(15, 20));
    await watch(url, all(31));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await act(url, 'clear', {})).status).toBe(200);
    for (const lines of await watched) {
      const rows = rowsIn(lines);
      expect(new Set(rows.map(({messageId}) => messageId)).size).toBe(31);
      expect(rows).toHaveLength(31);
      expect(lines.some(({answers}) => answers?.length === 1)).toBe(true);
    }
    const after = await many(6, () => watch(url, (lines) => lines.some(isCleared)));
    expect(after.flatMap(rowsIn)).toEqual([]);
  });

  test('loses the requests of one that dies, and nothing else', async () => {
    const serving = await serve(['--demo', '--workers', '2']);
    const {url} = serving;
    await many(12, () => postAlone(url, hmacHeader()));
    const rows = rowsIn(await watch(url, all(12)));
    const [victim = 0] = workersOf(serving);
    process.kill(victim, 'SIGKILL');
    const started = () => serving.stderr().match(/worker ready/g)?.length;
    await expect.poll(started, {timeout: 30_000}).toBe(3);
    const left = rows.filter((row) => row.process !== victim);
    const shown = await many(4, () => watch(url, all(left.length)));
    for (const lines of shown)
      expect(rowsIn(lines).map(({messageId}) => messageId)).toEqual(
        left.map(({messageId}) => messageId),
      );
    const gone = rows.find((row) => row.process === victim);
    expect((await detailAlone(url, `${gone?.process}-${gone?.sequence}`)).status).toBe(404);
  });

  test('of a real service takes one token and one cookie, whoever answers', async () => {
    const folder = tempFolder();
    const files = await realFiles(folder);
    putDevices(files.devices, [{}]);
    const argv = [...files.argv, '--devices', files.devices, '--inspector'];
    const serving = await serve([...argv, '--workers', String(WORKERS)]);
    const {url} = serving;
    const [, token = ''] =
      /^http:.*#token=([\w-]{43})$/.exec(String(serving.ready.inspector)) ?? [];
    expect(token).not.toBe('');
    const refused = await many(6, () => act(url, 'exchange', {token: 'x'.repeat(43)}));
    expect(refused.map(({status}) => status)).toEqual(refused.map(() => 401));
    // At the same time: one of them all gets the cookie.
    const given = await many(9, () => act(url, 'exchange', {token}));
    expect(given.filter(({status}) => status === 200)).toHaveLength(1);
    const header = given.find(({status}) => status === 200)?.headers.get('set-cookie')?.[0] ?? '';
    const cookie = header.split(';')[0] ?? '';
    const again = await many(6, () => act(url, 'exchange', {token}));
    expect(again.map(({status}) => status)).toEqual(again.map(() => 401));
    await many(9, async () => {
      const credentials = {partnerId: 'WATERFORD', partnerKey: PARTNER_KEY};
      const headers = {'content-type': 'application/json', connection: 'close'};
      const body = JSON.stringify({...credentials, ...SWIPE});
      expect((await fetch(url + PARSER, {method: 'POST', headers, body})).status).toBe(200);
    });
    const lists = await many(6, () => watch(url, all(9), {cookie}));
    let said = JSON.stringify(lists);
    for (const {process, sequence} of rowsIn(lists[0] ?? [])) {
      const {status, detail} = await detailAlone(url, `${process}-${sequence}`, cookie);
      expect(status).toBe(200);
      expect(detail.payload.parts.length).toBeGreaterThan(10);
      said += JSON.stringify(detail);
    }
    const [row] = rowsIn(lists[0] ?? []);
    const request = `${row?.process}-${row?.sequence}`;
    for (const {status} of await many(6, () => act(url, 'replay', {request}, cookie)))
      expect(status).toBe(403);
    for (const {status} of await many(6, () => detailAlone(url, request))) expect(status).toBe(401);
    const visible = [serving.pid, ...workersOf(serving)].map(visibleOf).join('\n');
    const session = cookie.split('=')[1] ?? '';
    for (const secret of [token, session]) {
      expect(`${said}${serving.stderr()}${visible}`).not.toContain(secret);
    }
    for (const secret of [PAN, PARTNER_KEY]) expect(said + serving.stderr()).not.toContain(secret);
  });
});

describe('the inspector of an extended service', {timeout: 60_000}, () => {
  const reads = FURTHER_TYPES.flatMap((type) =>
    readSamples(type)
      .filter(({expect: {response}, keys}) => {
        return response !== undefined && keys.every(({hex}) => hex.startsWith('0123456789ABCDEF'));
      })
      .slice(0, 1),
  );

  test('tells device and payload of every terminal beyond the interface', async () => {
    const {url} = await serve(['--demo', '--extended', '--quiet']);
    // Those of Newland are under a working key.
    const types = FURTHER_TYPES.filter((type) => type !== 'newland');
    for (const {request} of reads) await call(url, {...request}, PARSER);
    const rows = rowsIn(await watch(url, all(reads.length)));
    expect(rows.map(({deviceType}) => deviceType)).toEqual(types);
    for (const row of rows) {
      const {detail} = await detailOf(url, row);
      expect(detail.payload).toMatchObject({deviceType: row.deviceType});
      expect(detail.payload.parts.length).toBeGreaterThan(0);
    }
  });
});
