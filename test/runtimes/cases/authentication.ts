import {authenticate, refusalOf} from '../../../src/auth/authenticate.js';
import {DigestNonces} from '../../../src/auth/challenges.js';
import {explainSignature} from '../../../src/auth/explain/explain-signature.js';
import {createPartner, type PartnerRecord} from '../../../src/auth/partner/partner.js';
import {decodeBase64, decodeHex} from '../../../src/auth/partner/shared-key.js';
import {MemoryReplayStore} from '../../../src/auth/replay-store.js';
import {signRequest} from '../../../src/client/sign-request.js';
import {AUTH_METHODS, type HeaderMethod} from '../../../src/contract/auth-method.js';
import {Secret} from '../../../src/contract/secret.js';
import {bytesFromUtf8, bytesOfHex, hexOf} from '../../../src/platform/bytes.js';
import {hmac} from '../../../src/platform/hash.js';
import type {AuthVectors} from '../../auth/auth-fixture.js';
import JSON_VECTORS from '../../vectors/auth-vectors.json' with {type: 'json'};
import type {Case} from './case.js';

const VECTORS = JSON_VECTORS as unknown as AuthVectors;
const NOW = 1_489_574_949;
const TARGET = '/api/v1/decrypt/parser';
const [RSA] = Object.values(VECTORS.rsaKeys);
const KEYS = {
  partnerKey: secret('ef1ad938150fb15a1384b883a104ce70'),
  sharedKey: secret('5d1f0c2b7a9e4f6388c1d2e3f4a5b6c7'),
};

/** Each vector of authentication as a server answers it, and why it refuses it. */
export function authenticationCases(): Case[] {
  return [
    ...VECTORS.hmac.map((vector, i) =>
      judged(i, vector, {
        ...{partnerId: vector.username, sharedKey: secret(vector.sharedKey)},
        encoding: vector.encoding,
      }),
    ),
    ...VECTORS.rsa.map((vector, i) =>
      judged(i, vector, {rsaPublicKey: VECTORS.rsaKeys[vector.rsaKey]?.publicKey}),
    ),
    ...VECTORS.basic.map(({userId, key, ...vector}, i) =>
      judged(i, vector, {partnerId: userId, ...(key === '' ? {} : {partnerKey: secret(key)})}),
    ),
    ...VECTORS.digest.map(({uri, ...vector}, i) => judged(i, {...vector, target: uri}, {})),
    ...VECTORS.digestPreemptive.map(({uri, ...vector}, i) =>
      judged(i, {...vector, target: uri}, {}),
    ),
    ...VECTORS.refused.map((vector, i) => judged(i, vector, {})),
  ];
}

/** The signature of each method, its check, and the published HMACs. */
export function signingCases(): Case[] {
  return [
    ...VECTORS.hmacPrimitive.map(({name, keyHex, messageHex, hmac: published}) => ({
      name,
      answer: () => hexOf(hmac('sha256', bytesOfHex(keyHex), bytesOfHex(messageHex))),
      published,
    })),
    ...VECTORS.rsa.map((vector) => ({
      name: `${vector.name} signed`,
      answer: async () => {
        const header = await signed('rsa', vector, VECTORS.rsaKeys[vector.rsaKey]?.privateKey);
        return /response="(\w+)"$/.exec(header)?.[1];
      },
      published: hexOf(decodeHex(vector.response) ?? decodeBase64(vector.response) ?? NONE),
    })),
    ...(['hmac', 'basic', 'digest', 'digest-preemptive'] as const).map((method) => ({
      name: `${method} signed`,
      answer: () => signed(method, {...SIGNED, target: TARGET, bodyHex: '7b7d'}, RSA?.privateKey),
    })),
  ];
}

const NONE = new Uint8Array();
const SIGNED = {username: 'WATERFORD', nonce: 'a-nonce', timestamp: NOW};

interface Signable {
  readonly username: string;
  readonly nonce: string;
  readonly timestamp: number;
  readonly target: string;
  readonly bodyHex: string;
}

function signed(method: HeaderMethod, vector: Signable, privateKey = ''): Promise<string> {
  const {username: partnerId, nonce, timestamp, target, bodyHex} = vector;
  const challenge = {nonce: 'c', algorithm: 'SHA-256' as const, count: 1};
  return signRequest(
    {method: 'POST', target, body: bytesOfHex(bodyHex)},
    method,
    {...KEYS, partnerId, privateKey: secret(privateKey)},
    {nonce, timestamp, challenge},
  );
}

interface Judgeable {
  readonly name: string;
  readonly authorization: string;
  readonly target?: string;
  readonly method?: string;
  readonly bodyHex?: string | null;
  readonly bodyRepeat?: readonly [string, string, number, string];
  readonly now?: number;
}

/** Of each kind of vector one in this many is explained, too, which takes most of the time. */
const EXPLAINED = process.env.TEST_LONG === '1' ? 1 : 5;

function judged(index: number, vector: Judgeable, record: Partial<PartnerRecord>): Case {
  const {name, authorization, target = TARGET, method = 'POST', now = NOW} = vector;
  const body = bodyOf(vector);
  return {
    name,
    answer: async () => {
      const partner = createPartner({
        ...{partnerId: 'WATERFORD', ...KEYS, rsaPublicKey: RSA?.publicKey},
        ...{methods: AUTH_METHODS, ...record},
      });
      const partners = (id: string) => (id === partner.partnerId ? partner : undefined);
      const request = {method, target, body, authorization: [authorization]};
      const verdict = await authenticate(request, {
        partners,
        now: () => now * 1000,
        digestNonces: new DigestNonces(bytesFromUtf8('secret'), (size) => new Uint8Array(size)),
        replay: new MemoryReplayStore({elapsed: () => now * 1000}),
      }).catch(refusalOf);
      if (index % EXPLAINED !== 0) return [verdict];
      return [verdict, explainSignature({...request, authorization}, partners, now * 1000)];
    },
  };
}

function bodyOf({bodyHex, bodyRepeat}: Judgeable): Uint8Array {
  if (!bodyRepeat) return bytesOfHex(bodyHex ?? '');
  const [before, text, count, after] = bodyRepeat;
  return bytesFromUtf8(before + text.repeat(count) + after);
}

function secret(text: string): Secret {
  return new Secret(bytesFromUtf8(text));
}
