import {constants, verify} from 'node:crypto';
import {equalBytes} from '../../platform/hash.js';
import type {SignatureFields} from '../methods/hmac.js';
import type {Partner} from '../partner/partner.js';
import {decodeBase64, decodeHex} from '../partner/shared-key.js';
import type {Variant} from '../partner/signing-keys.js';
import {canonicalTarget, contentHash, type SignedRequest} from '../string-to-hash.js';
import {
  bodyVariants,
  FORMS,
  type HashParts,
  targetVariants,
  timestampVariants,
} from './signing-mistakes.js';

/** A signed request and whose signature it should be. */
export interface SuspectRequest extends SignedRequest {
  readonly scheme: 'hmac' | 'rsa';
  readonly fields: SignatureFields;
  /** The Host header. */
  readonly host?: string | undefined;
}

/** Whether a response was computed over a message. */
type Proof = (message: string) => boolean;

/**
 * The usual mistakes under which the response of a request is right: none when it is right as it
 * is, at most two, the likeliest first. Undefined when no usual mistake explains it. The correct
 * response is never returned.
 */
export function findMistakes(
  suspect: SuspectRequest,
  partner: Partner,
): readonly string[] | undefined {
  const steps = stepsOf(suspect, proofsOf(suspect, partner));
  for (const choice of choices(steps)) {
    if (isRight(suspect, steps, choice)) {
      return STEPS.flatMap((step) => steps[step][choice[step] ?? 0]?.mistake ?? []);
    }
  }
  return undefined;
}

const STEPS = ['body', 'target', 'timestamp', 'form', 'proof'] as const;

interface Steps {
  readonly body: readonly Variant<Uint8Array>[];
  readonly target: readonly Variant<string>[];
  readonly timestamp: readonly Variant<string>[];
  readonly form: readonly Variant<(parts: HashParts) => string>[];
  readonly proof: readonly Variant<Proof>[];
}

/** The variant to use at a step; the correct one by default. */
type Choice = {readonly [step in (typeof STEPS)[number]]?: number};

function stepsOf({body, target, host, fields}: SuspectRequest, proof: Variant<Proof>[]): Steps {
  return {
    body: distinct(bodyVariants(body), (bytes) => Buffer.from(bytes).toString('latin1')),
    target: distinct(targetVariants(canonicalTarget(target), host), (text) => text),
    timestamp: distinct(timestampVariants(fields.timestamp), (text) => text),
    form: FORMS,
    proof,
  };
}

// A variant that makes no difference here would be blamed for nothing.
function distinct<T>(variants: readonly Variant<T>[], key: (value: T) => string): Variant<T>[] {
  const seen = new Set<string>();
  return variants.filter(({value}) => {
    const fresh = !seen.has(key(value));
    seen.add(key(value));
    return fresh;
  });
}

/** None wrong, then one, then two. */
function* choices(steps: Steps): Generator<Choice> {
  const single = STEPS.flatMap((step) =>
    steps[step].slice(1).map((_, index) => ({step, choice: {[step]: index + 1}})),
  );
  yield {};
  for (const {choice} of single) yield choice;
  for (const one of single) {
    for (const other of single) {
      if (one.step < other.step) yield {...one.choice, ...other.choice};
    }
  }
}

function isRight({method, fields}: SuspectRequest, steps: Steps, choice: Choice): boolean {
  const body = steps.body[choice.body ?? 0]?.value;
  const target = steps.target[choice.target ?? 0]?.value;
  const timestamp = steps.timestamp[choice.timestamp ?? 0]?.value;
  const form = steps.form[choice.form ?? 0]?.value;
  const proof = steps.proof[choice.proof ?? 0]?.value;
  if (!body || target === undefined || timestamp === undefined || !form || !proof) return false;
  const hash = contentHash(body);
  return proof(form({method, target, nonce: fields.nonce, timestamp, hash}));
}

function proofsOf({scheme, fields}: SuspectRequest, partner: Partner): Variant<Proof>[] {
  const response = decodeHex(fields.response) ?? decodeBase64(fields.response);
  if (!response) return [];
  return scheme === 'hmac' ? hmacProofs(response, partner) : rsaProofs(response, partner);
}

function hmacProofs(response: Uint8Array, partner: Partner): Variant<Proof>[] {
  return partner.signingKeys().map(({mistake, value}) => ({
    ...(mistake !== undefined && {mistake}),
    value: (message) => equalBytes(value.sign(message), response),
  }));
}

function rsaProofs(response: Uint8Array, {rsaKey}: Partner): Variant<Proof>[] {
  if (!rsaKey) return [];
  const proof =
    (hash: string, padding: number): Proof =>
    (message) =>
      verify(hash, Buffer.from(message, 'latin1'), {key: rsaKey.key, padding}, response);
  const {RSA_PKCS1_PADDING: pkcs1, RSA_PKCS1_PSS_PADDING: pss} = constants;
  return [
    {value: proof('sha256', pkcs1)},
    {
      mistake: 'it was signed with PSS padding instead of PKCS #1 v1.5',
      value: proof('sha256', pss),
    },
    {mistake: 'it was signed with SHA-1 instead of SHA-256', value: proof('sha1', pkcs1)},
    {mistake: 'it was signed with SHA-512 instead of SHA-256', value: proof('sha512', pkcs1)},
  ];
}
