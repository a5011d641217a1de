import {bytesFromLatin1, latin1Of} from '../../platform/bytes.js';
import type {SignatureFields} from '../methods/hmac.js';
import type {Partner} from '../partner/partner.js';
import type {Variant} from '../partner/signing-keys.js';
import {canonicalTarget, type SignedRequest} from '../string-to-hash.js';
import {bodyVariants} from './body-variants.js';
import {MACS, type Mac} from './macs.js';
import {hmacResponses, rsaResponses, type Stands} from './response-forms.js';
import {BodyHashes, FORMS, type HashParts} from './string-forms.js';
import {targetVariants} from './target-variants.js';
import {timestampVariants} from './timestamp-variants.js';

/** A signed request and whose signature it should be. */
export interface SuspectRequest extends SignedRequest {
  readonly scheme: 'hmac' | 'rsa';
  readonly fields: SignatureFields;
  /** The Host header. */
  readonly host?: string | undefined;
}

/**
 * The usual mistakes under which the response of a request is right: none when it is right as it
 * is, at most two besides one in its form, the likeliest first. Undefined when no usual mistake
 * explains it. The correct response is never returned.
 */
export function findMistakes(
  suspect: SuspectRequest,
  partner: Partner,
): readonly string[] | undefined {
  const steps = stepsOf(suspect, partner);
  const isRight = judgeOf(suspect, steps);
  for (const choice of choices(steps)) {
    if (isRight(choice)) return mistakesOf(steps, choice);
  }
  return undefined;
}

const STEPS = ['body', 'target', 'timestamp', 'form', 'key', 'mac', 'response'] as const;

type Step = (typeof STEPS)[number];

interface Steps {
  readonly body: readonly Variant<BodyHashes>[];
  readonly target: readonly Variant<string>[];
  readonly timestamp: readonly Variant<string>[];
  readonly form: readonly Variant<(parts: HashParts) => string>[];
  readonly key: readonly Variant<Uint8Array>[];
  readonly mac: readonly Variant<Mac>[];
  readonly response: readonly Variant<Stands>[];
}

/** The variant to use at each step; the correct one by default. */
type Choice = {readonly [step in Step]?: number};

function stepsOf(suspect: SuspectRequest, partner: Partner): Steps {
  const {body, target, host, fields} = suspect;
  const bodies = distinct(bodyVariants(body), latin1Of);
  return {
    body: bodies.map((variant) => ({...variant, value: new BodyHashes(variant.value)})),
    target: distinct(targetVariants(canonicalTarget(target), host), (text) => text),
    timestamp: distinct(timestampVariants(fields.timestamp), (text) => text),
    form: FORMS,
    ...signingSteps(suspect, partner),
  };
}

function signingSteps(
  {scheme, fields}: SuspectRequest,
  partner: Partner,
): Pick<Steps, 'key' | 'mac' | 'response'> {
  if (scheme === 'hmac') {
    const key = distinct(partner.signingKeys(), latin1Of);
    return {key, mac: MACS, response: hmacResponses(fields.response)};
  }
  const response = partner.rsaKey ? rsaResponses(fields.response, partner.rsaKey) : [];
  return {key: [{value: new Uint8Array()}], mac: [{value: unsigned}], response};
}

/** What an RSA signature signs is compared with the message itself. */
function unsigned(): (message: string) => Uint8Array {
  return bytesFromLatin1;
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

/** How many variants of a step, the likeliest, are looked for together with those of another. */
const PAIRED = 18;

/** None wrong, then one, then two. */
function* choices(steps: Steps): Generator<Choice> {
  yield {};
  const single = STEPS.flatMap((step) =>
    steps[step].slice(1).map((_, index) => ({step, index: index + 1})),
  );
  for (const {step, index} of single) yield {[step]: index};
  const likely = single.filter(({index}) => index <= PAIRED);
  for (const one of likely) {
    for (const other of likely) {
      if (one.step < other.step) yield {[one.step]: one.index, [other.step]: other.index};
    }
  }
}

function mistakesOf(steps: Steps, choice: Choice): readonly string[] {
  return STEPS.flatMap((step) => steps[step][choice[step] ?? 0]?.mistake ?? []);
}

/** Judges choices; what signs with a key is made once. */
function judgeOf({method, fields}: SuspectRequest, steps: Steps): (choice: Choice) => boolean {
  const signers = new Map<string, (message: string) => Uint8Array>();
  const chosen = <S extends Step>(step: S, choice: Choice) =>
    (steps[step] as readonly Variant<Steps[S][number]['value']>[])[choice[step] ?? 0]?.value;
  const signerOf = (choice: Choice) => {
    const name = `${choice.key ?? 0} ${choice.mac ?? 0}`;
    const key = chosen('key', choice);
    const signer = signers.get(name) ?? (key && chosen('mac', choice)?.(key));
    if (signer) signers.set(name, signer);
    return signer;
  };
  return (choice) => {
    const body = chosen('body', choice);
    const target = chosen('target', choice);
    const timestamp = chosen('timestamp', choice);
    const sign = signerOf(choice);
    if (!body || target === undefined || timestamp === undefined || !sign) return false;
    const {nonce, username} = fields;
    const parts = {username, method, target, nonce, timestamp, body};
    const message = chosen('form', choice)?.(parts) ?? '';
    return chosen('response', choice)?.(sign(message)) ?? false;
  };
}
