import {bytesFromLatin1, latin1Of} from '../../platform/bytes.js';
import type {SignatureFields} from '../methods/hmac.js';
import type {Partner} from '../partner/partner.js';
import type {Variant} from '../partner/variant.js';
import {canonicalTarget, type SignedRequest} from '../string-to-hash.js';
import {MACS, type Mac} from './macs.js';
import {bodyVariants, targetVariants, timestampVariants} from './request-variants.js';
import {hmacResponses, type MatchesBytes, rsaResponses} from './response-forms.js';
import {BodyHashes, FORMS, type HashParts} from './string-forms.js';

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
  const choice = choiceOf(suspect, partner);
  return choice && STEPS.flatMap((step) => choice[step].mistake ?? []);
}

/** The string that was hashed or signed, one byte a character, as far as usual mistakes explain it. */
export function findSignedString(suspect: SuspectRequest, partner: Partner): string | undefined {
  const choice = choiceOf(suspect, partner);
  return choice && messageOf(suspect, choice);
}

function choiceOf(suspect: SuspectRequest, partner: Partner): Choice | undefined {
  for (const choice of choices(stepsOf(suspect, partner))) {
    const {key, mac, response} = choice;
    if (response.value(mac.value(key.value, messageOf(suspect, choice)))) return choice;
  }
  return undefined;
}

const STEPS = ['body', 'target', 'timestamp', 'form', 'key', 'mac', 'response'] as const;

type Step = (typeof STEPS)[number];

/** What each step of signing gives. */
interface StepValues {
  readonly body: BodyHashes;
  readonly target: string;
  readonly timestamp: string;
  readonly form: (parts: HashParts) => string;
  readonly key: Uint8Array;
  readonly mac: Mac;
  readonly response: MatchesBytes;
}

/** The variants of each step; the right one is first. */
type Steps = {readonly [S in Step]: readonly Variant<StepValues[S]>[]};
/** The variant of each step. */
type Choice = {readonly [S in Step]: Variant<StepValues[S]>};

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
  // What an RSA signature signs is compared with the message itself.
  const unsigned = (_: Uint8Array, message: string) => bytesFromLatin1(message);
  return {key: [{value: new Uint8Array()}], mac: [{value: unsigned}], response};
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

/** How many of the likeliest variants of a step are combined with variants of another step. */
const PAIRED = 18;

/** None wrong, then one, then two. */
function* choices(steps: Steps): Generator<Choice> {
  if (STEPS.some((step) => steps[step].length === 0)) return;
  const right = Object.fromEntries(STEPS.map((step) => [step, steps[step][0]])) as Choice;
  yield right;
  const single = STEPS.flatMap((step) =>
    steps[step].slice(1).map((variant, index) => ({step, variant, index})),
  );
  for (const {step, variant} of single) yield {...right, [step]: variant};
  const likely = single.filter(({index}) => index < PAIRED);
  for (const one of likely) {
    for (const {step, variant} of likely) {
      if (one.step < step) yield {...right, [one.step]: one.variant, [step]: variant};
    }
  }
}

function messageOf({method, fields}: SuspectRequest, choice: Choice): string {
  const {body, target, timestamp, form} = choice;
  const {username, nonce} = fields;
  const sent = {target: target.value, timestamp: timestamp.value, body: body.value};
  return form.value({username, method, nonce, ...sent});
}
