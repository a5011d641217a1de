import type {
  RequestCopy,
  RequestDetail,
  WireMessage,
} from '../contract/control/inspected-request.js';
import {DEVICE_TYPES} from '../contract/device-types.js';
import {pathOf} from '../contract/operation.js';
import {PaylensError} from '../contract/paylens-error.js';
import {base64Of, bytesFromBase64, bytesFromUtf8, isSameBytes, utf8Of} from '../platform/bytes.js';

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

/** A payload, and whose key decrypts it. */
export interface DecryptCall {
  readonly request: {
    readonly deviceType: string;
    readonly devicePayload: string;
    readonly ksn?: string | undefined;
    readonly iv?: string | undefined;
  };
  /** The kind of an own key; absent: the published test keys. */
  readonly ownKey?: 'bdk' | 'ik' | 'working' | undefined;
}

/** Code that decrypts a payload: a request to a local `paylens serve`, or a call of the library. */
export const DECRYPT_FORMS = {
  curl: (call) => serveHint(call) + curlCommand(localRequest(call)),
  'Node.js': libraryCall,
  Python: (call) => serveHint(call) + pythonScript(localRequest(call)),
} as const satisfies Readonly<Record<string, (call: DecryptCall) => string>>;

function serveHint({request: {deviceType}, ownKey}: DecryptCall): string {
  const extended = DEVICE_TYPES.some((type) => type === deviceType) ? '' : ' --extended';
  return ownKey
    ? `# With \`paylens serve${extended}\` and your keyfile; put in PARTNER_ID and PARTNER_KEY.\n`
    : `# With \`paylens serve --demo${extended}\`.\n`;
}

function localRequest({request, ownKey}: DecryptCall): RequestCopy {
  const partner = ownKey
    ? {partnerId: 'PARTNER_ID', partnerKey: 'PARTNER_KEY'}
    : {partnerId: 'DEMO', partnerKey: 'd3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0'};
  return {
    method: 'POST',
    url: `http://127.0.0.1:8080${pathOf('process-payload')}`,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({...partner, ...request}),
    isMasked: false,
  };
}

function libraryCall({request: {devicePayload, ...settings}, ownKey}: DecryptCall): string {
  const keys = ownKey ? `keys: {${ownKey}: process.env.KEY}` : 'testKeys: true';
  const options = Object.entries(settings).flatMap(([name, value]) =>
    value ? [`${name}: ${literal(value)}, `] : [],
  );
  return (
    "import {decrypt} from 'paylens';\n\n" +
    `const options = {${options.join('')}${keys}};\n` +
    `const {extracted} = decrypt(${literal(devicePayload)}, options);\n${PRINT}(extracted);\n`
  );
}

interface SignedCurl {
  readonly url: string;
  readonly authorization: string;
  readonly body: Uint8Array;
  /** The file with the body, if there is one. */
  readonly file?: string | undefined;
}

/**
 * The curl command that sends a signed request, byte for byte, for a POSIX shell. Throws 9001 when
 * the body is not in a file and holds bytes that a shell cannot pass on.
 */
export function signedCurl({url, authorization, body, file}: SignedCurl): string {
  const data =
    file === undefined
      ? `--data-raw ${word(shellText(body))}`
      : `--data-binary ${word(`@${file}`)}`;
  return [
    `${curl(url)} ${word(url)}`,
    `-H 'Content-Type: application/json'`,
    `-H ${word(`Authorization: ${authorization}`)}`,
    data,
  ].join(' \\\n  ');
}

function shellText(body: Uint8Array): string {
  const text = utf8Of(body);
  if (!text.includes('\0') && isSameBytes(bytesFromUtf8(text), body)) return text;
  throw new PaylensError(9001, 'the body contains bytes that cannot be passed on a command line', {
    hint: 'Pass the body as a file.',
  });
}

/** The program with what keeps it from sending several requests for brackets, or another for dots. */
function curl(url: string): string {
  const target = url.replace(/^\w+:\/\/[^/]*/, '');
  return /[[\]{}]|\/\.{1,2}(?![^/?])/.test(target) ? 'curl --globoff --path-as-is' : 'curl';
}

/** For POSIX shells; text of the request is never interpreted by the shell. */
function curlCommand(copy: RequestCopy): string {
  const {method, url, body, bodyBase64} = copy;
  const isText = body !== undefined && !body.includes('\0');
  const data = isText ? `--data-raw ${word(body)}` : '--data-binary @-';
  const command = [
    `${curl(url)} -sS -X ${method} ${word(url)}`,
    ...headersOf(copy).map(([name, value]) => `-H ${word(`${name}: ${value}`)}`),
    data,
  ].join(' \\\n  ');
  if (isText) return command;
  return `printf %s ${word(bodyBase64 ?? base64Of(bytesFromUtf8(body ?? '')))} | base64 -d | ${command}`;
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
export function word(text: string): string {
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

/** The command that hashes a body as the last line of its string to sign. */
export function hashCommand({body, bodyBase64}: RequestCopy): string {
  const bytes =
    body === undefined
      ? `printf %s ${word(bodyBase64 ?? '')} | base64 -d`
      : `printf %s ${word(body)}`;
  return `${bytes} | openssl dgst -sha256`;
}

/** The command that signs a string; the key is in a file that only its partner has. */
export function signCommand(text: string, {headers = []}: RequestDetail): string {
  const header = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  const signing =
    methodOf(header) === 'rsa' ? '-sign rsa-private-key.pem -hex' : '-hmac "$(cat shared-key.txt)"';
  return `printf %s ${word(text)} | openssl dgst -sha256 ${signing}`;
}

/** A HAR of requests (1.2) to a server, masked as on the page. */
export function harOf(details: readonly RequestDetail[], version: string, origin: string): string {
  const entries = details.map((detail) => {
    const {request, line, headers = [], response} = detail;
    const {ms = 0} = request;
    return {
      startedDateTime: request.time,
      time: ms,
      request: {
        method: request.method ?? 'POST',
        // Sent through a proxy, it has its own.
        url: `${request.target.startsWith('/') ? origin : ''}${request.target}`,
        ...messageOf({...detail, headers}),
        queryString: queryOf(request.target),
        ...postDataOf(detail),
      },
      response: responseOf(detail),
      cache: {},
      timings: {send: 0, wait: ms, receive: 0},
      comment: [
        request.messageId,
        ...(line === undefined ? [NOT_KEPT] : response ? [] : ['no response was sent']),
      ].join(', '),
    };
  });
  const creator = {name: 'paylens', version};
  return `${JSON.stringify({log: {version: '1.2', creator, entries}}, undefined, 1)}\n`;
}

const NOT_KEPT = 'request and response are no longer kept';

/** What a request and a response of a HAR share. */
function messageOf({headers, body, bodyBase64}: Omit<WireMessage, 'line'>) {
  const bytes = bodyBase64 === undefined ? bytesFromUtf8(body ?? '') : bytesFromBase64(bodyBase64);
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(([name, value]) => ({name, value})),
    headersSize: -1,
    bodySize: bytes?.length ?? 0,
  };
}

function postDataOf({headers = [], body, bodyBase64}: RequestDetail) {
  if (body === undefined && bodyBase64 === undefined) return {};
  const isText = bodyBase64 === undefined;
  return {
    postData: {
      mimeType: typeOf(headers),
      text: isText ? body : bodyBase64,
      // HAR has no encoding for this one.
      ...(!isText && {_encoding: 'base64'}),
    },
  };
}

/** Without a response, the status 0; of one that is no longer kept, that of the row. */
function responseOf({line, response, request: {status}}: RequestDetail) {
  const {body, bodyBase64} = response ?? {};
  const message = messageOf(response ?? {headers: []});
  return {
    ...message,
    status: response || line === undefined ? status : 0,
    statusText: response?.line.split(' ').slice(2).join(' ') ?? '',
    content: {
      size: message.bodySize,
      mimeType: typeOf(response?.headers ?? []),
      text: body ?? bodyBase64 ?? '',
      ...(bodyBase64 !== undefined && {encoding: 'base64'}),
    },
    redirectURL: '',
  };
}

function queryOf(target: string): readonly {readonly name: string; readonly value: string}[] {
  const parameters = new URLSearchParams(target.split('?')[1] ?? '');
  return [...parameters].map(([name, value]) => ({name, value}));
}

function typeOf(headers: NonNullable<RequestDetail['headers']>): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}
