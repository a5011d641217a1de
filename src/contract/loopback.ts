/** Where a server listens that other machines cannot reach. */
export const LOOPBACK = '127.0.0.1';

/** Whether an address is this machine's own, IPv4 within IPv6 (`::ffff:127.0.0.1`) included. */
export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK_IPV4.test(address) || LOOPBACK_IPV6.test(shortest(address));
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const LOOPBACK_IPV4 = new RegExp(`^127(?:\\.${OCTET}){3}$`);
/** In the form that URLs have; 7fxx is 127.x. */
const LOOPBACK_IPV6 = /^\[::(?:1|ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]$/;

/** The one form of an IPv6 address in brackets; empty for anything else. */
function shortest(address: string): string {
  if (!/^[\da-f.]*:[\da-f:.]*$/i.test(address)) return '';
  const url = `http://[${address}]/`;
  return URL.canParse(url) ? new URL(url).hostname : '';
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
  const isOwnName = isLoopbackName(host) || IN_HOSTS_FILES.test(host);
  return isOwnName || isLoopbackAddress(host) || UNSPECIFIED.has(host);
}

/** The last is 0.0.0.0 within IPv6. */
const UNSPECIFIED = new Set(['0.0.0.0', '::', '::ffff:0:0']);
/** Names of this machine that Debian and Fedora use; not in DNS. */
const IN_HOSTS_FILES = /^(?:ip6-(?:localhost|loopback)|localhost[46]?(?:\.localdomain[46]?)?)$/;
