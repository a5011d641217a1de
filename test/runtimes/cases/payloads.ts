import {Secret} from '../../../src/contract/secret.js';
import {diagnose} from '../../../src/diagnosis/diagnose.js';
import {report} from '../../../src/diagnosis/report.js';
import {KeyRing, testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {
  TERMINAL_TYPES,
  TERMINALS,
  type TerminalType,
} from '../../../src/engine/families/registry.js';
import {inspectPayload} from '../../../src/engine/inspection/inspect-payload.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import type {Writer} from '../../../src/engine/writing.js';
import {bytesOfHex} from '../../../src/platform/bytes.js';
import {type SimulatedRequest, simulate} from '../../../src/simulator/simulate.js';
import {TEST_CARDS} from '../../../src/simulator/test-cards.js';
import type {Sample} from '../../engine/samples.js';
import EXTRAS from '../../samples/extras.json' with {type: 'json'};
import GENERIC from '../../samples/generic.json' with {type: 'json'};
import IDTECH from '../../samples/idtech.json' with {type: 'json'};
import RA1 from '../../samples/ingenico-ra1.json' with {type: 'json'};
import RBA from '../../samples/ingenico-rba.json' with {type: 'json'};
import MIURA from '../../samples/miura.json' with {type: 'json'};
import PHRESSIAPAD from '../../samples/phressiapad.json' with {type: 'json'};
import PRIMA from '../../samples/prima.json' with {type: 'json'};
import VERIFONE from '../../samples/verifone.json' with {type: 'json'};
import WISEPAD from '../../samples/wisepad.json' with {type: 'json'};
import WISEPAD2 from '../../samples/wisepad2.json' with {type: 'json'};
import type {Case} from './case.js';

const SAMPLES = [
  ...[EXTRAS, GENERIC, IDTECH, RA1, RBA, MIURA],
  ...[PHRESSIAPAD, PRIMA, VERIFONE, WISEPAD, WISEPAD2],
].flat() as unknown as readonly Sample[];

/** Every sample decrypted and inspected. */
export function sampleCases(): Case[] {
  return SAMPLES.flatMap(({id, request, keys}) => [
    {name: id, answer: () => processPayload(request, ringOf(keys))},
    {name: `${id} inspected`, answer: () => inspectPayload(request, true)},
  ]);
}

/** Some samples diagnosed under the published keys. */
export function diagnosisCases(): Case[] {
  const solvable = SAMPLES.filter(({expect}) => expect.response);
  return solvable
    .filter((_, i) => i % Math.ceil(solvable.length / DIAGNOSED) === 0)
    .map(({id, request: {devicePayload, deviceType}}) => ({
      name: `${id} diagnosed`,
      answer: () => {
        const given = {
          payload: devicePayload,
          deviceType,
          ciphertexts: [],
          writtenKeys: [],
          keys: [],
        };
        return report(diagnose(given, {now: () => 0, budgetMs: 1, usualOnly: true}));
      },
    }));
}

/** How many samples are diagnosed at most. */
const DIAGNOSED = process.env.TEST_LONG === '1' ? 40 : 12;

function ringOf(keys: Sample['keys']): KeyRing {
  return new KeyRing(
    keys.map(({kind, hex, ksnPrefix}) => ({
      ...{kind, secret: new Secret(bytesOfHex(hex))},
      ...(ksnPrefix === undefined ? {} : {ksnPrefix}),
    })),
  );
}

/** How many payloads are simulated of each terminal; a long run tries twenty times as many. */
export const SIMULATED = process.env.TEST_LONG === '1' ? 1000 : 50;

export {TERMINAL_TYPES};

/** Payloads of a terminal with drawn cards and settings, and what they are decrypted to. */
export async function simulatedCases(deviceType: TerminalType): Promise<Case[]> {
  const writer = await TERMINALS[deviceType].write?.();
  if (!writer) return [];
  const keys = testKeyRing();
  const draw = drawFrom(deviceType);
  const cases: Case[] = [];
  for (let drawn = 0; cases.length < SIMULATED && drawn < 20 * SIMULATED; drawn++) {
    const made = attempt(() => simulate(writer, {deviceType, keys, ...settingOf(writer, draw)}));
    if (!made) continue;
    cases.push({name: `${deviceType} ${drawn}`, answer: () => [made, outcomeOf(made, keys)]});
  }
  return cases;
}

type Draw = <T>(list: readonly T[]) => T;

function settingOf({modes, options, tdesOnly}: Writer, draw: Draw) {
  const mode = draw(modes);
  const counter = draw([1, 2, 3, 0x10, 0x21, 0x155, 0x1000, 0xaaaa, 0xfffff & 0xaa5aa]);
  const digits = (length: number) => counter.toString(16).toUpperCase().padStart(length, '0');
  const isTdes = tdesOnly?.includes(mode) || draw([true, true, false]);
  const chosen = options.map(({name, values}) => [name, draw([values[0], values[0], ...values])]);
  return {
    mode,
    card: draw(TEST_CARDS),
    ksn: isTdes ? `FFFF9876543210E${digits(5)}` : `1234567890123456${digits(8)}`,
    options: Object.fromEntries(chosen),
  };
}

function outcomeOf(request: SimulatedRequest, keys: KeyRing): unknown {
  try {
    return processPayload(request, keys);
  } catch (error) {
    return String(error);
  }
}

/** Draws from lists, for each seed always the same (mulberry32). */
function drawFrom(seed: string): Draw {
  let state = [...seed].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
  return (list) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return list[((mixed ^ (mixed >>> 14)) >>> 0) % list.length] as (typeof list)[number];
  };
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
