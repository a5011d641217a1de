import {BlockList, isIP} from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether an address is this machine's own, IPv4 within IPv6 (`::ffff:127.0.0.1`) included. */
export function isLoopbackAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a name always means this machine (RFC 6761, 6.3); in lower case, without a last dot. */
export function isLoopbackName(name: string): boolean {
  return /^(?:[^.]+\.)*localhost$/.test(name);
}

/**
 * Whether a URL leads to this machine: a loopback name or address in any form, or the unspecified
 * address (`0.0.0.0`, `[::]`), which also connects to this machine.
 */
export function isLoopbackUrl(url: string | URL): boolean {
  // A URL has its address in one form already: 127.1, 0x7f000001 and the like are 127.0.0.1.
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isLoopbackAddress(host) || isLoopbackName(host) || isOwnName(host);
}

/** Names of this machine in the hosts files of common systems, and the unspecified addresses. */
function isOwnName(host: string): boolean {
  return UNSPECIFIED.has(host) || IN_HOSTS_FILES.test(host);
}

/** The last is 0.0.0.0 within IPv6. */
const UNSPECIFIED = new Set(['0.0.0.0', '::', '::ffff:0:0']);
/** Names used by Debian and Fedora; not in DNS. */
const IN_HOSTS_FILES = /^(?:ip6-(?:localhost|loopback)|localhost[46]?(?:\.localdomain[46]?)?)$/;
