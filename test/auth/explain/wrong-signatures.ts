import {
  constants,
  createHash,
  createHmac,
  createPrivateKey,
  privateEncrypt,
  sign,
} from 'node:crypto';
import {readFileSync} from 'node:fs';

/** A request as a client made it, and what explains why it is refused. */
export interface WrongSignature {
  readonly name: string;
  readonly authorization: string;
  readonly explanation: string;
}

interface Terms {
  readonly partnerId: string;
  readonly partnerKey: string;
  readonly sharedKey: string;
  readonly target: string;
  readonly host: string;
  readonly body: string;
  /** Seconds since 1970. */
  readonly now: number;
}

const PRIVATE_KEY = createPrivateKey(
  readFileSync(new URL('../../../samples/demo-rsa-key.pem', import.meta.url)),
);

/**
 * Signatures that are wrong as clients get them wrong, made by node:crypto alone. The body is one
 * line of JSON with a line feed behind it.
 */
export function wrongSignatures(terms: Terms): readonly WrongSignature[] {
  return [...wrongHmacs(terms), ...wrongHeaders(terms), ...wrongRsas(terms), ...wrongOthers(terms)];
}

interface Parts {
  readonly verb?: string;
  readonly target?: string;
  readonly nonce?: string;
  readonly timestamp?: string | number;
  readonly hash?: string;
  readonly join?: string;
}

let drawn = 0;

function wrongHmacs(terms: Terms): readonly WrongSignature[] {
  const {target, host, body, now, sharedKey, partnerKey, partnerId} = terms;
  const trimmed = body.trim();
  const nonce = () => `nonce-${process.pid}-${drawn++}-ab`;
  const message = (used: string, parts: Parts = {}) => {
    const {verb = 'POST', target: path = target, timestamp = now, join = '\n'} = parts;
    const hash = parts.hash ?? sha256(body);
    return [`${verb} ${path}`, parts.nonce ?? used, timestamp, '', hash].join(join);
  };
  const header = (used: string, response: string, timestamp = now) =>
    `Hmac username="${partnerId}", nonce="${used}", timestamp=${timestamp}, response="${response}"`;
  const row = (
    name: string,
    explanation: string,
    parts: Parts | ((nonce: string) => Parts),
    key: string | Buffer = sharedKey,
  ): WrongSignature => {
    const used = nonce();
    const text = message(used, typeof parts === 'function' ? parts(used) : parts);
    return {name, explanation, authorization: header(used, hmac(key, text).toString('hex'))};
  };
  const custom = (
    name: string,
    explanation: string,
    make: (text: string, used: string) => string,
  ): WrongSignature => {
    const used = nonce();
    return {name, explanation, authorization: header(used, make(message(used), used))};
  };
  return [
    row('path without /api', 'the path was signed without /api', {
      target: target.replace('/api', ''),
    }),
    row('path without /api/v1', 'the path was signed without /api/v1', {
      target: target.replace('/api/v1', ''),
    }),
    row('path without its version', 'the path was signed without its version', {
      target: target.replace('/v1', ''),
    }),
    row('whole URL', 'the path was signed with protocol or host before it', {
      target: `http://${host}${target}`,
    }),
    row('host before the path', 'the path was signed with protocol or host before it', {
      target: `localhost${target}`,
    }),
    row('slash at the end', 'the path was signed with a trailing slash', {target: `${target}/`}),
    row('path of another operation', 'the path of another operation was signed', {
      target: '/api/v1/decrypt/parser',
    }),
    row('last part of the path', 'only the last part of the path was signed', {
      target: target.split('/').at(-1) ?? '',
    }),
    row('path percent-encoded', 'the path was signed percent-encoded', {
      target: encodeURIComponent(target),
    }),
    row('body trimmed', 'the body was trimmed before it was hashed', {hash: sha256(trimmed)}),
    row('body written again', 'the body was serialised again before it was hashed', {
      hash: sha256(JSON.stringify(JSON.parse(body), null, 2)),
    }),
    row('empty body', 'an empty body was hashed', {hash: sha256('')}),
    row('body hashed twice', 'the content hash was signed hashed twice', {
      hash: sha256(sha256(body)),
    }),
    row('hash in base64', 'the content hash was signed in base64', {
      hash: createHash('sha256').update(body).digest('base64'),
    }),
    row('hash in upper case', 'the content hash was signed in upper case', {
      hash: sha256(body).toUpperCase(),
    }),
    row('MD5 of the body', 'the content hash was signed as MD5', {
      hash: createHash('md5').update(body).digest('hex'),
    }),
    row('the body itself', 'the body itself was signed instead of its hash', {hash: body}),
    row('CR LF', 'the lines were joined with CR LF', {join: '\r\n'}),
    row('backslash n', 'the lines were joined with the two characters \\n', {join: '\\n'}),
    row('no separator', 'the lines were joined without a separator', {join: ''}),
    row('verb in lower case', 'the verb was signed in lower case', {verb: 'post'}),
    row('GET', 'the verb GET was signed instead of POST', {verb: 'GET'}),
    custom('no empty line', 'the empty line before the content hash is missing', (text) =>
      hmac(sharedKey, text.replace('\n\n', '\n')).toString('hex'),
    ),
    custom('line feed at the end', 'a line feed was signed at the end', (text) =>
      hmac(sharedKey, `${text}\n`).toString('hex'),
    ),
    row(
      'nonce and time exchanged',
      "nonce and timestamp were signed in each other's place",
      (used) => ({nonce: String(now), timestamp: used}),
    ),
    row('nonce in quotes', 'the nonce was signed in quotes', (used) => ({nonce: `"${used}"`})),
    row('nonce in upper case', 'the nonce was signed in upper case', (used) => ({
      nonce: used.toUpperCase(),
    })),
    row('milliseconds signed', 'the timestamp was signed in milliseconds', {
      timestamp: `${now}000`,
    }),
    row('clock read twice', 'the signed timestamp is 1 s before the one in the header', {
      timestamp: now - 1,
    }),
    row('another zone signed', 'the signed timestamp is 2 h after the one in the header', {
      timestamp: now + 7200,
    }),
    row('date signed', 'the timestamp was signed as a date', {
      timestamp: new Date(now * 1000).toISOString(),
    }),
    row(
      'key from hex',
      'the shared key was decoded from base64',
      {},
      Buffer.from(sharedKey, 'base64'),
    ),
    row(
      'the partnerKey',
      'the partnerKey was signed with instead of the shared key',
      {},
      partnerKey,
    ),
    row('hash of the key', 'the shared key was hashed with SHA-256', {}, sha256(sharedKey)),
    row('hashed key bytes', 'the shared key was hashed with SHA-256', {}, digest(sharedKey)),
    row(
      'key in base64',
      'the shared key was encoded in base64',
      {},
      Buffer.from(sharedKey).toString('base64'),
    ),
    row(
      'key in hex',
      'the shared key was encoded in hex',
      {},
      Buffer.from(sharedKey).toString('hex'),
    ),
    row('key with a line feed', 'a line feed was included in the shared key', {}, `${sharedKey}\n`),
    row('key in upper case', 'the shared key was used in upper case', {}, sharedKey.toUpperCase()),
    row('partnerId for a key', 'the partnerId was signed with', {}, partnerId),
    custom('HMAC-SHA1', 'it was signed with HMAC-SHA1 instead of HMAC-SHA256', (text) =>
      createHmac('sha1', sharedKey).update(text).digest('hex'),
    ),
    custom('HMAC-SHA512', 'it was signed with HMAC-SHA512 instead of HMAC-SHA256', (text) =>
      createHmac('sha512', sharedKey).update(text).digest('hex'),
    ),
    custom('no HMAC', 'SHA-256 of key and string to hash was used instead', (text) =>
      sha256(sharedKey + text),
    ),
    custom('arguments exchanged', 'key and string to hash were used in each other', (text) =>
      hmac(text, sharedKey).toString('hex'),
    ),
    custom('hashed before', 'the string to hash was hashed before it was signed', (text) =>
      hmac(sharedKey, digest(text)).toString('hex'),
    ),
    row('pretty body with a line feed', 'the body was serialised again before it was hashed', {
      hash: sha256(`${JSON.stringify(JSON.parse(body), null, 2)}\n`),
    }),
    row('pretty body with CR LF', 'the body was serialised again before it was hashed', {
      hash: sha256(JSON.stringify(JSON.parse(body), null, 4).replaceAll('\n', '\r\n')),
    }),
    row('body percent-encoded', 'the body was percent-encoded before it was hashed', {
      hash: sha256(encodeURIComponent(body)),
    }),
    row('milliseconds of a clock', 'the timestamp was signed in milliseconds', {
      timestamp: `${now}457`,
    }),
    row('nonce in braces', 'the nonce was signed in braces', (used) => ({nonce: `{${used}}`})),
    row('two spaces', 'verb and path were joined with two spaces', {target: ` ${target}`}),
    row('version of HTTP', 'the version of HTTP was signed after the path', {
      target: `${target} HTTP/1.1`,
    }),
    row(
      'hash of the key in upper case',
      'hashed with SHA-256',
      {},
      sha256(sharedKey).toUpperCase(),
    ),
    row('hash of the partnerKey', 'the partnerKey, hashed with SHA-256', {}, sha256(partnerKey)),
    row('both keys', 'used together as the key', {}, `${sharedKey}:${partnerKey}`),
    ...[
      ['the username', 'the username was also signed', [0, 'name', 1, 2, 3, 4]],
      ['the username last', 'the username was also signed', [0, 1, 2, 3, 4, 'name']],
      ['hash first', 'the lines were signed in another order', [4, 0, 1, 2, 3]],
      ['time before the path', 'the lines were signed in another order', [2, 0, 1, 4]],
      ['hash and empty line', 'the lines were signed in another order', [0, 4, 1, 2, 3]],
    ].map(([name, explanation, order]) =>
      custom(String(name), String(explanation), (text) => {
        const lines = text.split('\n');
        const signed = [order ?? []].flat().map((at) => lines[Number(at)] ?? partnerId);
        return hmac(sharedKey, signed.join('\n')).toString('hex');
      }),
    ),
    custom('empty lines', 'an empty line was signed after every line', (text) =>
      hmac(sharedKey, text.split('\n').filter(Boolean).join('\n\n')).toString('hex'),
    ),
    custom('the body alone', 'only the body was signed', () =>
      hmac(sharedKey, body).toString('hex'),
    ),
    custom('string percent-encoded', 'the string to hash was percent-encoded', (text) =>
      hmac(sharedKey, encodeURIComponent(text)).toString('hex'),
    ),
    custom('string in base64', 'the string to hash was signed in base64', (text) =>
      hmac(sharedKey, Buffer.from(text).toString('base64')).toString('hex'),
    ),
    custom('response in base64', 'the response is in base64: expected 64 hex digits', (text) =>
      hmac(sharedKey, text).toString('base64'),
    ),
    custom('response in base64url', 'the response is in base64: expected 64 hex digits', (text) =>
      hmac(sharedKey, text).toString('base64url'),
    ),
    custom('base64 of hex', 'the response is the base64 of its hex', (text) =>
      Buffer.from(hmac(sharedKey, text).toString('hex')).toString('base64'),
    ),
    custom('response with hyphens', 'the response has more than hex digits', (text) =>
      (hmac(sharedKey, text).toString('hex').match(/../g) ?? []).join('-'),
    ),
    custom('response cut', 'the response is truncated', (text) =>
      hmac(sharedKey, text).toString('hex').slice(0, 32),
    ),
    custom('another key', 'the response is wrong, and no common mistake explains it', (text) =>
      hmac('nobody', text).toString('hex'),
    ),
    {
      name: 'two mistakes',
      explanation: 'the body was trimmed before it was hashed; the path was signed without /api',
      authorization: row('', '', {
        target: target.replace('/api', ''),
        hash: sha256(trimmed),
      }).authorization,
    },
    ...[
      ['local time', 7200, 'local time in place of UTC'],
      ['a day ago', 86_400, ' s old: at most 900 are accepted'],
    ].map(([name, age, explanation]) => {
      const used = nonce();
      const then = now - Number(age);
      const response = hmac(sharedKey, message(used, {timestamp: then})).toString('hex');
      return {
        name: String(name),
        explanation: String(explanation),
        authorization: header(used, response, then),
      };
    }),
  ];
}

function wrongHeaders({partnerId, now}: Terms): readonly WrongSignature[] {
  const good = `Hmac username="${partnerId}", nonce="n", timestamp=${now}, response="${'0'.repeat(64)}"`;
  const rows: readonly (readonly [string, string, string])[] = [
    ['no scheme', good.slice(5), 'the scheme is missing'],
    ['colon after the scheme', good.replace('Hmac', 'Hmac:'), 'unexpected colon after the scheme'],
    [
      'another scheme',
      good.replace('Hmac', 'HMAC-SHA256'),
      'scheme: expected Basic, Digest, Hmac or Rsa',
    ],
    ['semicolons', good.replaceAll(',', ';'), 'expected commas between the properties'],
    ['no commas', good.replaceAll(',', ''), 'expected commas between the properties'],
    ['colons', good.replaceAll('="', ':"'), 'expected = between name and value'],
    ['signature', good.replace('response', 'signature'), 'found signature'],
    ['no quotes', good.replace(`"${partnerId}"`, partnerId), 'username: expected double quotes'],
    ['no timestamp', good.replace(`timestamp=${now}, `, ''), 'timestamp is missing'],
    ['a date', good.replace(`=${now}`, '="2026-11-22T10:00:00Z"'), 'timestamp: expected a Unix'],
    ['nonce twice', `${good}, nonce="n"`, 'nonce: expected once, found twice'],
    [
      'username in lower case',
      good.replace(partnerId, partnerId.toLowerCase()),
      'unknown username: the partnerId is in upper case',
    ],
    ['unknown username', good.replace(partnerId, 'nobody-1'), 'paylens has no key of this partner'],
    ['JSON', '{"username": "DEMO"}', 'found JSON'],
  ];
  return rows.map(([name, authorization, explanation]) => ({name, authorization, explanation}));
}

function wrongRsas({partnerId, target, body, now}: Terms): readonly WrongSignature[] {
  const nonce = () => `rsa-${process.pid}-${drawn++}`;
  const row = (
    name: string,
    explanation: string,
    make: (text: Buffer) => Buffer | string,
    path = target,
  ): WrongSignature => {
    const used = nonce();
    const text = Buffer.from(`POST ${path}\n${used}\n${now}\n\n${sha256(body)}`);
    const made = make(text);
    const response = typeof made === 'string' ? made : made.toString('hex');
    const authorization = `Rsa username="${partnerId}", nonce="${used}", timestamp=${now}, response="${response}"`;
    return {name, explanation, authorization};
  };
  const key = PRIVATE_KEY;
  return [
    row('RSA with PSS', 'it was signed with PSS padding', (text) =>
      sign('sha256', text, {key, padding: constants.RSA_PKCS1_PSS_PADDING}),
    ),
    row('RSA with SHA-1', 'it was signed with SHA-1 instead of SHA-256', (text) =>
      sign('sha1', text, key),
    ),
    row('RSA with SHA-512', 'it was signed with SHA-512 instead of SHA-256', (text) =>
      sign('sha512', text, key),
    ),
    row('RSA over the hash', 'the string to hash was hashed before it was signed', (text) =>
      sign('sha256', digest(text), key),
    ),
    row('RSA of the bare hash', 'signed without the name of its algorithm', (text) =>
      privateEncrypt({key, padding: constants.RSA_PKCS1_PADDING}, digest(text)),
    ),
    row('RSA in reverse', 'the bytes of the signature are in reverse order', (text) =>
      sign('sha256', text, key).reverse(),
    ),
    row(
      'RSA of another path',
      'the path was signed without /api',
      (text) => sign('sha256', text, key),
      target.slice(4),
    ),
    row('RSA with another key', 'not made with the private key', () => Buffer.alloc(256, 7)),
    row('an HMAC as RSA', 'whose scheme is Hmac, not Rsa', (text) => hmac('k', text.toString())),
  ];
}

function wrongOthers(terms: Terms): readonly WrongSignature[] {
  const {partnerId, partnerKey, sharedKey, target} = terms;
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  const pair = `${partnerId}:${partnerKey}`;
  const digested = (
    verb: string,
    key: string,
    changes: (header: string) => string = (it) => it,
  ) => {
    const nonce = `own-${drawn++}`;
    const ha1 = md5(`${partnerId}:Users:${key}`);
    const response = md5(`${ha1}:${nonce}:${md5(`${verb}:${target}`)}`);
    return changes(
      `Digest username="${partnerId}", realm="Users", nonce="${nonce}", uri="${target}", response="${response}"`,
    );
  };
  const rows: readonly (readonly [string, string, string])[] = [
    ['Basic without base64', `Basic ${pair}`, 'not encoded in base64'],
    ['Basic twice', basic(Buffer.from(pair).toString('base64')), 'the token is base64 twice'],
    ['Basic with a line feed', basic(`${pair}\n`), 'a line feed was encoded'],
    ['Basic without padding', basic(pair).replace(/=+$/, ''), 'with its padding'],
    ['Basic exchanged', basic(`${partnerKey}:${partnerId}`), "in each other's place"],
    [
      'Basic of the shared key',
      basic(`${partnerId}:${sharedKey}`),
      'the shared key was used instead',
    ],
    ['Basic in upper case', basic(`${partnerId}:${partnerKey.toUpperCase()}`), 'in upper case'],
    ['Digest of the shared key', digested('POST', sharedKey), 'the shared key was used instead'],
    ['Digest of GET', digested('GET', partnerKey), 'GET was hashed instead of POST'],
    [
      'Digest of another realm',
      digested('POST', partnerKey, (header) => header.replace('"Users"', '"users"')),
      'realm: expected "Users"',
    ],
    [
      'Digest of another uri',
      digested('POST', partnerKey, (header) => header.replace(`uri="${target}"`, 'uri="/"')),
      'its uri is not the target of the request',
    ],
  ];
  return rows.map(([name, authorization, explanation]) => ({name, authorization, explanation}));
}

function hmac(key: string | Buffer, text: string | Buffer): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function digest(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest();
}

function sha256(text: string): string {
  return digest(text).toString('hex');
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
