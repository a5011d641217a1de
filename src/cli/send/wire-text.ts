import type {HttpCall, HttpReply} from '../../client/exchange.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {isJsonObject, readJson} from '../../contract/parse-json.js';
import {foreignText} from '../output/foreign-text.js';

/** A sent request for people; keys, signatures and card data are hidden. */
export function requestText({verb, url, headers, body}: HttpCall): string {
  const shown = {
    ...headers,
    ...(headers.authorization && {authorization: withoutSignature(headers)}),
  };
  return wireText('>', `${verb} ${url}`, Object.entries(shown), body ?? '');
}

/** A received response for people; card data is hidden, whatever its member is called. */
export function replyText({status, headers, body}: HttpReply): string {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, SECRET_HEADER.test(name) ? HIDDEN : value]),
  );
  return wireText('<', `HTTP ${status}`, lines, body);
}

const HIDDEN = '[hidden]';
const SECRET_HEADER = /cookie|authori|auth.*info|token|key|secret|session/i;

function wireText(
  mark: string,
  start: string,
  headers: readonly (readonly [string, string])[],
  body: Uint8Array | string,
): string {
  const fields = headers.map(([name, value]) => `${name}: ${foreignText(value)}`);
  return [start, ...fields, '', ...bodyText(Buffer.from(body)).split('\n')]
    .map((line) => `${mark} ${line}`.trimEnd())
    .join('\n');
}

// A captured header would work until its timestamp is too old.
function withoutSignature({authorization = ''}: Readonly<Record<string, string>>): string {
  const [scheme = '', ...rest] = authorization.split(' ');
  if (!rest.join(' ').includes('="')) return `${scheme} ${HIDDEN}`;
  return `${scheme} ${rest.join(' ').replace(/(\bresponse=)"[^"]*"/g, `$1"${HIDDEN}"`)}`;
}

function bodyText(body: Buffer): string {
  if (body.length === 0) return '(no body)';
  const read = readJson(body);
  if ('fault' in read) return `(${body.length} bytes, not JSON)`;
  return JSON.stringify(read.value, shown, 2);
}

/** The members that are shown; the value of any other could be a key or a card. */
const SHOWN = new Set([
  ...['partnerId', 'clientId', 'reference', 'serial', 'firmware'],
  ...['deviceType', 'deviceSerial', 'ksn', 'iv'],
  ...['success', 'messageId', 'errCode', 'errMessage'],
  ...['device', 'mode', 'encoding', 'length', 'masked'],
]);

function shown(this: unknown, name: string, value: unknown): unknown {
  if (isJsonObject(value)) return namesKept(value);
  if (Array.isArray(value)) return value;
  if (!SHOWN.has(name)) return hidden(value);
  return typeof value === 'string' ? foreignText(redactKeys(value)) : value;
}

// A name that is not a word could be anything.
function namesKept(value: object): object {
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, one], i) => [/^[a-z]\w{0,31}$/i.test(name) ? name : `hidden${i}`, one]),
  );
}

function hidden(value: unknown): string {
  return typeof value === 'string' ? `[hidden, ${value.length} characters]` : HIDDEN;
}
