import type {ProcessPayloadResult} from '../../../src/contract/process-payload.js';
import {KNOWN_TERMINALS} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import type {Reading} from '../../../src/engine/reading.js';
import type {TestCard} from '../../../src/simulator/test-cards.js';
import {type Payload, type Shape, shapeTitle, simulatedPayloads} from '../../payloads.js';
import {answer} from '../samples.js';
import {type Mutant, mutantsOf} from './mutants.js';

/** How mutants were answered. */
export interface Tally {
  right: number;
  refused: number;
  /** Other than the card, but only in what the payload says once and in clear. */
  alone: number;
  readonly wrong: string[];
}

/** A payload and the same form with another card. */
export interface Pair {
  readonly name: string;
  readonly one: Payload;
  readonly other: Payload;
}

const KSN = 'FFFF9876543210E00051';

/** The forms of `shapes` with one card and with another. */
export function pairsOf(shapes: readonly Shape[], one: TestCard, other: TestCard): Pair[] {
  return shapes.flatMap((shape) => {
    const [first, second] = [one, other].map((card) => simulatedPayloads([shape], KSN, card)[0]);
    const name = `${shapeTitle(shape)}, ${one.id}`;
    return first && second ? [{name, one: first, other: second}] : [];
  });
}

/** Judges every mutant of a pair that `isDrawn`. */
export function judge(
  {name, one, other}: Pair,
  tally: Tally,
  isDrawn: (how: string) => boolean = () => true,
): void {
  const {request, keys} = one;
  const known = [one, other].flatMap(
    (payload) => answer(payload.request, payload.keys).response ?? [],
  );
  for (const mutant of mutantsOf(request.devicePayload, other.request.devicePayload)) {
    if (!isDrawn(`${name}: ${mutant.how}`)) continue;
    const {response} = answer({...request, devicePayload: mutant.payload}, keys);
    if (!response) tally.refused++;
    else if (known.some((whole) => isOf(whole, response, NOTHING))) tally.right++;
    else if (known.some((whole) => isOf(whole, response, saidOnce(one, mutant)))) tally.alone++;
    else tally.wrong.push(`${name}: ${mutant.how} (${mutant.payload})`);
  }
}

const TRACKS = ['track1', 'track2', 'track3', 'track2equivalent'] as const;
const MEMBERS = ['PAN', 'EXPY', 'Surname', 'FirstName', 'ServiceCode', 'CVV'] as const;
const NOTHING: ReadonlySet<string> = new Set();

/** Whether an answer, without the members `except`, is part of the answer to a whole payload. */
function isOf(
  whole: ProcessPayloadResult,
  found: ProcessPayloadResult,
  except: ReadonlySet<string>,
): boolean {
  const texts = TRACKS.map((member) => textOf(whole, member));
  if (found.track3 && texts.slice(0, 2).includes(textOf(found, 'track3'))) return false;
  const tracks = TRACKS.filter((member) => found[member] && !except.has(member));
  // A keyed entry is sent as two tracks, of which one is answered.
  if (!whole.keyed && tracks.some((member) => !texts.includes(textOf(found, member)))) return false;
  // The tracks of published swipes differ in number, date and service code: each has its own.
  const ofTracks = tracks.length > 0 ? ['PAN', 'EXPY', 'ServiceCode'] : [];
  return MEMBERS.filter((member) => !except.has(member) && !ofTracks.includes(member)).every(
    (member) => [undefined, whole.extracted[member]].includes(found.extracted[member]),
  );
}

/** A track without sentinels; the separator of packed digits is that of a track 2. */
function textOf(answer: ProcessPayloadResult, member: (typeof TRACKS)[number]): string | undefined {
  return answer[member]?.ascii.replaceAll(/^[%;+]|\?$/g, '').replace('d', '=');
}

/** The members of an answer for which a payload has one source in clear, or a track without a number. */
function saidOnce({request}: Payload, {payload}: Mutant): ReadonlySet<string> {
  const {form, clear} = readingOf(request.deviceType, payload);
  // All but the card number is in clear.
  if (form.startsWith('PAN Criptografado')) return new Set([...TRACKS, ...MEMBERS.slice(1)]);
  const members = ['track3'];
  if (clear?.name !== undefined) members.push('Surname', 'FirstName');
  if (clear?.expiry !== undefined) members.push('EXPY');
  return new Set(members);
}

function readingOf(deviceType: string, payload: string): Reading {
  return readPayload(KNOWN_TERMINALS.get(deviceType), payload, undefined, KNOWN_TERMINALS);
}
