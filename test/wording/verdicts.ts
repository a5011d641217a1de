import {createCipheriv} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {isDeviceType} from '../../src/contract/device-types.js';
import type {TerminalRequest, TerminalType} from '../../src/engine/devices/registry.js';
import type {Writer} from '../../src/engine/devices/writer.js';
import {aesDerivedKey} from '../diagnosis/aes-dukpt.js';
import type {CaseJson} from '../diagnosis/diagnosing.js';
import {Draw} from '../diagnosis/draw.js';
import {PUBLIC_READS} from '../diagnosis/public-reads.js';
import {KINDS} from '../diagnosis/usual-mistakes.js';
import {type SampleKey, TEST_BDK} from '../engine/samples.js';
import {TRACED} from '../engine/shapes.js';
import type {Tree} from './load-tree.js';

/** The verdict on each case, by its name: codes, cards, labels and masks, but no sentences. */
export type Verdicts = Readonly<Record<string, unknown>>;

/** The modules of a tree that the cases use. */
interface Engine {
  readonly registry: typeof import('../../src/engine/devices/registry.js');
  readonly terminals: typeof import('../../src/engine/devices/terminal.js');
  readonly corridor: typeof import('../../src/engine/process-payload.js');
  readonly recognition: typeof import('../../src/engine/recognise.js');
  readonly inspection: typeof import('../../src/engine/inspection/inspect-payload.js');
  readonly ring: typeof import('../../src/engine/dukpt/key-ring.js');
  readonly secrets: typeof import('../../src/contract/secret.js');
  readonly simulator: typeof import('../../src/simulator/simulate.js');
  readonly cards: typeof import('../../src/simulator/test-cards.js');
  readonly cases: typeof import('../../src/diagnosis/input/case.js');
  readonly diagnosis: typeof import('../../src/diagnosis/diagnose.js');
  readonly reports: typeof import('../../src/diagnosis/report.js');
}

async function engineOf({load}: Tree): Promise<Engine> {
  return {
    registry: await load('src/engine/devices/registry.ts'),
    terminals: await load('src/engine/devices/terminal.ts'),
    corridor: await load('src/engine/process-payload.ts'),
    recognition: await load('src/engine/recognise.ts'),
    inspection: await load('src/engine/inspection/inspect-payload.ts'),
    ring: await load('src/engine/dukpt/key-ring.ts'),
    secrets: await load('src/contract/secret.ts'),
    simulator: await load('src/simulator/simulate.ts'),
    cards: await load('src/simulator/test-cards.ts'),
    cases: await load('src/diagnosis/input/case.ts'),
    diagnosis: await load('src/diagnosis/diagnose.ts'),
    reports: await load('src/diagnosis/report.ts'),
  };
}

/** The verdict of a tree on every case. */
export async function verdictsOf(tree: Tree): Promise<Verdicts> {
  const engine = await engineOf(tree);
  const simulated = await simulatedReads(engine);
  return Object.fromEntries([
    ...simulated,
    ...SAMPLES.map(({id, request, keys}) => [id, judgeRead(engine, request, keys ?? [])]),
    ...SHAPES.map(([id, request]) => [id, judgeRead(engine, request, TEST_KEYS)]),
    ...DIAGNOSED.map(([name, ...given]) => [`diagnosis of ${name}`, judgeCase(engine, ...given)]),
  ]);
}

const TEST_KEYS: readonly SampleKey[] = [{kind: 'bdk', hex: TEST_BDK}];

interface Sample {
  readonly id: string;
  readonly request: TerminalRequest & {readonly ciphertext?: string};
  readonly keys?: readonly SampleKey[];
  readonly expect: {readonly pan?: string};
}

const FOLDER = new URL('../samples/', import.meta.url);
const ALL_SAMPLES: readonly Sample[] = readdirSync(FOLDER).flatMap((file) =>
  JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
);
const SAMPLES = ALL_SAMPLES.filter(
  ({request}) => request.devicePayload && isDeviceType(request.deviceType),
);
const SHAPES = Object.entries(TRACED).flatMap(([type, shapes]) =>
  shapes.map(([name, devicePayload]) => {
    const request = {deviceType: type as TerminalType, devicePayload};
    return [`${type}: ${name}`, request] as const;
  }),
);

/** Half an extra byte, a foreign tag and an ID TECH tag with truncated values: none decrypts. */
const CUT_SHORT = ['7', '9F1F40', 'DFEE1240'].map((head) => head + new Draw(head).hex(40));

/** A case, and whether only the usual causes are tried, since an unsolved case would take long. */
const DIAGNOSED: readonly (readonly [string, CaseJson, boolean])[] = [
  ...ALL_SAMPLES.map((sample) => [sample.id, caseOf(sample), true] as const),
  ...PUBLIC_READS.map(({name, given}) => [name, given, false] as const),
  ...KINDS.map(({name, make}) => {
    const {given, plain} = make(new Draw(name));
    return [name, given, plain === undefined] as const;
  }),
  ...CUT_SHORT.map((payload) => [payload, {payload}, true] as const),
  ['an AES test key under a KSN of 10 bytes', underAesTestKey(), true],
];

/** TDES data under the test key of X9.24-3 in KSN compatibility mode, without a given key. */
function underAesTestKey(): CaseJson {
  const ksn = 'FFFF9876543210E00123';
  const identity = ((BigInt(`0x${ksn}`) >> 21n) << 1n).toString(16).padStart(16, '0');
  const key = aesDerivedKey({
    bdk: 'FEDCBA9876543210F1F1F1F1F1F1F1F1',
    ksn: `${identity}00000123`,
    usage: 0x3000,
    algorithm: 0,
  });
  const whole = Buffer.concat([key, key.subarray(0, 8)]);
  const cipher = createCipheriv('des-ede3-cbc', whole, Buffer.alloc(8)).setAutoPadding(false);
  const plain = new Draw(ksn).track1().padEnd(80, '\0');
  return {ciphertexts: [{hex: cipher.update(plain, 'latin1', 'hex')}], ksn};
}

function caseOf({request, expect: {pan}}: Sample): CaseJson {
  const {devicePayload, ciphertext, ksn, iv} = request;
  const ciphertexts = ciphertext === undefined ? [] : [{name: 'block', hex: ciphertext}];
  return JSON.parse(JSON.stringify({payload: devicePayload, ciphertexts, ksn, iv, pan}));
}

/** The results of decrypt, recognise and inspect for a payload. */
function judgeRead(engine: Engine, request: TerminalRequest, keys: readonly SampleKey[]): unknown {
  const {registry, corridor, recognition, inspection} = engine;
  const {parts, checks, encrypted, refusal, failure} = inspection.inspectPayload(request, false);
  return {
    answer: outcomeOf(() => corridor.processPayload(request, ringOf(engine, keys))),
    types: recognition.recognise(request.devicePayload, registry.KNOWN_TERMINALS),
    parts: parts.map(({offset, length, depth, value, sensitivity}) =>
      [offset, length, depth, value, sensitivity].join(' '),
    ),
    checks: checks.map(({offset, ok}) => `${offset} ${ok}`),
    encrypted: encrypted.map(({name: _, ...rest}) => rest),
    codes: [refusal?.errCode, failure?.code],
  };
}

function ringOf({ring, secrets}: Engine, keys: readonly SampleKey[]) {
  return new ring.KeyRing(
    keys.map(({hex, ...key}) => ({...key, secret: new secrets.Secret(Buffer.from(hex, 'hex'))})),
  );
}

/** The result of a function, or the code of its error. */
function outcomeOf<T>(run: () => T): T | {readonly errCode: unknown} {
  try {
    return run();
  } catch (error) {
    return {errCode: (error as {code?: unknown}).code};
  }
}

/** A payload for every setting of every terminal, and the result of reading it. */
async function simulatedReads(engine: Engine): Promise<[string, unknown][]> {
  const {registry, terminals, ring, cards, simulator} = engine;
  const keys = ring.testKeyRing();
  const [card] = cards.TEST_CARDS;
  const found: [string, unknown][] = [];
  for (const deviceType of registry.TERMINAL_TYPES) {
    const writer = await terminals.writerOf(registry.TERMINALS[deviceType]);
    for (const [mode, options] of settingsOf(writer)) {
      const simulation = {deviceType, mode, card: card as NonNullable<typeof card>, keys, options};
      const request = outcomeOf(() =>
        simulator.simulate(writer, {...simulation, ksn: 'FFFF9876543210E00001'}),
      );
      const read = 'errCode' in request ? undefined : judgeRead(engine, request, TEST_KEYS);
      found.push([`${deviceType}, ${mode}, ${JSON.stringify(options)}`, {request, read}]);
    }
  }
  return found;
}

function settingsOf({modes, options}: Writer) {
  const all = options.flatMap(({name, values}) => values.map((value) => ({[name]: value})));
  return modes.flatMap((mode) => [{}, ...all].map((one) => [mode, one] as const));
}

/** The findings of a diagnosis, and the settings that decrypt the case. */
function judgeCase(
  {cases, diagnosis, reports}: Engine,
  given: CaseJson,
  usualOnly: boolean,
): unknown {
  const limits = {now: () => 0, budgetMs: 1, usualOnly};
  const found = diagnosis.diagnose(cases.parseCase(JSON.stringify(given)), limits);
  const {solved, verdicts, solution, plaintexts, next, tried} = reports.report(found);
  const {form: _, key, ...how} = solution ?? {};
  return {
    solved,
    tried,
    labels: verdicts.map(({label}) => label),
    how: {...how, role: key?.role},
    plaintexts: plaintexts.map(({hex, packing, isPin}) => ({hex, packing, isPin})),
    next,
  };
}
