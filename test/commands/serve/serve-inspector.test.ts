import {describe, expect, test} from 'vitest';
import type {StreamBatch} from '../../../src/contract/control/inspected-request.js';
import {FURTHER_TYPES} from '../../../src/engine/families/registry.js';
import {readSamples} from '../../engine/samples.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {call} from '../../service/control/control-client.js';
import {act, detailOf, raw, rowsIn, watch} from '../../service/inspector/inspector-client.js';
import {visibleOf} from './processes.js';
import {PAN, PARTNER_KEY, putDevices, realFiles, SWIPE} from './real-service.js';
import {serve} from './serving.js';

const PARSER = '/api/v1/decrypt/parser';
const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({length: count}, (_, i) => make(i)));
const all = (count: number) => (lines: readonly StreamBatch[]) => rowsIn(lines).length >= count;

/** Requests a detail on a new connection. */
async function detailAlone(url: string, id: string, token = '') {
  const {status, body} = await raw(url, `GET /_inspector/detail?id=${id}`, [
    ...(token === '' ? [] : [`Authorization: Bearer ${token}`]),
    'Connection: close',
  ]);
  return {status, detail: JSON.parse(body)};
}

describe('the inspector of a real service', {timeout: 60_000}, () => {
  test('takes its token alone', async () => {
    const folder = tempFolder();
    const files = await realFiles(folder);
    putDevices(files.devices, [{}]);
    const argv = [...files.argv, '--devices', files.devices, '--inspector'];
    const serving = await serve(argv);
    const {url} = serving;
    const [, token = ''] =
      /^http:.*#token=([\w-]{43})$/.exec(String(serving.ready.inspector)) ?? [];
    expect(token).not.toBe('');
    // Fewer than ten wrong tokens in all: after ten there is a pause.
    const refused = await many(2, () => act(url, 'clear', {}, 'x'.repeat(43)));
    expect(refused.map(({status}) => status)).toEqual(refused.map(() => 401));
    await many(9, async () => {
      const credentials = {partnerId: 'WATERFORD', partnerKey: PARTNER_KEY};
      const headers = {'content-type': 'application/json', connection: 'close'};
      const body = JSON.stringify({...credentials, ...SWIPE});
      expect((await fetch(url + PARSER, {method: 'POST', headers, body})).status).toBe(200);
    });
    const lists = await many(6, () => watch(url, all(9), {token}));
    let said = JSON.stringify(lists);
    for (const {process, sequence} of rowsIn(lists[0] ?? [])) {
      const {status, detail} = await detailAlone(url, `${process}-${sequence}`, token);
      expect(status).toBe(200);
      expect(detail.payload.parts.length).toBeGreaterThan(10);
      said += JSON.stringify(detail);
    }
    const [row] = rowsIn(lists[0] ?? []);
    const request = `${row?.process}-${row?.sequence}`;
    for (const {status} of await many(6, () => act(url, 'replay', {request}, token)))
      expect(status).toBe(403);
    for (const {status} of await many(6, () => detailAlone(url, request))) expect(status).toBe(401);
    const visible = visibleOf(serving.pid);
    expect(`${said}${serving.stderr()}${visible}`).not.toContain(token);
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
