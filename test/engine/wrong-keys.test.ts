import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {Secret} from '../../src/contract/secret.js';
import {decrypt} from '../../src/engine/decrypt.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../../src/engine/devices/registry.js';
import {KeyRing} from '../../src/engine/dukpt/key-ring.js';
import {type Plan, planDecryption} from '../../src/engine/plan.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {PUBLISHED_READS} from './published-reads.js';
import {readSamples} from './samples.js';
import {SHAPES} from './shapes.js';

/** How many keys are tried on each of some hundred payloads: more than a million with SLOW=1. */
const EACH = process.env.SLOW ? 20_000 : 1_000;

interface Target {
  readonly name: string;
  readonly plan: Plan;
}

const OWN_SHAPES: Readonly<Partial<Record<TerminalType, readonly (readonly [string, string])[]>>> =
  SHAPES;

const REQUESTS = TERMINAL_TYPES.flatMap((deviceType) => {
  const samples = readSamples(deviceType).map(({id, request, keys}) => {
    return {name: id, request, isWorking: keys[0]?.kind === 'working'};
  });
  const shapes = (OWN_SHAPES[deviceType] ?? []).map(([name, devicePayload]) => ({
    name: `${deviceType}, ${name}`,
    request: {deviceType, devicePayload},
    isWorking: false,
  }));
  return [...samples, ...shapes];
});

const ALL = [
  ...REQUESTS,
  ...PUBLISHED_READS.map(({name, request}) => ({name, request, isWorking: false})),
];

/** What is refused before anything is decrypted has no keys to try; undefined stands for it. */
const PLANNED = ALL.map(({name, request, isWorking}): Target | undefined => {
  try {
    const reading = readPayload(TERMINALS[request.deviceType], request.devicePayload);
    const keys = isWorking ? workingRing(0) : undefined;
    return reading.refusal ? undefined : {name, plan: planDecryption(reading, request, keys)};
  } catch (error) {
    if (error instanceof PaylensError) return undefined;
    throw error;
  }
});
const TARGETS = PLANNED.filter((target) => target !== undefined);
const REFUSED = ALL.filter((_, i) => PLANNED[i] === undefined).map(({name}) => name);

/** Keys in a fixed sequence, so that a key that was accepted can be found again. */
function keyAt(index: number): Buffer {
  return createHash('sha256').update(`wrong ${index}`).digest().subarray(0, 16);
}

function workingRing(index: number): KeyRing {
  return new KeyRing([{kind: 'working', secret: new Secret(keyAt(index))}], {cache: false});
}

function ringOf(index: number, prefixes: readonly string[]): KeyRing {
  const key = keyAt(index);
  return new KeyRing(
    prefixes.map((ksnPrefix) => ({kind: 'ik' as const, ksnPrefix, secret: new Secret(key)})),
    {cache: false},
  );
}

function isAccepted({plan}: Target, index: number): boolean {
  const ksns = plan.candidates.flat().map(({ksn}) => ksn);
  const initials = new Set(ksns.map((ksn) => ksn?.initial ?? ''));
  const isWorking = ksns.includes(undefined);
  try {
    decrypt(plan, isWorking ? workingRing(index) : ringOf(index, [...initials]));
    return true;
  } catch (error) {
    // 2101: a frame that did not match its CRC, which only data that opens excuses.
    if (error instanceof PaylensError && [2101, 2601, 2602].includes(error.code)) return false;
    throw error;
  }
}

describe('wrong keys', () => {
  it('are tried on every payload that is not refused as it is', () => {
    const refusals = TERMINAL_TYPES.flatMap(readSamples).filter(({expect: {errCode}}) => errCode);
    const unexpected = REFUSED.filter((name) => !refusals.some(({id}) => id === name));
    expect(unexpected).toEqual([]);
    const tried = TERMINAL_TYPES.flatMap(readSamples).filter(({expect: {response}}) => response);
    const names = TARGETS.map(({name}) => name);
    expect(names).toEqual(expect.arrayContaining(tried.map(({id}) => id)));
    expect(names.length).toBeGreaterThanOrEqual(160);
  });
});

/**
 * Of one track whose card number alone is encrypted nothing else depends on the key: digits, and a
 * check digit behind a range in clear (docs/formats/abecs.md#proof).
 */
const LONE = /^abecs-pan-/;
const LONE_ODDS = (10 / 16) ** 16 / 10;

describe(`${EACH * TARGETS.length} wrong keys`, () => {
  for (const [at, target] of TARGETS.entries()) {
    it(`open nothing of ${target.name}`, {timeout: 3_600_000}, () => {
      const accepted: number[] = [];
      for (let i = 0; i < EACH; i++) {
        if (isAccepted(target, at * EACH + i)) accepted.push(at * EACH + i);
      }
      const few = LONE.test(target.name) ? Math.ceil(5 * EACH * LONE_ODDS) : 0;
      expect(accepted.length, accepted.join()).toBeLessThanOrEqual(few);
    });
  }
});
