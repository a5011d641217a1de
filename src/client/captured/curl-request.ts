import {PaylensError} from '../../contract/paylens-error.js';
import type {CapturedRequest} from './captured-request.js';
import {type CurlArgument, curlArguments} from './curl-options.js';

/**
 * The requests that curl would send for the words after its name, as far as their bytes are in the
 * command. Files are never read. Throws 9002 for what curl makes only at run time: multipart
 * forms, uploads, and options in a file.
 */
export function curlRequests(words: readonly string[]): CapturedRequest[] {
  const parts: CurlArgument[][] = [[]];
  const given = curlArguments(words);
  const urls = given.filter(isUrl).length;
  if (urls > MAX_URLS) throw unfitCurl(`expected at most ${MAX_URLS} URLs, found ${urls}`);
  for (const argument of given) {
    if (argument.name === 'next') parts.push([]);
    else parts.at(-1)?.push(argument);
  }
  return parts.flatMap(requestsOf);
}

const MAX_URLS = 100;

function isUrl({name}: CurlArgument): boolean {
  return name === undefined || name === 'url';
}

function requestsOf(given: readonly CurlArgument[]): CapturedRequest[] {
  const unusable = given.find(({name = ''}) => REFUSED_OPTIONS[name]);
  if (unusable) throw unfitCurl(REFUSED_OPTIONS[unusable.name ?? ''] ?? '');
  const urls = given.filter(isUrl);
  if (urls.length === 0) throw unfitCurl('the command has no URL');
  const query = queryOf(given);
  const common = {...bodyMembers(given), method: methodOf(given), headers: curlHeaders(given)};
  const target = lastOf(given, 'request-target');
  return urls.map(({value}) => ({...common, url: target ?? withQuery(value, query)}));
}

const REFUSED_OPTIONS: Readonly<Record<string, string>> = {
  form: '--form makes a new boundary in every request; the interface has JSON bodies only',
  'form-string': '--form-string makes a new boundary in every request',
  'upload-file': '--upload-file sends a file, and files are not read',
  config: '--config has options in a file, and files are not read',
  'aws-sigv4': '--aws-sigv4 signs in a way that is not of the interface',
};

function has(given: readonly CurlArgument[], wanted: string): boolean {
  return given.some(({name}) => name === wanted);
}

function lastOf(given: readonly CurlArgument[], wanted: string): string | undefined {
  return given.findLast(({name}) => name === wanted)?.value;
}

function methodOf(given: readonly CurlArgument[]): string {
  const isPost = given.some(({name = ''}) => DATA[name]) && !has(given, 'get');
  const usual = has(given, 'head') ? 'HEAD' : isPost ? 'POST' : 'GET';
  return lastOf(given, 'request') ?? usual;
}

function bodyMembers(given: readonly CurlArgument[]): Pick<CapturedRequest, 'body' | 'bodyFile'> {
  const {text, file} = dataOf(given);
  if (file !== undefined) return {bodyFile: file};
  return {body: Buffer.from(has(given, 'get') ? '' : text, 'latin1')};
}

function queryOf(given: readonly CurlArgument[]): string {
  const data = has(given, 'get') ? dataOf(given).text : '';
  const parts = given.filter(({name}) => name === 'url-query').map(urlQuery);
  return [data, ...parts].filter(Boolean).join('&');
}

/** How the value of an option becomes a part of the body. */
type DataKind = (value: string) => {readonly text: string} | {readonly file: string};

const DATA: Readonly<Record<string, DataKind>> = {
  data: dataOrFile,
  'data-ascii': dataOrFile,
  'data-binary': dataOrFile,
  json: dataOrFile,
  'data-raw': (text) => ({text}),
  'data-urlencode': urlEncoded,
};

function dataOrFile(value: string) {
  return value.startsWith('@') ? {file: value.slice(1)} : {text: value};
}

// NAME=CONTENT, =CONTENT, CONTENT, @FILE, NAME@FILE: only the content is encoded.
function urlEncoded(value: string) {
  const mark = value.search(/[=@]/);
  if (mark < 0) return {text: percentEncoded(value)};
  const name = value.slice(0, mark);
  const content = value.slice(mark + 1);
  if (value[mark] === '@') return {file: content};
  return {text: `${name === '' ? '' : `${name}=`}${percentEncoded(content)}`};
}

function percentEncoded(bytes: string): string {
  return bytes
    .replace(
      /[^\w.~ -]/g,
      (byte) => `%${Buffer.from(byte, 'latin1').toString('hex').toUpperCase()}`,
    )
    .replaceAll(' ', '+');
}

/** The body that the options give; `file` if a part of it is in one. */
function dataOf(given: readonly CurlArgument[]): {readonly text: string; readonly file?: string} {
  const parts: string[] = [];
  for (const {name = '', value} of given) {
    const part = DATA[name]?.(value);
    if (part && 'file' in part) return {text: '', file: part.file};
    if (part) parts.push(parts.length > 0 && name !== 'json' ? `&${part.text}` : part.text);
  }
  return {text: parts.join('')};
}

function curlHeaders(given: readonly CurlArgument[]): [string, string][] {
  const own = given.filter(({name}) => name === 'header').flatMap(({value}) => headerOf(value));
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const isJson = has(given, 'json');
  const user = lastOf(given, 'user');
  const bearer = lastOf(given, 'oauth2-bearer');
  return [
    ...own,
    ...added(isJson && !names.has('content-type'), 'Content-Type', 'application/json'),
    ...added(isJson && !names.has('accept'), 'Accept', 'application/json'),
    ...added(
      bearer !== undefined && !names.has('authorization'),
      'Authorization',
      `Bearer ${bearer}`,
    ),
    ...added(
      isBasic(given, user) && !names.has('authorization'),
      'Authorization',
      basic(user ?? ''),
    ),
  ];
}

function added(isAdded: boolean, name: string, value: string): [string, string][] {
  return isAdded ? [[name, value]] : [];
}

/** Options under which `--user` is answered to a challenge, which only a running curl can do. */
const CHALLENGE_OPTIONS = new Set(['digest', 'ntlm', 'ntlm-wb', 'negotiate', 'anyauth']);

function isBasic(given: readonly CurlArgument[], user: string | undefined): boolean {
  return user !== undefined && !given.some(({name = ''}) => CHALLENGE_OPTIONS.has(name));
}

function basic(user: string): string {
  return `Basic ${Buffer.from(user, 'latin1').toString('base64')}`;
}

// `Name:` removes a header that curl adds, `Name;` sends an empty one.
function headerOf(text: string): [string, string][] {
  if (text.startsWith('@')) throw unfitCurl('--header @FILE: files are not read');
  const colon = text.indexOf(':');
  if (colon < 0) return text.endsWith(';') ? [[text.slice(0, -1).trim(), '']] : [];
  const value = text.slice(colon + 1).trim();
  return value === '' ? [] : [[text.slice(0, colon).trim(), value]];
}

function urlQuery({value}: CurlArgument): string {
  if (value.startsWith('+')) return value.slice(1);
  const encoded = urlEncoded(value);
  if ('text' in encoded) return encoded.text;
  throw unfitCurl('--url-query NAME@FILE: files are not read');
}

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

function unfitCurl(what: string): PaylensError {
  return new PaylensError(9002, `curl command: ${what}`, {
    hint: 'Paste the command with the whole request in it, or pass body and header by themselves.',
  });
}
