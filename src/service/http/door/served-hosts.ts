import {isIP} from 'node:net';
import {isLoopbackAddress, isLoopbackName} from '../../../contract/loopback.js';
import {PaylensError} from '../../../contract/paylens-error.js';
import {parseAuthority, parseHostName} from './authority.js';

/** By which names and addresses clients may reach a service. */
export interface HostSettings {
  /** The address to listen on, as given. */
  readonly host: string;
  /** Further names and addresses, in the form that `--allowed-host` accepts. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The address it is bound to; asked for once it listens. */
  readonly bound: () => string;
}

/** Hosts that were served are kept, so that most requests cost one look-up. */
const MOST_KEPT = 100;

/**
 * Decides whether a service answers requests to a host. A page of the web can give its own name the
 * address of this machine (DNS rebinding), and its browser then takes the service for a part of the
 * page: only the name in the request gives that away. An address is no name that could be given
 * away.
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
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
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
