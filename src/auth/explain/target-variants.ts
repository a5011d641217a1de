import {OPERATION_BY_PATH} from '../../contract/operation.js';
import {type Variant, variantsOf} from '../partner/variant.js';
import {percentDecoded} from './unknown-username.js';

/**
 * The targets that a caller may have signed instead of the one that was sent; the first is the
 * right one. `host` is the Host header, if it is known.
 */
export function targetVariants(target: string, host = ''): readonly Variant<string>[] {
  const [path = ''] = target.split('?', 1);
  const query = target.slice(path.length + 1);
  const last = path.split('/').at(-1) ?? '';
  const encoded = encodeURIComponent(target);
  const mistakes = variantsOf([
    target.startsWith('/api/v1/')
      ? ['the path was signed without its version', target.replace('/v1/', '/')]
      : ['the path was signed with a version', target.replace('/api/', '/api/v1/')],
    ['the path was signed without /api', target.replace(/^\/api(?=\/)/, '')],
    ['the path was signed without /api/v1', target.replace(/^\/api\/v1(?=\/)/, '')],
    ['the path was signed without its query', path],
    ['the path was signed with "?" and an empty query', `${path}?`],
    ['the path was signed with its query sorted', `${path}?${query.split('&').sort().join('&')}`],
    ['the path was signed percent-decoded', percentDecoded(target.replaceAll('+', ' '))],
    ['the path was signed with a trailing slash', `${path}/`],
    ['the path was signed without its trailing slash', path.replace(/\/$/, '')],
    ['the path was signed without its first slash', target.slice(1)],
    ['the path was signed with two slashes at its start', `/${target}`],
    ['the path was signed in lower case', target.toLowerCase()],
    ['the path was signed in upper case', target.toUpperCase()],
    ['the path was signed percent-encoded', encoded, encoded.toLowerCase()],
    ['an empty path was signed', ''],
    ['only / was signed instead of the path', '/'],
    ['only the last part of the path was signed', last, `/${last}`],
    ['the path of another operation was signed', ...OPERATION_BY_PATH.keys()],
    ['the path was signed with protocol or host before it', ...urlsOf(target, host)],
  ]);
  return [{value: target}, ...mistakes];
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
