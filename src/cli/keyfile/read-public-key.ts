import {PaylensError} from '../../contract/paylens-error.js';
import {readPrivateFile} from '../../files/read-private-file.js';

/**
 * The text of a file with a public key in PEM form (SPKI). Throws 9002 when it cannot be read, 9015
 * when it holds anything else, above all a private key.
 */
export async function readPublicKey(file: string): Promise<string> {
  const {bytes} = await readPrivateFile(file, {missing: 9002, unfit: 9002, pipe: true});
  const pem = Buffer.from(bytes).toString('latin1').trim();
  if (/^-----BEGIN PUBLIC KEY-----[\w+/=\s]+-----END PUBLIC KEY-----$/.test(pem)) return `${pem}\n`;
  throw new PaylensError(9015, `${file}: expected a public key in PEM form (SPKI), nothing else`, {
    hint: 'Create it with: openssl pkey -in private.pem -pubout',
  });
}
