import {generateKeyPairSync, type KeyObject} from 'node:crypto';
import {type AuthContext, authenticate} from '../src/auth/authenticate.js';
import {signBasic} from '../src/auth/basic.js';
import {signDigest} from '../src/auth/digest.js';
import {DigestKey} from '../src/auth/digest-key.js';
import {DigestNonces} from '../src/auth/digest-nonces.js';
import {signDigestPreemptive} from '../src/auth/digest-preemptive.js';
import {signHmac} from '../src/auth/hmac.js';
import {HmacKey} from '../src/auth/hmac-key.js';
import {AUTH_METHODS, type AuthMethod} from '../src/auth/method.js';
import {createPartner} from '../src/auth/partner.js';
import {signRsa} from '../src/auth/rsa.js';
import {Secret} from '../src/contract/secret.js';
import {median} from './measure.js';

/** Who is refused: each must take as long as the others, or it tells which partners exist. */
const CASES = {'wrong key': 'KNOWN', 'unknown partner': 'NOBODY', 'method off': 'CLOSED'} as const;

const ROUNDS = 400;
const EACH = 50;
const NOW = 1_900_000_000_000;
const REQUEST = {method: 'POST', target: '/api/v1/decrypt/parser', body: Buffer.alloc(1024, 0x20)};
const WRONG = Buffer.from('a key that nobody has');

/**
 * Prints how long a refusal takes, by method and reason: microseconds, the median of many short
 * turns. A measurement, no promise: the tests count the cryptographic operations instead.
 */
export async function benchRefusals(): Promise<[]> {
  const {publicKey, privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
  const context = contextOf(publicKey);
  console.log('\nrefusals, us each (median of 400 turns of 50)');
  console.log(
    `  ${''.padEnd(18)}${Object.keys(CASES)
      .map((name) => name.padStart(17))
      .join('')}`,
  );
  for (const method of AUTH_METHODS) {
    const requests = Object.values(CASES).map((id) => requestOf(method, id, privateKey, context));
    const times = await microseconds(requests, context);
    console.log(`  ${method.padEnd(18)}${times.map((us) => us.toFixed(2).padStart(17)).join('')}`);
  }
  return [];
}

type Request = Parameters<typeof authenticate>[0];

function contextOf(rsaKey: KeyObject): AuthContext {
  const key = new Secret(Buffer.from('the key'));
  const rsaPublicKey = rsaKey.export({type: 'spki', format: 'pem'}).toString();
  const record = {partnerKey: key, sharedKey: key, rsaPublicKey};
  const known = new Map(
    [
      createPartner({partnerId: 'KNOWN', ...record, methods: AUTH_METHODS}),
      createPartner({partnerId: 'CLOSED', ...record, methods: []}),
    ].map((partner) => [partner.partnerId, partner]),
  );
  return {
    partners: (id) => known.get(id),
    now: () => NOW,
    digestNonces: new DigestNonces(WRONG, (size) => Buffer.alloc(size)),
    replay: {claim: async () => 'fresh'},
  };
}

/** A request of `partnerId` that is right but for its key. */
function requestOf(
  method: AuthMethod,
  partnerId: string,
  rsaKey: KeyObject,
  {digestNonces}: AuthContext,
): Request {
  const signer = {partnerId, nonce: 'n', timestamp: NOW / 1000};
  const digestKey = new DigestKey(partnerId, WRONG);
  const nonce = digestNonces.issue(NOW);
  const answer = {username: partnerId, nonce, algorithm: 'SHA-256', cnonce: 'c', count: 1} as const;
  const headers: Readonly<Record<AuthMethod, () => string[]>> = {
    transparent: () => [],
    basic: () => [signBasic(partnerId, 'wrong')],
    digest: () => [signDigest(REQUEST, answer, digestKey)],
    'digest-preemptive': () => [signDigestPreemptive(REQUEST, signer, digestKey)],
    hmac: () => [signHmac(REQUEST, signer, new HmacKey(WRONG))],
    rsa: () => [signRsa({...REQUEST, target: '/'}, signer, rsaKey)],
  };
  const credentials = method === 'transparent' ? {partnerId, partnerKey: 'wrong'} : undefined;
  return {...REQUEST, authorization: headers[method](), credentials};
}

/** The time of one refusal of each request; they take turns, so that slow moments meet them all. */
async function microseconds(requests: readonly Request[], context: AuthContext): Promise<number[]> {
  const turns: number[][] = requests.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, request] of requests.entries()) {
      const begin = performance.now();
      for (let n = 0; n < EACH; n++) await refused(request, context);
      turns[i]?.push((1000 * (performance.now() - begin)) / EACH);
    }
  }
  return turns.map(median);
}

async function refused(request: Request, context: AuthContext): Promise<void> {
  const outcome = await authenticate(request, context).catch(() => undefined);
  if (outcome) throw new Error('a wrong request was accepted');
}
