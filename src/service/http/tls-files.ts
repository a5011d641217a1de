import {readFileSync} from 'node:fs';
import {createSecureContext} from 'node:tls';
import {PaylensError} from '../../contract/paylens-error.js';
import {systemReason} from '../../files/system-error.js';

/** Where the certificate (chain) and its key are, in PEM form. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** Reads a certificate and its key. Throws 9002 when one is not readable or they do not fit. */
export function readTls(files: TlsFiles): {cert: string; key: string} {
  const cert = readPem(files.cert, 'certificate');
  const key = readPem(files.key, 'TLS key');
  assertUsable({cert}, `certificate ${files.cert}: expected a certificate in PEM form`);
  assertUsable({key}, `TLS key ${files.key}: expected a private key in PEM form, not encrypted`);
  assertUsable(
    {cert, key},
    `TLS key ${files.key}: expected the key of the certificate ${files.cert}`,
  );
  return {cert, key};
}

function readPem(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new PaylensError(9002, `${what} ${path}: ${systemReason(error)}`);
  }
}

function assertUsable(pems: {readonly cert?: string; readonly key?: string}, why: string): void {
  try {
    createSecureContext(pems);
  } catch {
    throw new PaylensError(9002, why);
  }
}
