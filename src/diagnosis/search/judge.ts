import {PaylensError, rethrowTerminalFault} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {KeyRing, type RingKey, testKeyRing} from '../../engine/dukpt/key-ring.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {processPayload} from '../../engine/process-payload.js';
import type {Reading} from '../../engine/reading.js';
import {attempt} from '../../input/attempt.js';
import type {DiagnosisCase, GivenKey} from '../../input/case.js';
import type {Clues} from '../../input/clues.js';
import {isRecognisedByLength} from '../../input/interpretation.js';

/** How much of a payload is right: nothing, its form, its checksum, or also so many members of the response. */
export type Judgement = number;
export const REFUSED = 0;
export const DAMAGED = 1;
export const READ = 2;
export const OPENED = 3;

/** What the terminals that may have sent a payload make of it. */
export type Judge = (text: string) => Judgement;

/** A judge with the keys of a case; it refuses everything if no terminal may have sent the payload. */
export function judgeOf(given: DiagnosisCase, clues: Clues, keys: readonly GivenKey[]): Judge {
  const {payload = '', deviceType, ksn, iv} = given;
  const {interpretations, refusals, terminals} = clues;
  const readers = [
    ...refusals.map(({reader}) => reader.type),
    ...interpretations.flatMap((one) =>
      one.reader && !isRecognisedByLength(one) ? [one.reader.type] : [],
    ),
  ];
  const types = deviceType === undefined ? [...new Set(readers)] : [deviceType];
  const rings = ringsOf(keys);
  const judgedBy = (type: string, devicePayload: string) =>
    Math.max(
      ...rings.map((ring) => judgement({deviceType: type, devicePayload, ksn, iv}, ring, clues)),
    );
  const known = types.filter((type) => terminals.has(type));
  let asked: readonly string[] | undefined;
  return (text) => {
    // Where a terminal reads the payload as it is, those that do not know its form did not send it.
    asked ??= knowing(known, (type) => judgedBy(type, payload));
    return Math.max(REFUSED, ...asked.map((type) => judgedBy(type, text)));
  };
}

/** The types that know the form of a payload, if one of them reads it; otherwise all. */
function knowing<T>(types: readonly T[], judge: (type: T) => Judgement): readonly T[] {
  const judged = types.map((type) => ({type, judgement: judge(type)}));
  return judged.some(({judgement}) => judgement >= READ)
    ? judged.flatMap(({type, judgement}) => (judgement >= DAMAGED ? [type] : []))
    : types;
}

function judgement(request: AnyRequest, ring: KeyRing, {terminals}: Clues): Judgement {
  let isRead = false;
  const onReading = ({refusal}: Reading) => {
    isRead = refusal === undefined;
  };
  try {
    const {meta: _, ...members} = processPayload(request, ring, {terminals, onReading});
    return OPENED + Object.keys(members).length;
  } catch (error) {
    rethrowTerminalFault(error);
    if (!(error instanceof PaylensError)) return REFUSED;
    if (error.code >= NO_KEY) return READ;
    if (error.code === DAMAGE) return DAMAGED;
    return isRead && error.code !== NO_KSN ? READ : REFUSED;
  }
}

const DAMAGE = 2101;
const NO_KSN = 2400;
/** This error, and those with higher codes, are of payloads that were read. */
const NO_KEY = 2600;

const MAX_TRIED_KEYS = 3;

/** A ring of each key that was given, one of those of the keyfile, and one of the test keys. */
function ringsOf(keys: readonly GivenKey[]): KeyRing[] {
  const own = keys.filter(({origin, kind}) => origin !== 'published' && kind !== 'component');
  const given = own.filter(({origin}) => origin === 'given').slice(0, MAX_TRIED_KEYS);
  const stored = own.filter(({origin}) => origin === 'keyfile');
  const rings = [...given.map((one) => [one]), ...(stored.length > 0 ? [stored] : [])];
  const made = rings.flatMap((ring) => attempt(() => new KeyRing(ring.map(ringKeyOf))) ?? []);
  return [...made, testKeyRing()];
}

function ringKeyOf({kind, bytes, serves}: GivenKey): RingKey {
  const secret = new Secret(bytes);
  if (kind === 'ik') return {ksnPrefix: '', ...serves, kind, secret};
  return {...serves, kind: kind === 'working' ? kind : 'bdk', secret};
}
