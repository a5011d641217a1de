import {createHash} from 'node:crypto';
import {PaylensError, resultOrError} from '../../../src/contract/paylens-error.js';
import type {ProcessPayloadResult} from '../../../src/contract/process-payload.js';
import {Secret} from '../../../src/contract/secret.js';
import {KeyRing, type RingKey, testKeys} from '../../../src/engine/dukpt/key-ring.js';
import {
  KNOWN_TERMINALS,
  TERMINAL_TYPES,
  TERMINALS,
  type TerminalType,
} from '../../../src/engine/families/registry.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import type {Reading} from '../../../src/engine/reading.js';
import {Trace} from '../../../src/engine/trace.js';
import {TEST_CARDS} from '../../../src/simulator/test-cards.js';
import {demand, type FuzzInput, type FuzzTarget, shapeOf} from '../fuzz-target.js';
import {repairFrame} from '../repair-frame.js';
import {deviceSeeds, sampleKeys} from './device-seeds.js';
import {demandSilence, kindOf, patternOf, textOf} from './errors.js';
import {tokensOf} from './tokens.js';

const KEYS = ['0123456789ABCDEFFEDCBA9876543210', 'FEDCBA9876543210F1F1F1F1F1F1F1F1'];
const SECRETS = patternOf([...KEYS, ...TEST_CARDS.map(({pan}) => pan.replaceAll(' ', ''))]);

/** The reader of every terminal, and the pipeline after it. */
export const readerTargets: readonly FuzzTarget[] = TERMINAL_TYPES.map((deviceType) => ({
  name: `reader-${deviceType}`,
  tokens: tokensOf(deviceType),
  seeds: () => deviceSeeds(deviceType),
  repair: repairFrame,
  run: runnerOf(deviceType),
}));

function runnerOf(deviceType: TerminalType): FuzzTarget['run'] {
  const right = rightRing(deviceType);
  const wrong = wrongRings();
  return (input) => {
    const [devicePayload = '', ksn, iv, deviceSerial] = input;
    const request = {deviceType, devicePayload, ksn, iv, deviceSerial};
    const trace = new Trace();
    const reading = resultOrError(() =>
      readPayload(TERMINALS[deviceType], devicePayload, trace, KNOWN_TERMINALS),
    );
    demandTiles(trace, devicePayload, !(reading instanceof PaylensError));
    const answer = resultOrError(() => processPayload(request, right));
    if (reading instanceof PaylensError) demandSame(reading, answer);
    const other = isBeforeKeys(answer)
      ? answer
      : resultOrError(() => processPayload(request, choose(wrong, input)));
    demand(other instanceof PaylensError, 'a wrong key opens no card');
    for (const each of [reading, answer, other]) {
      if (each instanceof PaylensError) demandSilence(each, SECRETS);
    }
    return {
      features: [kind(answer), kind(other), ...readingFeatures(reading), ...traceFeatures(trace)],
      answer: [reading, answer, other],
    };
  };
}

/** Recording a trace must not change the result. */
function demandSame(reading: PaylensError, answer: Answer): void {
  demand(
    answer instanceof PaylensError && textOf(answer) === textOf(reading),
    'the answer is the same with a trace and without',
  );
}

/** Errors that occur before a key is needed. */
function isBeforeKeys(answer: Answer): answer is PaylensError {
  return answer instanceof PaylensError && ![2600, 2601, 2602, 2101, 2800].includes(answer.code);
}

/** The test keys for every KSN, and the keys of the samples for their KSNs. */
function rightRing(deviceType: TerminalType): KeyRing {
  const own = sampleKeys(deviceType).map(({kind, hex, ksnPrefix}): RingKey => {
    const secret = new Secret(Buffer.from(hex, 'hex'));
    return {kind, secret, ...(ksnPrefix === undefined ? {} : {ksnPrefix})};
  });
  return new KeyRing([...own, ...testKeys()]);
}

/** Keys under which nothing was encrypted. */
function wrongRings(): KeyRing[] {
  return Array.from({length: 16}, (_, i) => {
    const key = createHash('sha256').update(`wrong ${i}`).digest().subarray(0, 16);
    const keys = (['tdes', 'aes'] as const).map(
      (algorithm): RingKey => ({kind: 'bdk', algorithm, secret: new Secret(key)}),
    );
    return new KeyRing(keys);
  });
}

/** One of `rings`, always the same for an input. */
function choose(rings: readonly KeyRing[], [payload = '']: FuzzInput): KeyRing {
  let sum = payload.length;
  for (let i = 0; i < payload.length; i += 7) sum = (sum * 31 + payload.charCodeAt(i)) & 0xffff;
  const ring = rings[sum % rings.length];
  demand(ring, 'there are rings');
  return ring;
}

/** Parts must be in order, within the payload, and not overlap. */
function demandTiles(trace: Trace, payload: string, isRead: boolean): void {
  let end = 0;
  let covered = 0;
  for (const {offset, length, name} of trace.parts) {
    demand(Number.isInteger(offset) && Number.isInteger(length), `${name} stands somewhere`);
    demand(offset >= end && length >= 0, `${name} at ${offset} overlaps the part before`);
    end = offset + length;
    covered += length;
  }
  // Vertical tab and form feed are bytes of a binary payload, not blanks between hex digits.
  const compact = payload.replaceAll(/[ \t\r\n]/g, '');
  const isHex = trace.unit === 'byte' && /^[0-9a-f]+$/i.test(compact);
  const size = isHex ? Math.ceil(compact.length / 2) : payload.length;
  demand(end <= size, `the last part ends at ${end} of ${size}`);
  if (isHex && isRead) demand(covered === size, `the parts cover ${covered} bytes of ${size}`);
}

type Answer = ProcessPayloadResult | PaylensError;

function kind(answer: Answer): string {
  if (answer instanceof PaylensError) return kindOf(answer);
  return `card, ${answer.meta.mode}: ${Object.keys(answer)} ${Object.keys(answer.extracted)}`;
}

function readingFeatures(reading: Reading | PaylensError): string[] {
  if (reading instanceof PaylensError) return [];
  const {form, candidates, refusal} = reading;
  const fields = candidates.flat().map(({name}) => `field ${shapeOf(name)}`);
  return [`form ${form}`, `${candidates.length} candidates`, ...fields, `refusal ${refusal?.code}`];
}

/** For text only the meanings, since any name may occur in it. */
function traceFeatures({parts, checks, unit}: Trace): string[] {
  const named = new Set(
    parts.map(({name, meaning = ''}) => `part ${shapeOf(unit === 'byte' ? name : meaning)}`),
  );
  return [...named, ...checks.map(({name, ok}) => `check ${shapeOf(name)} ${ok}`)];
}
