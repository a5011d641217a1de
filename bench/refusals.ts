import {generateKeyPairSync, type KeyObject, randomBytes, randomInt} from 'node:crypto';
import {type AuthContext, authenticate} from '../src/auth/authenticate.js';
import {DigestNonces} from '../src/auth/challenges.js';
import {signBasic} from '../src/auth/methods/basic.js';
import {signDigest} from '../src/auth/methods/digest.js';
import {signDigestPreemptive} from '../src/auth/methods/digest-preemptive.js';
import {signatureHeader, signHmac} from '../src/auth/methods/hmac.js';
import {DigestKey} from '../src/auth/partner/digest-key.js';
import {HmacKey} from '../src/auth/partner/hmac-key.js';
import {createPartner} from '../src/auth/partner/partner.js';
import {AUTH_METHODS, type AuthMethod} from '../src/contract/auth-method.js';
import {Secret} from '../src/contract/secret.js';
import {aucOf} from './mann-whitney.js';
import {median} from './measure.js';

/**
 * Partners that are rejected: each must take as long as a partner with a wrong key, or the time
 * reveals who exists. All names have the same length as that partner's.
 */
const PARTNERS: Readonly<Record<string, string>> = {
  unknown: 'NOBODY1',
  'method off': 'CLOSED1',
  'other key length': 'OTHER_1',
};
const LENGTHS = [256, 384, 512] as const;
const EACH = 5_000;
const WARM_UP = 500;
/** Limits of what a single response may reveal. */
const [LEAST, MOST] = [0.45, 0.55];
const NOW = 1_900_000_000_000;
const REQUEST = {method: 'POST', target: '/api/v1/decrypt/parser', body: Buffer.alloc(1024, 0x20)};
const WRONG = Buffer.from('a key that nobody has');

type Request = Parameters<typeof authenticate>[0];
type PublicKeys = Readonly<Record<number, KeyObject>>;

/**
 * Prints how well the response time distinguishes a partner from a stranger, by method and reason:
 * the Mann-Whitney AUC of 5,000 rejections each, in shuffled order. This is a measurement, not a
 * promise: the tests count the cryptographic operations instead.
 */
export async function benchRefusals(): Promise<[]> {
  const keys: PublicKeys = Object.fromEntries(
    LENGTHS.map((bytes) => [
      bytes,
      generateKeyPairSync('rsa', {modulusLength: 8 * bytes}).publicKey,
    ]),
  );
  const context = contextOf(keys);
  console.log(`\nrefusals: us with a wrong key, then the AUC of others beside it (${EACH} each)`);
  console.log(`  ${['', 'wrong key', ...Object.keys(PARTNERS)].map(cell).join('')}`);
  for (const method of AUTH_METHODS.filter((name) => name !== 'rsa')) {
    await compare(method, 'RSA-256', (id) => requestOf(method, id, context), context);
  }
  for (const bytes of LENGTHS) {
    for (const [name, signature] of Object.entries(signaturesOf(bytes, keys))) {
      await compare(`rsa ${8 * bytes} ${name}`, `RSA-${bytes}`, rsaBy(signature), context);
    }
  }
  return [];
}

function cell(text: string, column: number): string {
  return column === 0 ? text.padEnd(20) : text.padStart(18);
}

function contextOf(keys: PublicKeys): AuthContext {
  const key = new Secret(Buffer.from('the key'));
  const partner = (partnerId: string, rsa: KeyObject | undefined, methods: readonly AuthMethod[]) =>
    createPartner({
      partnerId,
      partnerKey: key,
      sharedKey: key,
      rsaPublicKey: rsa?.export({type: 'spki', format: 'pem'}).toString(),
      methods,
    });
  const {publicKey: other} = generateKeyPairSync('rsa', {modulusLength: 2560});
  const partners = [
    ...LENGTHS.map((bytes) => partner(`RSA-${bytes}`, keys[bytes], AUTH_METHODS)),
    partner('OTHER_1', other, AUTH_METHODS),
    partner('CLOSED1', undefined, []),
  ];
  const known = new Map(partners.map((each) => [each.partnerId, each]));
  return {
    partners: (id) => known.get(id),
    now: () => NOW,
    digestNonces: new DigestNonces(WRONG, (size) => Buffer.alloc(size)),
    replay: {claim: async () => 'fresh'},
  };
}

/** Signatures of the same length: OpenSSL does no work for one that is not below the modulus. */
function signaturesOf(bytes: number, keys: PublicKeys): Readonly<Record<string, Buffer>> {
  const modulus = Buffer.from(keys[bytes]?.export({format: 'jwk'}).n ?? '', 'base64url');
  const below = randomBytes(bytes);
  below[0] = 0x01;
  return {below, 'at the modulus': modulus, above: Buffer.alloc(bytes, 0xff)};
}

function rsaBy(signature: Buffer): (partnerId: string) => Request {
  return (partnerId) => {
    const signer = {partnerId, nonce: 'n', timestamp: NOW / 1000};
    const authorization = [signatureHeader('Rsa', signer, signature.toString('hex'))];
    return {...REQUEST, authorization};
  };
}

/** A request of `partnerId` that is valid except for its key. */
function requestOf(
  method: Exclude<AuthMethod, 'rsa'>,
  partnerId: string,
  {digestNonces}: AuthContext,
): Request {
  const signer = {partnerId, nonce: 'n', timestamp: NOW / 1000};
  const digestKey = new DigestKey(partnerId, WRONG);
  const nonce = digestNonces.issue(NOW);
  const answer = {username: partnerId, nonce, algorithm: 'SHA-256', cnonce: 'c', count: 1} as const;
  const headers: Readonly<Record<typeof method, () => string[]>> = {
    transparent: () => [],
    basic: () => [signBasic(partnerId, 'wrong')],
    digest: () => [signDigest(REQUEST, answer, digestKey)],
    'digest-preemptive': () => [signDigestPreemptive(REQUEST, signer, digestKey)],
    hmac: () => [signHmac(REQUEST, signer, new HmacKey(WRONG))],
  };
  const credentials = method === 'transparent' ? {partnerId, partnerKey: 'wrong'} : undefined;
  return {...REQUEST, authorization: headers[method](), credentials};
}

async function compare(
  name: string,
  known: string,
  requestBy: (partnerId: string) => Request,
  context: AuthContext,
): Promise<void> {
  const [wrongKey = [], ...others] = await timesOf(
    [known, ...Object.values(PARTNERS)].map(requestBy),
    context,
  );
  const aucs = others.map((times) => aucOf(wrongKey, times));
  const shown = aucs.map((auc) => `${auc.toFixed(3)}${auc < LEAST || auc > MOST ? ' !' : ''}`);
  console.log(`  ${[name, (median(wrongKey) / 1000).toFixed(1), ...shown].map(cell).join('')}`);
}

/** The times of each request in ns, in shuffled order, so that slow moments affect all alike. */
async function timesOf(requests: readonly Request[], context: AuthContext): Promise<number[][]> {
  const times: number[][] = requests.map(() => []);
  const order = requests.map((_, i) => i);
  for (let round = 0; round < WARM_UP + EACH; round++) {
    for (const i of shuffled(order)) {
      const took = await nanoseconds(requests[i] as Request, context);
      if (round >= WARM_UP) times[i]?.push(took);
    }
  }
  return times;
}

function shuffled(order: readonly number[]): number[] {
  const mixed = [...order];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [mixed[i], mixed[j]] = [mixed[j] as number, mixed[i] as number];
  }
  return mixed;
}

async function nanoseconds(request: Request, context: AuthContext): Promise<number> {
  const begin = process.hrtime.bigint();
  const outcome = await authenticate(request, context).catch(() => undefined);
  const took = Number(process.hrtime.bigint() - begin);
  if (outcome) throw new Error('a wrong request was accepted');
  return took;
}
