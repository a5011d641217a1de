import {type KeyObject, sign} from 'node:crypto';
import {type Signer, signatureHeader} from '../../src/auth/methods/hmac.js';
import {type SignedRequest, stringToHash} from '../../src/auth/string-to-hash.js';

/** The Rsa header of a request, signed by node:crypto at once. */
export function rsaHeader(request: SignedRequest, signer: Signer, key: KeyObject): string {
  const message = stringToHash(request, signer.nonce, String(signer.timestamp));
  const signature = sign('sha256', Buffer.from(message, 'latin1'), key);
  return signatureHeader('Rsa', signer, signature.toString('hex'));
}
