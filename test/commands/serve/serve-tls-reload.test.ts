import {execFileSync} from 'node:child_process';
import {copyFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {connect} from 'node:tls';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {type Serving, serve} from './serving.js';

/** A certificate and its key, made by openssl. */
function selfSigned(folder: string, name: string) {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const files = ['-keyout', key, '-out', cert, '-subj', '/CN=localhost'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files], {
    stdio: 'ignore',
  });
  return {cert, key};
}

/** SHA-256 of a certificate, as openssl prints it. */
function fingerprint(cert: string): string {
  const argv = ['x509', '-in', cert, '-noout', '-fingerprint', '-sha256'];
  return execFileSync('openssl', argv, {encoding: 'utf8'}).trim().replace(/^.*=/, '');
}

/** SHA-256 of the certificate that the service shows. */
function shown({url}: Serving): Promise<string> {
  return new Promise((resolve, reject) => {
    const {port} = new URL(url);
    const socket = connect({port: Number(port), rejectUnauthorized: false}, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('SIGHUP with TLS', () => {
  async function start() {
    const folder = tempFolder();
    const inUse = selfSigned(folder, 'in-use');
    const argv = ['--demo', '--tls-cert-file', inUse.cert, '--tls-key-file', inUse.key];
    return {inUse, next: selfSigned(folder, 'next'), service: await serve(argv)};
  }

  it('shows the new certificate from the next connection on', async () => {
    const {inUse, next, service} = await start();
    const old = fingerprint(inUse.cert);
    const wanted = fingerprint(next.cert);
    expect(await shown(service)).toBe(old);
    copyFileSync(next.cert, inUse.cert);
    copyFileSync(next.key, inUse.key);
    service.kill('SIGHUP');
    await service.logged('"reloaded"');
    expect([await shown(service), await shown(service)]).toEqual([wanted, wanted]);
  });

  it('keeps the old one when the new file is bad, and logs why', async () => {
    const {inUse, service} = await start();
    const old = fingerprint(inUse.cert);
    writeFileSync(inUse.cert, 'no certificate');
    service.kill('SIGHUP');
    await service.logged('reload failed');
    expect(service.stderr()).toContain('expected a certificate in PEM form');
    expect([await shown(service), await shown(service)]).toEqual([old, old]);
  });
});
