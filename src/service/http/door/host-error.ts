import type {IncomingMessage} from 'node:http';
import {PaylensError} from '../../../contract/paylens-error.js';
import {parseAuthority} from './authority.js';
import type {ServedHosts} from './served-hosts.js';

/**
 * The 2010 of a request to a host that is not served: in its Host header, or in a target in absolute
 * form. Without both, in HTTP/1.0, it comes from no browser.
 */
export function hostError(
  {headers: {host}, url = ''}: IncomingMessage,
  hosts: ServedHosts,
): PaylensError | undefined {
  const named = [host, authorityOf(url)].filter((authority) => authority !== undefined);
  const foreign = named.find((authority) => !hosts.has(authority));
  if (foreign === undefined) return undefined;
  const found = parseAuthority(foreign)?.name ?? 'no host name';
  return new PaylensError(
    2010,
    `found ${found}; allow it with --allowed-host (startServer: allowedHosts)`,
  );
}

/** The authority of a target in absolute form. */
function authorityOf(target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  return /^[^/?]*:\/\/([^/?]*)/.exec(target)?.[1];
}
