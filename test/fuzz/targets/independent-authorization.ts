import {constants, createHash, createHmac, verify} from 'node:crypto';
import {NOW, PARTNER_KEY, SHARED_KEY, VECTORS} from '../../auth/auth-fixture.js';

interface Signed {
  readonly authorization: string;
  readonly target: string;
  readonly body: Uint8Array;
}

type Fields = Readonly<Record<string, string>>;

/**
 * Whether a header of the test partner is valid for a request, implemented independently with
 * regular expressions and node:crypto. It is lenient about the form, since it only judges accepted
 * headers.
 */
export function isRight({authorization, target, body}: Signed): boolean {
  const [, scheme = '', rest = ''] = /^(\w+) +(.*)$/s.exec(authorization) ?? [];
  const request = {target: target.replace(/^[^/]*:\/\/[^/?]*/, ''), body};
  if (scheme.toLowerCase() === 'basic') return isRightBasic(rest);
  const fields = fieldsOf(rest);
  if (fields.username !== 'WATERFORD') return false;
  if (scheme.toLowerCase() === 'digest') return isRightDigest(fields, request);
  return isInTime(fields) && isRightSignature(scheme.toLowerCase(), fields, request);
}

function fieldsOf(text: string): Fields {
  const found = text.matchAll(/([\w*]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gs);
  return Object.fromEntries(
    [...found].map(([, name = '', quoted, bare]) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/gs, '$1') ?? bare ?? '',
    ]),
  );
}

function isRightBasic(token: string): boolean {
  return Buffer.from(token, 'base64').toString() === `WATERFORD:${PARTNER_KEY}`;
}

function isInTime({timestamp}: Fields): boolean {
  return Math.abs(Number(timestamp) - NOW) <= 900;
}

type Request = Pick<Signed, 'target' | 'body'>;

function isRightSignature(scheme: string, fields: Fields, {target, body}: Request): boolean {
  const content = createHash('sha256').update(body).digest('hex');
  const text = `POST ${target}\n${fields.nonce}\n${fields.timestamp}\n\n${content}`;
  const message = Buffer.from(text, 'latin1');
  const response = fields.response ?? '';
  if (scheme === 'hmac') {
    const mac = createHmac('sha256', SHARED_KEY).update(message).digest('hex');
    return mac === response.toLowerCase();
  }
  const key = VECTORS.rsaKeys['test-rsa-2048']?.publicKey ?? '';
  const signature = Buffer.from(response, response.length === 512 ? 'hex' : 'base64');
  return verify('sha256', message, {key, padding: constants.RSA_PKCS1_PADDING}, signature);
}

function isRightDigest(fields: Fields, {target, body}: Request): boolean {
  const {uri = '', nonce, nc, cnonce, qop, response = '', algorithm = 'MD5'} = fields;
  const hash = (data: string | Uint8Array) =>
    createHash(algorithm.toUpperCase() === 'MD5' ? 'md5' : 'sha256')
      .update(typeof data === 'string' ? Buffer.from(data, 'latin1') : data)
      .digest('hex');
  if (uri.replace(/^[^/]*:\/\/[^/?]*/, '') !== target) return false;
  const a1 = hash(`WATERFORD:Users:${PARTNER_KEY}`);
  const a2 = hash(qop === 'auth-int' ? `POST:${uri}:${hash(body)}` : `POST:${uri}`);
  const between = qop === undefined ? nonce : `${nonce}:${nc?.toLowerCase()}:${cnonce}:${qop}`;
  return hash(`${a1}:${between}:${a2}`) === response.toLowerCase();
}
