import {PaylensError} from '../../contract/paylens-error.js';

/** Address and credentials of a Redis or Valkey server. */
export interface RedisAddress {
  /** The address for people: no user, no password. */
  readonly name: string;
  /** Host and port, or a Unix socket. */
  readonly target: {readonly host: string; readonly port: number} | {readonly path: string};
  readonly login: {readonly username?: string; readonly password?: string};
  readonly db: number;
  readonly tls: boolean;
}

const DEFAULT_PORT = 6379;

/**
 * Reads `redis://[user:password@]host[:port][/db]`, `rediss://` for TLS, or `unix:///path`.
 * Throws 9001, which does not repeat the text: it may hold a password.
 */
export function parseRedisAddress(text: string): RedisAddress {
  if (!URL.canParse(text)) throw notAnAddress();
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '') throw notAnAddress();
  const login = {
    ...(url.username !== '' && {username: decode(url.username)}),
    ...(url.password !== '' && {password: decode(url.password)}),
  };
  if (url.protocol === 'unix:') return socketAddress(url, login);
  const tls = url.protocol === 'rediss:';
  const db = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1];
  if ((!tls && url.protocol !== 'redis:') || url.hostname === '' || db === undefined)
    throw notAnAddress();
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const name = `${url.protocol}//${url.hostname}:${port}`;
  return {name, target: {host, port}, login, db: Number(db), tls};
}

function socketAddress(url: URL, login: RedisAddress['login']): RedisAddress {
  const path = decode(url.pathname);
  if (!['', 'localhost'].includes(url.hostname) || path.length < 2) throw notAnAddress();
  return {name: `unix://${path}`, target: {path}, login, db: 0, tls: false};
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notAnAddress();
  }
}

function notAnAddress(): PaylensError {
  return new PaylensError(9001, '--replay-store: expected redis://host:port', {
    hint: 'Use redis://[user:password@]host[:port][/db], rediss:// for TLS, or unix:///path.',
  });
}
