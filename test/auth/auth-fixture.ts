import {readFileSync} from 'node:fs';
import {
  type AuthContext,
  type AuthRequest,
  authenticate,
  refusalOf,
} from '../../src/auth/authenticate.js';
import {DigestNonces} from '../../src/auth/challenges.js';
import {createPartner, type Partner, type PartnerRecord} from '../../src/auth/partner/partner.js';
import type {ReplayStore} from '../../src/auth/replay-store.js';
import {MemoryReplayStore} from '../../src/auth/replay-store.js';
import {SteadyClock} from '../../src/auth/steady-clock.js';
import {AUTH_METHODS} from '../../src/contract/auth-method.js';
import {Secret} from '../../src/contract/secret.js';

interface Sourced {
  readonly name: string;
  readonly source: string;
}

export interface HmacVector extends Sourced {
  readonly target: string;
  readonly username: string;
  readonly sharedKey: string;
  readonly encoding: 'utf8' | 'hex' | 'base64';
  readonly nonce: string;
  readonly timestamp: number;
  readonly bodyHex?: string;
  readonly bodyRepeat?: [string, string, number, string];
  readonly contentHash: string;
  readonly stringToHash: string;
  readonly response: string;
  readonly authorization: string;
  readonly accepted: boolean;
  readonly now: number;
  readonly furthestAhead?: number;
}

export interface AuthVectors {
  readonly rsaKeys: Readonly<Record<string, {privateKey: string; publicKey: string}>>;
  readonly basic: readonly (Sourced & {
    userId: string;
    key: string;
    authorization: string;
    wellFormed: boolean;
  })[];
  readonly digest: readonly (Sourced & {
    algorithm: string;
    username: string;
    realm: string;
    key: string;
    method: string;
    uri: string;
    nonce: string;
    nc: string;
    cnonce: string;
    qop: string;
    bodyHex: string | null;
    ha1: string;
    ha2: string;
    response: string;
    authorization: string;
  })[];
  readonly digestPreemptive: readonly (Sourced & {
    username: string;
    key: string;
    nonce: string;
    uri: string;
    ha1: string;
    response: string;
    authorization: string;
  })[];
  readonly hmac: readonly HmacVector[];
  readonly rsa: readonly (Sourced & {
    rsaKey: string;
    target: string;
    username: string;
    nonce: string;
    timestamp: number;
    bodyHex: string;
    stringToHash: string;
    response: string;
    authorization: string;
  })[];
  readonly refused: readonly (Sourced & {
    target: string;
    bodyHex: string;
    authorization: string;
    why: string;
  })[];
  readonly hmacPrimitive: readonly (Sourced & {keyHex: string; messageHex: string; hmac: string})[];
}

export const VECTORS: AuthVectors = JSON.parse(
  readFileSync(new URL('../vectors/auth-vectors.json', import.meta.url), 'utf8'),
);

export const PARTNER_KEY = 'ef1ad938150fb15a1384b883a104ce70';
export const SHARED_KEY = '5d1f0c2b7a9e4f6388c1d2e3f4a5b6c7';
/** Seconds: the time of the vectors. */
export const NOW = 1_489_574_949;
export const TARGET = '/api/v1/decrypt/parser';

export function secret(text: string): Secret {
  return new Secret(new TextEncoder().encode(text));
}

/** A partner with every key and method, except as given in `record`. */
export function testPartner(record: Partial<PartnerRecord> = {}): Partner {
  return createPartner({
    partnerId: 'WATERFORD',
    partnerKey: secret(PARTNER_KEY),
    sharedKey: secret(SHARED_KEY),
    rsaPublicKey: VECTORS.rsaKeys['test-rsa-2048']?.publicKey,
    methods: AUTH_METHODS,
    ...record,
  });
}

interface TestServer {
  readonly context: AuthContext;
  /** Sets the time in seconds since 1970, fractions allowed. */
  setTime(seconds: number): void;
  /** `accepted`, or the reason for rejection. */
  answer(request: Partial<AuthRequest>): Promise<string>;
}

/** Everything that `authenticate` needs, with a clock set by the test. */
export function testServer(
  partners: readonly Partner[] = [testPartner()],
  options: {replay?: ReplayStore; capacity?: number; now?: number} = {},
): TestServer {
  let time = options.now ?? NOW;
  const known = new Map(partners.map((partner) => [partner.partnerId, partner]));
  const clock = new SteadyClock(
    () => time * 1000,
    () => time * 1000,
  );
  let drawn = 0;
  const context = {
    partners: (id: string) => known.get(id),
    now: clock.now,
    digestNonces: new DigestNonces(Buffer.from('test secret'), (size) =>
      Buffer.alloc(size, drawn++),
    ),
    replay:
      options.replay ??
      new MemoryReplayStore({
        elapsed: clock.elapsed,
        ...(options.capacity !== undefined && {capacity: options.capacity}),
      }),
  };
  return {
    context,
    setTime: (seconds) => {
      time = seconds;
    },
    answer: (request) => answerOf(request, context),
  };
}

/** The bytes of a vector's body. */
export function bodyOf(vector: {
  bodyHex?: string | null;
  bodyRepeat?: readonly [string, string, number, string];
}): Buffer {
  if (!vector.bodyRepeat) return Buffer.from(vector.bodyHex ?? '', 'hex');
  const [before, text, count, after] = vector.bodyRepeat;
  return Buffer.from(before + text.repeat(count) + after);
}

async function answerOf(request: Partial<AuthRequest>, context: AuthContext): Promise<string> {
  const whole = {
    method: 'POST',
    target: TARGET,
    body: Buffer.alloc(0),
    authorization: [],
    ...request,
  };
  try {
    await authenticate(whole, context);
    return 'accepted';
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return refusal.stale ? 'stale' : refusal.reason;
  }
}
