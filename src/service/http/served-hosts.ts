import {isIP} from 'node:net';
import {isLoopbackAddress, isLoopbackName} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {parseAuthority, parseHostName} from './authority.js';

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
