import {describe, expect, it} from 'vitest';
import {FURTHER_TYPES} from '../../../src/engine/families/registry.js';
import {DEMO_PARTNER} from '../../../src/service/registry/demo-registry.js';
import {readSamples} from '../../engine/samples.js';
import {serve} from './serving.js';

/** A published or made-up read of each terminal beyond the interface that has one under the test keys. */
const READS = FURTHER_TYPES.flatMap((type) =>
  readSamples(type)
    .filter(({expect: {response}, keys}) => {
      return response !== undefined && keys.every(({hex}) => hex.startsWith('0123456789ABCDEF'));
    })
    .slice(0, 1),
);

async function codeOf(url: string, request: object): Promise<number> {
  const {partnerId, partnerKey} = DEMO_PARTNER;
  const response = await fetch(`${url}/api/v1/decrypt/parser`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({partnerId, partnerKey, ...request}),
  });
  const {errCode} = (await response.json()) as {errCode?: number};
  return errCode ?? response.status;
}

describe('serve --extended', () => {
  it('says so at start', {timeout: 30_000}, async () => {
    const server = await serve(['--demo', '--extended']);
    expect(server.ready).toMatchObject({extended: true});
    await server.logged(
      `extended: also accepts terminals beyond the interface: ${FURTHER_TYPES.join(', ')}`,
    );
    await server.logged('"listening"');
    expect(server.log().find(({msg}) => msg === 'listening')).toMatchObject({extended: true});
    // Those of Newland are under a working key.
    expect(READS.length).toBe(FURTHER_TYPES.length - 1);
    for (const {request} of READS) expect(await codeOf(server.url, request)).toBe(200);
  });

  it('is said of no other service', {timeout: 30_000}, async () => {
    const server = await serve(['--demo']);
    await server.logged('"listening"');
    expect(server.ready).not.toHaveProperty('extended');
    expect(server.stderr()).not.toContain('extended');
    for (const {request} of READS) expect(await codeOf(server.url, request)).toBe(2001);
  });
});
