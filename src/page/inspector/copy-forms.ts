import type {RequestCopy, RequestDetail} from '../../contract/control/inspected-request.js';
import {bytesFromBase64, utf8Of} from '../../platform/bytes.js';

/** The forms in which a request can be copied. */
export const COPY_FORMS = {
  curl: curlCommand,
  paylens: paylensCommand,
  fetch: fetchCall,
  Python: pythonScript,
} as const satisfies Readonly<Record<string, (copy: RequestCopy) => string>>;

export type CopyForm = keyof typeof COPY_FORMS;

/** Headers that every client sets itself. */
const OF_THE_CLIENT = /^(?:accept.*|user-agent|sec-.*|origin|referer|priority|cookie)$/i;

function headersOf({headers}: RequestCopy): readonly (readonly [string, string])[] {
  return headers.filter(([name]) => !OF_THE_CLIENT.test(name));
}

/** For POSIX shells; text of the request is never interpreted by the shell. */
function curlCommand(copy: RequestCopy): string {
  const {method, url, body, bodyBase64} = copy;
  const isText = body !== undefined && !body.includes('\0');
  const data = isText ? `--data-raw ${word(body)}` : '--data-binary @-';
  const command = [
    `curl -sS -X ${method} ${word(url)}`,
    ...headersOf(copy).map(([name, value]) => `-H ${word(`${name}: ${value}`)}`),
    data,
  ].join(' \\\n  ');
  if (isText) return command;
  return `printf %s ${word(bodyBase64 ?? base64Of(body ?? ''))} | base64 -d | ${command}`;
}

const COMMANDS = {partner: 'partner', device: 'device', decrypt: 'payload'} as const;

/** The command that signs the same body again, with a key from a file, a variable or a prompt. */
function paylensCommand(copy: RequestCopy): string {
  const {origin, pathname} = new URL(copy.url);
  const [, , kind = 'decrypt'] = /^\/api(\/v1)?\/(\w+)\//.exec(pathname) ?? [];
  const command = COMMANDS[kind as keyof typeof COMMANDS] ?? 'payload';
  const header = copy.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  const method = methodOf(header);
  const partner = partnerOf(header) ?? partnerIn(copy);
  const text =
    copy.body === undefined
      ? `printf %s ${word(copy.bodyBase64 ?? '')} | base64 -d`
      : `printf %s ${word(copy.body)}`;
  return [
    `${text} | paylens send ${command} --body-file - --base-url ${word(origin)}`,
    `--method ${method}`,
    // A placeholder: only the partner has this file.
    ...(method === 'rsa' ? ['--rsa-private-key rsa-private-key.pem'] : []),
    ...(partner === undefined ? [] : [`--partner ${word(partner)}`]),
  ].join(' \\\n  ');
}

/** Only the answer to a challenge has a nonce count. */
function methodOf(header: string): string {
  const method = /^(hmac|rsa|basic|digest)\s/i.exec(header)?.[1]?.toLowerCase() ?? 'transparent';
  return method === 'digest' && !/\bnc=/i.test(header) ? 'digest-preemptive' : method;
}

/** Printing in the copied script; the page itself must not use the console. */
const PRINT = ['console', 'log'].join('.');

function fetchCall(copy: RequestCopy): string {
  const {method, url} = copy;
  const headers = Object.fromEntries(headersOf(copy));
  const body =
    copy.body === undefined
      ? `Uint8Array.from(atob(${literal(copy.bodyBase64 ?? '')}), (c) => c.charCodeAt(0))`
      : literal(copy.body);
  const lines = Object.entries(headers).map(
    ([name, value]) => `    ${literal(name)}: ${literal(value)},`,
  );
  return (
    `const response = await fetch(${literal(url)}, {\n  method: ${literal(method)},\n` +
    `  headers: {\n${lines.join('\n')}\n  },\n  body: ${body},\n});\n` +
    `${PRINT}(response.status, await response.text());\n`
  );
}

function pythonScript(copy: RequestCopy): string {
  const {method, url} = copy;
  const lines = headersOf(copy).map(
    ([name, value]) => `        ${python(name)}: ${python(value)},`,
  );
  const data =
    copy.body === undefined
      ? `base64.b64decode(${python(copy.bodyBase64 ?? '')})`
      : `${python(copy.body)}.encode()`;
  return (
    'import base64\nimport urllib.error\nimport urllib.request\n\n' +
    `request = urllib.request.Request(\n    ${python(url)},\n    method=${python(method)},\n` +
    `    headers={\n${lines.join('\n')}\n    },\n    data=${data},\n)\n` +
    'try:\n    response = urllib.request.urlopen(request)\nexcept urllib.error.HTTPError as error:\n' +
    '    response = error\nprint(response.status, response.read().decode())\n'
  );
}

/** One word of a POSIX shell, in which nothing is expanded. */
function word(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}

/** A string of JavaScript that is safe within HTML. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll(/[<\u2028\u2029]/g, escaped);
}

/** A string of Python, with code points for characters beyond ASCII. */
function python(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `"${[...inner].map((c) => (c >= '\x20' && c <= '~' ? c : longEscaped(c))).join('')}"`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function longEscaped(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

function partnerOf(header: string): string | undefined {
  const [, username] = /\busername="([^"]*)"/.exec(header) ?? [];
  const [, token = ''] = /^basic\s+(\S+)/i.exec(header) ?? [];
  return username ?? /^([^:]+):/.exec(utf8Of(bytesFromBase64(token) ?? new Uint8Array()))?.[1];
}

function partnerIn({body = ''}: RequestCopy): string | undefined {
  try {
    const {partnerId} = JSON.parse(body) as {readonly partnerId?: unknown};
    return typeof partnerId === 'string' ? partnerId : undefined;
  } catch {
    return undefined;
  }
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** A HAR of requests (1.2), masked as on the page. */
export function harOf(details: readonly RequestDetail[], version: string): string {
  const entries = details.map(({request, headers = [], body = '', response}) => ({
    startedDateTime: request.time,
    time: request.ms ?? 0,
    request: {
      method: request.method ?? 'POST',
      url: `${location.origin}${request.target}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers.map(([name, value]) => ({name, value})),
      queryString: queryOf(request.target),
      headersSize: -1,
      bodySize: request.bodyBytes ?? -1,
      ...(body !== '' && {postData: {mimeType: typeOf(headers), text: body}}),
    },
    response: {
      status: request.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: {
        size: -1,
        mimeType: 'application/json',
        text: response ? JSON.stringify(response) : '',
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: {send: 0, wait: request.ms ?? 0, receive: 0},
    comment: request.messageId,
  }));
  const creator = {name: 'paylens', version};
  return `${JSON.stringify({log: {version: '1.2', creator, entries}}, undefined, 1)}\n`;
}

function queryOf(target: string): readonly {readonly name: string; readonly value: string}[] {
  const parameters = new URLSearchParams(target.split('?')[1] ?? '');
  return [...parameters].map(([name, value]) => ({name, value}));
}

function typeOf(headers: NonNullable<RequestDetail['headers']>): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}
