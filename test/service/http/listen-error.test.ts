import {once} from 'node:events';
import {type AddressInfo, createServer} from 'node:net';
import {expect, it} from 'vitest';
import {launch} from '../../../src/service/launch.js';
import {listenError} from '../../../src/service/paylens-server.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';

it('a service names the port that another program uses, and how to choose one', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const {port} = other.address() as AddressInfo;
  const service = launch({mode: 'demo', registry: demoRegistry(), port});
  await expect(service).rejects.toMatchObject({
    code: 9020,
    detail: `cannot listen on 127.0.0.1 port ${port}: port already in use`,
    hint: 'Choose another port; 0 picks a free one.',
  });
  other.close();
});

it.each([
  ['EADDRNOTAVAIL', 'address not available on this machine', 'address'],
  ['ENOTFOUND', 'host name not found', 'address'],
  ['EACCES', 'permission denied for this port', 'port'],
  ['EMFILE', 'EMFILE', 'port'],
])('%s: %s', (code, why, part) => {
  expect(listenError({code}, 'parser.example', 443)).toMatchObject({
    code: 9020,
    detail: `cannot listen on parser.example port 443: ${why}`,
    hint: expect.stringMatching(new RegExp(`^Choose an.* ${part}[^-]*$`)),
  });
});
