import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {Readable} from 'node:stream';
import type {FastifyReply, FastifyRequest} from 'fastify';
import {PaylensError} from '../../contract/paylens-error.js';
import {packageRoot} from '../../files/package-root.js';

/** An answer that is the same for all, made once. */
export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** Headers of every HTML answer: it loads nothing else, and is not shown in frames. */
function htmlHeaders(content: string) {
  // The build writes a policy into a page that may also be opened as a file.
  const own = /<meta http-equiv="content-security-policy" content="([^"]*)">/.exec(content)?.[1];
  const policy =
    own ??
    `default-src 'none'; script-src ${hashesOf('script', content)}; ` +
      `style-src ${hashesOf('style', content)}; img-src data:; ` +
      "base-uri 'none'; form-action 'none'";
  return {
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  };
}

/** The scripts or styles of a page as sources of its policy: no other one runs. */
function hashesOf(element: 'script' | 'style', content: string): string {
  const texts = [...content.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))];
  if (texts.length === 0) return "'none'";
  return texts
    .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join(' ');
}

/** Bytes that are passed to a connection at a time. */
const SLICE_BYTES = 64 * 1024;

/** Makes a page, which browsers may cache if they revalidate it. */
function newPage(type: string, content: string): Page {
  const bytes = Buffer.from(content);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const protection = type.startsWith('text/html') ? htmlHeaders(content) : {};
  return {headers: {...protection, 'content-type': type, etag, 'cache-control': 'no-cache'}, bytes};
}

/** The page of a file that the build made. */
export async function shippedPage(name: string, type: string): Promise<Page> {
  return newPage(type, await readFile(new URL(`dist/api/${name}`, packageRoot()), 'utf8'));
}

/** A page that the build bundled, of one file. Throws 2008 when the build made none. */
export function bundledText(name: string): Promise<string> {
  return readFile(new URL(`dist/page/${name}`, packageRoot()), 'utf8').catch(() => {
    throw new PaylensError(2008, 'this build has no page');
  });
}

/** A bundled page as it is served. */
export async function bundledPage(name: string): Promise<Page> {
  return newPage('text/html; charset=utf-8', await bundledText(name));
}

/** Answers with JSON that is not cached. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return asJson(reply).send(JSON.stringify(value));
}

/** For a body that is JSON already. */
export function asJson(reply: FastifyReply): FastifyReply {
  return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store');
}

/** Answers with a page, which is made for the first request. */
export function pageHandler(make: () => Promise<Page>) {
  let page: Promise<Page> | undefined;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    page ??= make();
    return sendPage(request, reply, await page);
  };
}

/** Answers with a page, or 304 if the browser has it already. */
function sendPage({headers}: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const {etag = ''} = page.headers;
  const known = headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  reply.headers(page.headers);
  if (known?.some((one) => one === '*' || one === etag)) return reply.code(304).send();
  return sendBytes(reply, page.bytes);
}

/**
 * Sends bytes that answers share, slice by slice: a slow client shows progress, and one that never
 * reads holds no copy of the whole. A page queued after other answers is sent whole: a stream would need more memory.
 */
export function sendBytes(reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  reply.header('content-length', bytes.length);
  const isSliced = bytes.length > SLICE_BYTES && reply.raw.socket !== null;
  return reply.send(isSliced ? Readable.from(slices(bytes)) : bytes);
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
