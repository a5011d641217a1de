import {OPERATION_BY_PATH} from '../../contract/operation.js';
import type {Variant} from '../partner/signing-keys.js';
import {percentDecoded} from './unknown-username.js';

/**
 * The targets that a caller may have signed instead of the one that was sent; the first is the
 * right one. `host` is the Host header, if it is known.
 */
export function targetVariants(target: string, host = ''): readonly Variant<string>[] {
  const path = target.replace(/\?.*$/, '');
  const variant = (mistake: string, value: string) => ({mistake, value});
  return [
    {value: target},
    target.startsWith('/api/v1/')
      ? variant('the path was signed without its version', target.replace('/v1/', '/'))
      : variant('the path was signed with a version', target.replace('/api/', '/api/v1/')),
    variant('the path was signed without /api', target.replace(/^\/api(?=\/)/, '')),
    variant('the path was signed without /api/v1', target.replace(/^\/api\/v1(?=\/)/, '')),
    ...queryVariants(target, path),
    variant('the path was signed with a trailing slash', `${path}/`),
    variant('the path was signed without its trailing slash', path.replace(/\/$/, '')),
    variant('the path was signed without its first slash', target.slice(1)),
    variant('the path was signed with two slashes at its start', `/${target}`),
    variant('the path was signed in lower case', target.toLowerCase()),
    variant('the path was signed in upper case', target.toUpperCase()),
    variant('the path was signed percent-encoded', encodeURIComponent(target)),
    variant('the path was signed percent-encoded', encodeURIComponent(target).toLowerCase()),
    variant('an empty path was signed', ''),
    variant('only / was signed instead of the path', '/'),
    ...partsOf(path).map((part) => variant('only the last part of the path was signed', part)),
    ...[...OPERATION_BY_PATH.keys()].map((other) =>
      variant('the path of another operation was signed', other),
    ),
    ...urlsOf(target, host).map((url) =>
      variant('the path was signed with protocol or host before it', url),
    ),
  ];
}

function queryVariants(target: string, path: string): readonly Variant<string>[] {
  const query = target.slice(path.length + 1);
  const sorted = query.split('&').sort().join('&');
  return [
    {mistake: 'the path was signed without its query', value: path},
    {mistake: 'the path was signed with "?" and an empty query', value: `${path}?`},
    {mistake: 'the path was signed with its query sorted', value: `${path}?${sorted}`},
    {
      mistake: 'the path was signed percent-decoded',
      value: percentDecoded(target.replaceAll('+', ' ')),
    },
  ];
}

function partsOf(path: string): readonly string[] {
  const last = path.split('/').at(-1) ?? '';
  return [last, `/${last}`];
}

function urlsOf(target: string, host: string): readonly string[] {
  const name = host.replace(/:\d*$/, '');
  const port = host.slice(name.length);
  const loopback = ['localhost', '127.0.0.1'].flatMap((each) => [each, each + port]);
  const hosts = new Set([host, name, ...loopback]);
  return [...hosts].flatMap((each) =>
    ['http://', 'https://', '//', ''].map((scheme) => `${scheme}${each}${target}`),
  );
}
