import {once} from 'node:events';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {execa} from 'execa';

/** Names of packages, as a page without a bundler has to list them. */
export type ImportMap = Readonly<Record<string, string>>;

const LONGEST_MS = 240_000;
/** CI runs as root, where the sandbox of Chromium does not start. */
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

/**
 * Opens a page in Chromium whose script is `file`, and returns what it posts to its server. The
 * script may import the files in its folder and below, and packages that `imports` lists. Throws if
 * nothing comes within four minutes.
 */
export async function openPage(
  chromium: string,
  file: string,
  imports: ImportMap = {},
): Promise<string> {
  const profile = mkdtempSync(path.join(tmpdir(), 'paylens-chromium-'));
  const {server, posted} = serve(path.dirname(file), pageOf(path.basename(file), imports));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  const argv = [...FLAGS, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`];
  const browser = execa(chromium, argv, {reject: false, timeout: LONGEST_MS});
  const ended = browser.then(({stderr}) => {
    throw new Error(`Chromium ended before its page answered: ${stderr.slice(-2000)}`);
  });
  try {
    return await Promise.race([posted, ended]);
  } finally {
    browser.kill();
    await ended.catch(() => undefined);
    server.close();
    server.closeAllConnections();
    rmSync(profile, {recursive: true, force: true, maxRetries: 5});
  }
}

function pageOf(script: string, imports: ImportMap): string {
  const map = `<script type="importmap">${JSON.stringify({imports})}</script>`;
  return `<!doctype html>${map}<script type="module" src="${script}"></script>`;
}

function serve(folder: string, page: string) {
  let post: (body: Promise<string>) => void = () => undefined;
  const posted = new Promise<string>((resolve) => {
    post = resolve;
  });
  const server = createServer((request, response) => {
    if (request.method === 'POST') post(text(request));
    const isPage = request.url === '/' || request.method === 'POST';
    const file = path.join(folder, path.normalize(request.url ?? ''));
    const isThere = isPage || existsSync(file);
    response.statusCode = isThere ? 200 : 404;
    response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
    response.end(isPage ? page : isThere ? readFileSync(file) : '');
  });
  return {server, posted};
}
