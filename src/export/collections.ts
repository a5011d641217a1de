import {OPERATIONS, type Operation, pathOf} from '../contract/operation.js';
import {word} from './copy-forms.js';

/** How the text of a shared key is read. */
export type KeyEncoding = 'utf8' | 'hex' | 'base64';

/** What a collection sends, and to whom. It never holds a key. */
export interface CollectionTerms {
  readonly baseUrl: string;
  readonly partnerId: string;
  readonly encoding: KeyEncoding;
  /** A body of each operation: one line of JSON in ASCII. */
  readonly bodies: Readonly<Record<Operation, string>>;
}

/** Collections of the three operations that sign each request by HMAC as they send it. */
export const COLLECTIONS = {
  postman: postmanCollection,
  http: httpFile,
  curl: shellScript,
  python: pythonProgram,
} as const satisfies Readonly<Record<string, (terms: CollectionTerms) => string>>;

type Requests = readonly {
  readonly name: Operation;
  readonly path: string;
  readonly body: string;
}[];

function requestsOf({bodies}: CollectionTerms): Requests {
  return OPERATIONS.map((name) => ({name, path: pathOf(name), body: bodies[name]}));
}

const CRYPTO_JS = {utf8: 'Utf8', hex: 'Hex', base64: 'Base64'} as const;

/**
 * In a function of its own nothing of the sandbox is declared twice. Variables are replaced before the
 * body is signed: `{{$guid}}` changes each time.
 */
function postmanScript(encoding: KeyEncoding): string {
  return `(function () {
  const CryptoJS = require('crypto-js');
  const uuid = require('uuid');
  const text = pm.variables.get('sharedKey');
  if (!text) throw new Error('Set the variable sharedKey.');
  const key = CryptoJS.enc.${CRYPTO_JS[encoding]}.parse(text);
  const body = pm.variables.replaceIn(pm.request.body.raw);
  pm.request.body.update({mode: 'raw', raw: body});
  const url = new (require('postman-collection').Url)(pm.variables.replaceIn(pm.request.url.toString()));
  const nonce = uuid.v4();
  const timestamp = Math.floor(Date.now() / 1000);
  const hash = CryptoJS.SHA256(body).toString();
  const signed = ['POST ' + url.getPathWithQuery(), nonce, timestamp, '', hash].join('\\n');
  const response = CryptoJS.HmacSHA256(signed, key).toString();
  pm.request.headers.upsert({
    key: 'Authorization',
    value: 'Hmac username="' + pm.variables.get('partnerId') + '", nonce="' + nonce + '", timestamp=' + timestamp + ', response="' + response + '"',
  });
})();`;
}

/** A collection of Postman, 2.1, whose sandbox has CryptoJS. */
function postmanCollection(terms: CollectionTerms): string {
  const {baseUrl, partnerId, encoding} = terms;
  const test = `pm.test('success is true', function () {
  pm.expect(pm.response.json().success).to.equal(true);
});`;
  const event = (listen: string, exec: string) => ({
    listen,
    script: {type: 'text/javascript', exec: exec.split('\n')},
  });
  const item = requestsOf(terms).map(({name, path, body}) => ({
    name,
    event: [event('test', test)],
    request: {
      method: 'POST',
      header: [{key: 'Content-Type', value: 'application/json'}],
      body: {mode: 'raw', raw: body},
      url: `{{baseUrl}}${path}`,
    },
  }));
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  const variable = [
    {key: 'baseUrl', value: baseUrl},
    {key: 'partnerId', value: partnerId},
    {key: 'sharedKey', value: '', type: 'secret'},
  ];
  const info = {name: 'Payload Parser', schema};
  return JSON.stringify(
    {info, event: [event('prerequest', postmanScript(encoding))], item, variable},
    null,
    2,
  );
}

/** Requests for httpYac, whose scripts sign them; the body is what was signed, without a line end. */
function httpFile(terms: CollectionTerms): string {
  const {baseUrl, partnerId, encoding} = terms;
  const requests = requestsOf(terms).map(
    ({name, path, body}) => `### ${name}
{{
  const {createHash, createHmac, randomUUID} = require('crypto');
  if (!process.env.SHARED_KEY) throw new Error('Set the variable SHARED_KEY of the environment.');
  const nonce = randomUUID();
  const timestamp = Math.floor(Date.now() / 1000);
  const hash = createHash('sha256').update(${JSON.stringify(body)}).digest('hex');
  const target = new URL(baseUrl).pathname.replace(/\\/$/, '') + '${path}';
  const signed = ['POST ' + target, nonce, timestamp, '', hash].join('\\n');
  const key = Buffer.from(process.env.SHARED_KEY, '${encoding}');
  const response = createHmac('sha256', key).update(signed).digest('hex');
  exports.authorization = \`Hmac username="\${partnerId}", nonce="\${nonce}", timestamp=\${timestamp}, response="\${response}"\`;
}}
POST {{baseUrl}}${path}
Content-Type: application/json
Authorization: {{authorization}}

${body}
`,
  );
  return `# Only httpYac computes signatures: other editors would send these requests unsigned.
@baseUrl = ${baseUrl}
@partnerId = ${partnerId}

${requests.join('\n')}`.trimEnd();
}

const KEY_BYTES = {
  utf8: `printf %s "$SHARED_KEY" | od -An -v -tx1 | tr -d ' \\n'`,
  hex: 'printf %s "$SHARED_KEY"',
  base64: `printf %s "$SHARED_KEY" | base64 -d | od -An -v -tx1 | tr -d ' \\n'`,
} as const;

/** For POSIX shells with curl and openssl; while openssl runs, others on the machine see its key. */
function shellScript(terms: CollectionTerms): string {
  const {baseUrl, partnerId, encoding} = terms;
  const calls = requestsOf(terms).map(
    ({name, path, body}) => `# ${name}\nsend ${path} ${word(body)}`,
  );
  return `#!/bin/sh
# The key is an argument of openssl, which other users of this machine can see: use test keys.
set -eu
PARSER_URL=\${PARSER_URL:-${word(baseUrl)}}
PARTNER_ID=\${PARTNER_ID:-${word(partnerId)}}
: "\${SHARED_KEY:?set it to the shared key of the partner}"
key=$(${KEY_BYTES[encoding]})
base=$(printf %s "$PARSER_URL" | sed 's,^[a-z]*://[^/]*,,; s,/$,,')

send() {
  nonce=$(openssl rand -hex 16)
  timestamp=$(date +%s)
  hash=$(printf %s "$2" | openssl dgst -sha256 | sed 's/.* //')
  response=$(printf 'POST %s\\n%s\\n%s\\n\\n%s' "$base$1" "$nonce" "$timestamp" "$hash" |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" | sed 's/.* //')
  printf %s "$2" | curl -sS "\${PARSER_URL%/}$1" \\
    -H 'Content-Type: application/json' \\
    -H "Authorization: Hmac username=\\"$PARTNER_ID\\", nonce=\\"$nonce\\", timestamp=$timestamp, response=\\"$response\\"" \\
    --data-binary @-
  echo
}

${calls.join('\n')}`;
}

const PYTHON_KEYS = {
  utf8: 'os.environ["SHARED_KEY"].encode()',
  hex: 'bytes.fromhex(os.environ["SHARED_KEY"])',
  base64: 'base64.b64decode(os.environ["SHARED_KEY"])',
} as const;

const PYTHON_SEND = `def send(path, text):
    body = text.encode()
    nonce, timestamp = str(uuid.uuid4()), str(int(time.time()))
    target = urllib.parse.urlsplit(PARSER_URL).path + path
    content = hashlib.sha256(body).hexdigest()
    signed = "\\n".join(["POST " + target, nonce, timestamp, "", content])
    response = hmac.new(KEY, signed.encode(), hashlib.sha256).hexdigest()
    authorization = f'Hmac username="{PARTNER_ID}", nonce="{nonce}", timestamp={timestamp}, response="{response}"'
    headers = {"Content-Type": "application/json", "Authorization": authorization}
    request = urllib.request.Request(PARSER_URL + path, body, headers, method="POST")
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        answer = error
    print(answer.read().decode())`;

/** For Python 3 alone. */
function pythonProgram(terms: CollectionTerms): string {
  const {baseUrl, partnerId, encoding} = terms;
  const calls = requestsOf(terms).map(
    ({name, path, body}) => `# ${name}\nsend("${path}", ${JSON.stringify(body)})`,
  );
  return `import base64
import hashlib
import hmac
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

PARSER_URL = os.environ.get("PARSER_URL", ${JSON.stringify(baseUrl)}).rstrip("/")
PARTNER_ID = os.environ.get("PARTNER_ID", ${JSON.stringify(partnerId)})
if not os.environ.get("SHARED_KEY"):
    sys.exit("SHARED_KEY: set it to the shared key of the partner")
KEY = ${PYTHON_KEYS[encoding]}


${PYTHON_SEND}


${calls.join('\n')}`;
}
