import {randomBytes} from 'node:crypto';
import {isLoopbackAddress} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {ServiceMode} from '../../service/registry/registry.js';
import {parseRedisAddress, type RedisAddress} from '../../service/replay/redis-address.js';
import {warn} from '../output/output.js';

interface Address {
  readonly host: string;
  readonly tls: boolean;
  readonly allowPlain: boolean;
}

/** Throws 9001 for an address that others can reach without TLS: card data would travel in clear. */
export function assertSafeAddress({host, tls, allowPlain}: Address): void {
  if (tls || allowPlain || isLoopback(host)) return;
  throw new PaylensError(9001, `${host} is not a loopback address, and TLS is not configured`, {
    hint: 'Pass --tls-cert-file and --tls-key-file, or --insecure-http behind a TLS proxy.',
  });
}

/**
 * Throws 9001 for other addresses: explanations would also help an attacker; they are for the
 * developer on this machine.
 */
export function assertLoopback(host: string): void {
  if (isLoopback(host)) return;
  throw new PaylensError(9001, '--explain and --upstream are allowed only on a loopback address');
}

/**
 * The token of the inspector in real mode; undefined in demo and mock, where it needs none. Throws
 * 9001 when no address of this machine alone leads to it.
 */
export function inspectorTokenFor(mode: ServiceMode, host: string): string | undefined {
  if (!isLoopback(host) && !UNSPECIFIED.test(host))
    throw new PaylensError(9001, '--inspector is offered on loopback addresses only', {
      hint: 'Listen on 127.0.0.1, or on all addresses with --host 0.0.0.0.',
    });
  return mode === 'real' ? randomBytes(32).toString('base64url') : undefined;
}

/** Where the inspector of a service is opened, with its token, which a browser does not send. */
export function inspectorUrl(url: string, token: string | undefined): string {
  const own = new URL('/', url);
  if (UNSPECIFIED.test(own.hostname)) own.hostname = '127.0.0.1';
  return token === undefined ? String(own) : `${own}#token=${token}`;
}

/** Every network interface, also those that other machines reach. */
const UNSPECIFIED = /^(?:0\.0\.0\.0|\[?::\]?)$/;

/**
 * The one address that is listened on. For a `localhost` of two fastify makes a second server, which
 * has none of our limits and does not end with the first.
 */
export function listenAddress(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

/**
 * The Redis of `--replay-store`, else of PAYLENS_REPLAY_STORE, which leaves the environment; else
 * none. Throws 9001 when it is not an address.
 */
export function replayStoreAddress(flag: string | undefined): RedisAddress | undefined {
  const {PAYLENS_REPLAY_STORE: variable} = process.env;
  delete process.env.PAYLENS_REPLAY_STORE;
  const text = flag ?? (variable || undefined);
  if (text === undefined) return undefined;
  return parseRedisAddress(text);
}

/** Warns of a password in `--replay-store`, where everybody on the machine sees it. */
export function warnOfVisiblePassword(flag: string | undefined): void {
  if (flag === undefined || parseRedisAddress(flag).login.password === undefined) return;
  warn(
    'the password in --replay-store is visible in the process list: set PAYLENS_REPLAY_STORE instead',
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host);
}
