import {isIP, isIPv6} from 'node:net';
import {domainToASCII} from 'node:url';
import {isLoopbackAddress, isLoopbackName} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';

/** Host and port of a URL, a Host header or an Origin. */
export interface Authority {
  /** Lower case, without a last dot; addresses as URLs spell them, IPv6 without brackets. */
  readonly name: string;
  /** Decimal digits; empty: the usual one of the scheme. */
  readonly port: string;
}

/** Bracketed IPv6, or a name or IPv4 address, without escapes and without a user part. */
const AUTHORITY = /^(\[[\da-f:.]+\]|[a-z\d._-]+?)\.?(?::(\d{0,5}))?$/i;
const MAX_PORT = 65_535;

/** Reads `host[:port]`; undefined when it is not one. */
export function parseAuthority(text: string): Authority | undefined {
  const [, host, port = ''] = AUTHORITY.exec(text) ?? [];
  if (host === undefined || Number(port) > MAX_PORT) return undefined;
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  const name = url?.hostname.replace(/^\[(.*)\]$/, '$1');
  return name === undefined ? undefined : {name, port: port.replace(/^0+(?=\d)/, '')};
}

/** Reads a name or address as people write it: IPv6 with or without brackets, other scripts too. */
export function parseHostName(text: string): string | undefined {
  if (isIPv6(text)) return parseAuthority(`[${text}]`)?.name;
  // Otherwise `domainToASCII` would accept the part before a path.
  if (/[/?#@\\:]/.test(text) && !text.startsWith('[')) return undefined;
  const {name, port} = parseAuthority(domainToASCII(text) || text) ?? {};
  return port === '' ? name : undefined;
}

/** The names and addresses under which clients may reach a service. */
export interface HostSettings {
  /** The address to listen on, as given. */
  readonly host: string;
  /** Further names and addresses, in the form that `--allowed-host` accepts. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The address it is bound to; called once it listens. */
  readonly bound: () => string;
}

/** Served hosts are cached, so that most requests need one look-up. */
const MAX_CACHED_HOSTS = 100;

/**
 * Decides whether a service answers requests to a host. A web page can point its own name to the
 * address of this machine (DNS rebinding); the browser then treats the service as part of the page,
 * and only the name in the request shows it. Addresses cannot be pointed elsewhere.
 */
export class ServedHosts {
  readonly #names: ReadonlySet<string>;
  readonly #bound: () => string;
  readonly #kept = new Set<string>();

  /** Throws 9001 for an allowed host that is neither name nor address. */
  constructor({host, allowedHosts = [], bound}: HostSettings) {
    const own = parseHostName(host);
    this.#names = new Set([...(own === undefined ? [] : [own]), ...allowedHosts.map(servedName)]);
    this.#bound = bound;
  }

  /** `authority` as a Host header or an absolute target has it. */
  has(authority: string): boolean {
    if (this.#kept.has(authority)) return true;
    const name = parseAuthority(authority)?.name;
    if (name === undefined || !this.#serves(name)) return false;
    if (this.#kept.size >= MAX_CACHED_HOSTS) this.#kept.clear();
    this.#kept.add(authority);
    return true;
  }

  #serves(name: string): boolean {
    if (isLoopbackName(name) || isLoopbackAddress(name) || this.#names.has(name)) return true;
    return isIP(name) !== 0 && !isLoopbackAddress(this.#bound());
  }
}

function servedName(text: string): string {
  const name = parseHostName(text);
  if (name !== undefined) return name;
  throw new PaylensError(
    9001,
    `--allowed-host: expected a name or address without scheme, port or path, found ${JSON.stringify(text)}`,
  );
}
