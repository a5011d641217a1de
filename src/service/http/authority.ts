import {isIPv6} from 'node:net';
import {domainToASCII} from 'node:url';

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
  return url && {name: withoutBrackets(url.hostname), port: port.replace(/^0+(?=\d)/, '')};
}

/** Reads a name or address as people write it: IPv6 with or without brackets, other scripts too. */
export function parseHostName(text: string): string | undefined {
  if (isIPv6(text)) return parseAuthority(`[${text}]`)?.name;
  // Otherwise `domainToASCII` would accept the part before a path.
  if (/[/?#@\\:]/.test(text) && !text.startsWith('[')) return undefined;
  const {name, port} = parseAuthority(domainToASCII(text) || text) ?? {};
  return port === '' ? name : undefined;
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
