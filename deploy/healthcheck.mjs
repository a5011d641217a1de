// The health check of the image: requests /healthz at every address that this user's processes listen
// on, over HTTP, else over HTTPS. Linux provides these addresses, so --port and --tls-cert-file need no
// change here. Exits with code 0 if one responds with 200.
import {readFileSync} from 'node:fs';
import {get} from 'node:http';
import {get as getByTls} from 'node:https';
import {getuid} from 'node:process';

/** The state of a listening socket. */
const LISTEN = '0A';
const TIMEOUT_MS = 1000;

const answers = await Promise.all(listeningAddresses().map(isHealthy));
process.exit(answers.includes(true) ? 0 : 1);

/** From the tables of the kernel (proc_net_tcp(5)): number, local and remote address, state, .., uid. */
function listeningAddresses() {
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) => linesOf(table))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , uid]) => state === LISTEN && Number(uid) === getuid())
    .map(([, local]) => local.split(':'))
    .map(([host, port]) => ({host: hostOf(host), port: Number.parseInt(port, 16)}));
}

/** The lines of a table without its heading; none if the machine has no IPv6. */
function linesOf(table) {
  try {
    return readFileSync(table, 'utf8').trimEnd().split('\n').slice(1);
  } catch {
    return [];
  }
}

/** An address in words of four bytes in host byte order; the unspecified address becomes loopback. */
function hostOf(hex) {
  const bytes = hex.match(/.{8}/g).flatMap((word) => word.match(/../g).reverse());
  if (bytes.every((byte) => byte === '00')) return bytes.length === 4 ? '127.0.0.1' : '::1';
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.');
  return bytes.join('').match(/.{4}/g).join(':');
}

async function isHealthy(address) {
  return (await status(get, address)) === 200 || (await status(getByTls, address)) === 200;
}

/** The HTTP status of /healthz. The certificate is for the service's name, not for this address. */
function status(request, {host, port}) {
  const options = {host, port, path: '/healthz', timeout: TIMEOUT_MS, rejectUnauthorized: false};
  return new Promise((resolve) => {
    const sent = request(options, (response) => {
      resolve(response.statusCode);
      response.destroy();
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(undefined));
  });
}
