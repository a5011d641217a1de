import {createHash} from 'node:crypto';
import {DEMO_PARTNER} from '../../src/service/registry/demo-registry.js';

const PATH = '/api/v1/partner/validate';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The nonce of the SHA-256 challenge of a server. */
export async function digestNonce({url}: {url: string}): Promise<string> {
  const response = await fetch(url + PATH, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
  });
  const challenges = response.headers.get('www-authenticate') ?? '';
  return /algorithm=SHA-256, nonce="([^"]+)"/.exec(challenges)?.[1] ?? '';
}

/** Responds to a challenge as in RFC 7616, 3.4, with node:crypto. */
export async function answerDigest({url}: {url: string}, nonce: string, count = 1) {
  const {partnerId, partnerKey} = DEMO_PARTNER;
  const nc = count.toString(16).padStart(8, '0');
  const ha1 = sha256(`${partnerId}:Users:${partnerKey}`);
  const response = sha256(`${ha1}:${nonce}:${nc}:c:auth:${sha256(`POST:${PATH}`)}`);
  const authorization = `Digest username="${partnerId}", realm="Users", uri="${PATH}", algorithm=SHA-256, nonce="${nonce}", nc=${nc}, cnonce="c", qop=auth, response="${response}"`;
  const headers = {'content-type': 'application/json', authorization, connection: 'close'};
  const answer = await fetch(url + PATH, {method: 'POST', headers, body: '{}'});
  return {status: answer.status, challenge: answer.headers.get('www-authenticate') ?? ''};
}
