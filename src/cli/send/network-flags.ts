import {readFile} from 'node:fs/promises';
import {isLoopbackUrl} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {type FlagValues, valueFlag} from '../flags/value-flags.js';
import {note} from '../output/output.js';
import {checkProxy} from './profiles.js';

/** How an endpoint is reached. */
export const networkFlags = {
  proxy: valueFlag('URL', 'proxy URL; default: HTTPS_PROXY or HTTP_PROXY', {helpGroup: 'NETWORK'}),
  ca: valueFlag('FILE', 'additional trusted CA certificate (PEM)', {helpGroup: 'NETWORK'}),
};

/**
 * What these flags, or the same of a profile, say of the way to `url`. Throws 9001 for the proxy,
 * 9002 for the file.
 */
export async function readNetwork(url: string, {proxy, ca}: FlagValues<typeof networkFlags>) {
  if (proxy !== undefined && isLoopbackUrl(url))
    note('The endpoint is on this machine; no proxy is used.');
  return {
    url,
    proxy: proxy === undefined ? undefined : checkProxy(proxy),
    ca: ca === undefined ? undefined : await readCa(ca),
    env: process.env,
  };
}

async function readCa(file: string): Promise<string> {
  const pem = await readFile(file, 'utf8').catch(() => '');
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw new PaylensError(9002, '--ca: expected a certificate in PEM form');
}
