import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {isLoopbackAddress, LOOPBACK} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {systemReason} from '../../files/system-error.js';
import {hostError} from '../../service/http/reject-early.js';
import {framingError} from '../../service/http/request-head.js';
import {ServedHosts} from '../../service/http/served-hosts.js';
import {bundledPage, bundledText, type Page} from '../../service/information/page.js';

const EXPLORER = 'explorer.html';

/** The page as one file that needs no server. */
export function pageText(): Promise<string> {
  return bundledText(EXPLORER);
}

/**
 * Serves the page on loopback until the process ends, and returns its address. Throws 9020 when the
 * port cannot be used.
 */
export async function servePage(port: number): Promise<string> {
  const page = await bundledPage(EXPLORER);
  const hosts = new ServedHosts({host: LOOPBACK, bound: () => LOOPBACK});
  const server = createServer({requireHostHeader: false}, (request, response) =>
    answerPage(request, response, {page, hosts}),
  );
  server.listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new PaylensError(9020, `port ${port}: ${systemReason(error)}`, {
      hint: 'Choose another port with --port; 0 picks a free one.',
    });
  }
  return `http://${LOOPBACK}:${(server.address() as AddressInfo).port}/`;
}

/** Answers one request: there is only the page, and it is read-only. */
function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  {page, hosts}: {readonly page: Page; readonly hosts: ServedHosts},
): void {
  const refusal = refusalOf(request, hosts);
  if (refusal) {
    const [status, text] = refusal;
    response.writeHead(status, REFUSAL_HEADERS).end(`${text}\n`);
    return;
  }
  response.writeHead(200, {...page.headers, 'content-length': page.bytes.length});
  response.end(request.method === 'HEAD' ? undefined : page.bytes);
}

const REFUSAL_HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

function refusalOf(
  request: IncomingMessage,
  hosts: ServedHosts,
): readonly [status: number, text: string] | undefined {
  const {method = '', url = '', socket} = request;
  const isOwn = isLoopbackAddress(socket.remoteAddress ?? '');
  const error = framingError(request) ?? hostError(request, hosts);
  if (error || !isOwn) return [400, (error ?? new PaylensError(2010)).message];
  if (!/^\/(?:explore\/?)?(?:\?|$)/.test(url)) return [404, 'Not found'];
  return method === 'GET' || method === 'HEAD' ? undefined : [405, 'Method not allowed'];
}
