import {createPrivateKey} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import {parseAuthorization, quote} from '../../../src/auth/authorization-header.js';
import {headerFault} from '../../../src/auth/explain/header-fault.js';
import {signBasic} from '../../../src/auth/methods/basic.js';
import {signDigest} from '../../../src/auth/methods/digest.js';
import {signDigestPreemptive} from '../../../src/auth/methods/digest-preemptive.js';
import {readSignature, signHmac} from '../../../src/auth/methods/hmac.js';
import {DigestKey} from '../../../src/auth/partner/digest-key.js';
import {HmacKey} from '../../../src/auth/partner/hmac-key.js';
import {chooseChallenge} from '../../../src/client/digest-challenge.js';
import {
  NOW,
  PARTNER_KEY,
  SHARED_KEY,
  TARGET,
  testServer,
  VECTORS,
} from '../../auth/auth-fixture.js';
import {rsaHeader} from '../../auth/rsa-header.js';
import {demand, type FuzzInput, type FuzzTarget, shapeOf} from '../fuzz-target.js';
import {isRight} from './independent-authorization.js';

const BODY = '{"reference":"723657e1"}';
const SERVER = testServer(undefined, {replay: {claim: async () => 'fresh'}});
const ID = 'WATERFORD';
const CHALLENGE = 'Digest realm="Users", qop="auth", algorithm=SHA-256, nonce="abc", charset=UTF-8';

/** The Authorization header of every method: header, request target, body. */
export const authorizationTarget: FuzzTarget = {
  name: 'authorization',
  tokens: ['"', '\\"', '\\', ', ', '=', 'username="', 'Hmac ', 'Basic ', 'qop=auth-int', 'é', '\0'],
  seeds: () => [
    ...signedHeaders().map(inputOf),
    ...VECTORS.refused.map(({authorization}) => inputOf(authorization)),
    inputOf(CHALLENGE),
  ],
  run: async ([authorization = '', target = TARGET, text = '']) => {
    const body = Buffer.from(text);
    const request = {method: 'POST', target, body, authorization: [authorization]};
    const answer = await SERVER.answer(request);
    demand(answer !== 'accepted' || isRight({target, body, authorization}), 'it is not right');
    demandRoundTrip(authorization);
    const fault = faultOf(authorization);
    const challenge = chooseChallenge([authorization]);
    const [scheme = 'other'] = /^(?:hmac|rsa|basic|digest)\b/i.exec(authorization) ?? [];
    const commas = Math.min(authorization.split(',').length, 12);
    return {
      features: [
        `${scheme.toLowerCase()} ${answer}`,
        shapeOf(fault ?? ''),
        `${!!challenge} ${commas}`,
      ],
      answer: JSON.stringify([answer, fault, challenge]),
    };
  },
};

function inputOf(header: string): FuzzInput {
  return [header, TARGET, BODY];
}

/** A header of each method that the server accepts. */
function signedHeaders(): string[] {
  const request = {method: 'POST', target: TARGET, body: Buffer.from(BODY)};
  const signer = {partnerId: ID, nonce: 'n-1', timestamp: NOW};
  const digestKey = new DigestKey(ID, Buffer.from(PARTNER_KEY));
  const rsaKey = createPrivateKey(VECTORS.rsaKeys['test-rsa-2048']?.privateKey ?? '');
  const nonce = SERVER.context.digestNonces.issue(1000 * NOW);
  const digest = {username: ID, nonce, cnonce: '0a4f', count: 1};
  return [
    signHmac(request, signer, new HmacKey(Buffer.from(SHARED_KEY))),
    rsaHeader(request, signer, rsaKey),
    signBasic(ID, PARTNER_KEY),
    signDigest(request, {...digest, algorithm: 'SHA-256'}, digestKey),
    signDigest(request, {...digest, algorithm: 'MD5'}, digestKey),
    signDigestPreemptive(request, signer, digestKey),
  ];
}

/** Parameters that are serialised again must parse to the same. */
function demandRoundTrip(header: string): void {
  const credentials = parseAuthorization(header);
  if (!credentials || credentials.token68 !== undefined) return;
  const {scheme, parameters} = credentials;
  const list = [...parameters].map(([name, {value}]) => `${name}=${quote(value)}`).join(', ');
  const again = parseAuthorization(`${scheme} ${list}`);
  const values = (of: typeof parameters) => [...of].map(([name, {value}]) => [name, value]);
  const same = again && isDeepStrictEqual(values(again.parameters), values(parameters));
  demand(same || `${scheme} ${list}`.length > 4096, 'the parameters read as they were written');
}

/** The explanation of a header, which is empty exactly if the header can be parsed. */
function faultOf(header: string): string | undefined {
  const credentials = parseAuthorization(header);
  const fault = headerFault(header);
  const isSignature = credentials?.scheme === 'hmac' || credentials?.scheme === 'rsa';
  const isRead = isSignature && readSignature(credentials) !== undefined;
  demand(fault !== undefined || isRead, 'a header without fault can be read');
  demand(fault === undefined || !isRead || fault.startsWith('response'), `no fault: ${fault}`);
  return fault;
}
