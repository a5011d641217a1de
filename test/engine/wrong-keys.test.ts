import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {Secret} from '../../src/contract/secret.js';
import {decrypt} from '../../src/engine/decrypt.js';
import {KeyRing} from '../../src/engine/dukpt/key-ring.js';
import {KNOWN_TERMINALS, TERMINAL_TYPES} from '../../src/engine/families/registry.js';
import {type Plan, planDecryption} from '../../src/engine/plan.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {draws, tenthOf} from '../long.js';
import {FURTHER_PAYLOADS, simulatedPayloads} from '../payloads.js';
import {readSamples} from './samples.js';

/** How many keys are tried on each payload: more than a million in a long run. */
const EACH = draws(5_000);

const SAMPLES = TERMINAL_TYPES.flatMap(readSamples).map(({id, request, keys, expect}) => ({
  name: id,
  request,
  isWorking: keys[0]?.kind === 'working',
  isRefused: expect.errCode !== undefined,
}));
const MADE = [...FURTHER_PAYLOADS, ...simulatedPayloads(undefined, 'FFFF9876543210E00001')];
/** One value of 40 bytes and no KSN: in ECB and CBC, by the default of the format. */
const WITHOUT_KSN = ['track1', 'track2', 'track3', 'data'].map((name) => {
  const value = createHash('sha512').update(name).digest('hex').slice(0, 80);
  const devicePayload = JSON.stringify({[name]: value});
  const request = {deviceType: 'generic' as const, devicePayload};
  return {name: `${name} alone`, request, isWorking: true, isRefused: false};
});

interface Target {
  readonly name: string;
  readonly plan: Plan;
  readonly kind: 'ik' | 'working';
}

type Asked = (typeof SAMPLES)[number];

/** Undefined: refused before anything is decrypted, so that there are no keys to try. */
function targetOf({name, request, isWorking}: Omit<Asked, 'isRefused'>): Target | undefined {
  try {
    const reading = readPayload(KNOWN_TERMINALS.get(request.deviceType), request.devicePayload);
    if (reading.refusal) return undefined;
    const plan = planDecryption(reading, request, isWorking ? workingRing(0) : undefined);
    const hasKsn = plan.candidates.flat().every(({ksn}) => ksn !== undefined);
    return {name, plan, kind: hasKsn ? 'ik' : 'working'};
  } catch (error) {
    if (error instanceof PaylensError) return undefined;
    throw error;
  }
}

/** Keys in a fixed sequence, so that a key that was accepted can be found again. */
function keyAt(index: number): Secret {
  return new Secret(createHash('sha256').update(`wrong ${index}`).digest().subarray(0, 16));
}

function workingRing(index: number): KeyRing {
  return new KeyRing([{kind: 'working', secret: keyAt(index)}], {cache: false});
}

function initialRing(index: number, {candidates}: Plan): KeyRing {
  const prefixes = new Set(candidates.flat().map(({ksn}) => ksn?.initial ?? ''));
  const secret = keyAt(index);
  return new KeyRing(
    [...prefixes].map((ksnPrefix) => ({kind: 'ik' as const, ksnPrefix, secret})),
    {cache: false},
  );
}

function isAccepted({plan, kind}: Target, index: number): boolean {
  try {
    decrypt(plan, kind === 'working' ? workingRing(index) : initialRing(index, plan));
    return true;
  } catch (error) {
    // 2101: a frame that did not match its CRC, which only data that opens excuses.
    if (error instanceof PaylensError && [2101, 2601, 2602].includes(error.code)) return false;
    throw error;
  }
}

const TARGETS = [...SAMPLES, ...WITHOUT_KSN, ...MADE.map((one) => ({...one, isWorking: false}))]
  .map(targetOf)
  .filter((target) => target !== undefined)
  // The same ciphertext under a working key, which is tried without deriving one.
  .flatMap((target) => [target, {...target, kind: 'working' as const}]);

/**
 * Of one track whose card number alone is encrypted nothing else depends on the key: digits, and a
 * check digit behind a range in clear (docs/terminals/abecs.md#proof).
 */
const LONE = /^abecs-pan-/;
const LONE_ODDS = (10 / 16) ** 16 / 10;

describe('wrong keys', () => {
  it('are tried on every sample that is not refused as it is', () => {
    const names = new Set(TARGETS.map(({name}) => name));
    const missing = SAMPLES.filter(({name, isRefused}) => !isRefused && !names.has(name));
    expect(missing).toEqual([]);
    expect(names.size).toBeGreaterThanOrEqual(400);
  });

  const each = tenthOf(TARGETS, ({name, kind}) => `${kind} ${name}`);
  it.each(each)(`open nothing (${EACH}, $kind): $name`, {timeout: 3_600_000}, (target) => {
    const start = TARGETS.indexOf(target) * EACH;
    const accepted = Array.from({length: EACH}, (_, i) => start + i).filter((index) =>
      isAccepted(target, index),
    );
    const few = LONE.test(target.name) ? Math.ceil(5 * EACH * LONE_ODDS) : 0;
    expect(accepted.length, accepted.join()).toBeLessThanOrEqual(few);
  });
});
