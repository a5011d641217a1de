import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import type {Mode} from '../../../src/contract/process-payload.js';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {
  TERMINAL_TYPES,
  TERMINALS,
  type TerminalType,
} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {TEST_CARDS, type TestCard} from '../../../src/simulator/test-cards.js';
import {IS_LONG, seedOf, tenthOf} from '../../long.js';
import {simulate, writerOf} from '../../writers.js';
import {diagnoseJson, labelsOf} from '../diagnosing.js';

const keys = testKeyRing();

function cardOf(name: string): TestCard {
  const card = TEST_CARDS.find(({id}) => id === name);
  if (!card) throw new Error(`no card ${name}`);
  return card;
}

const FIRST = {card: cardOf('visa'), ksn: 'FFFF9876543210E00001'};
const OTHER = {card: cardOf('mastercard'), ksn: 'FFFF9876543210E00002'};

interface Shape {
  readonly deviceType: TerminalType;
  readonly mode: Mode;
  readonly options: Readonly<Record<string, string>>;
}

/** Every form of every mode. */
const SHAPES = TERMINAL_TYPES.flatMap((deviceType) => {
  const {modes, options} = writerOf(deviceType);
  const forms = options.find(({name}) => name === 'form')?.values ?? [];
  const settings = [{}, ...forms.map((form) => ({form}))];
  return modes.flatMap((mode) =>
    settings.map((setting): Shape => ({deviceType, mode, options: setting})),
  );
});

/** Undefined if there is no such payload, or its length alone tells what it is. */
function made(shape: Shape, read: typeof FIRST): string | undefined {
  try {
    const {devicePayload} = simulate({...shape, ...read, keys});
    const {recognisedBy, candidates} = readPayload(TERMINALS[shape.deviceType], devicePayload);
    return recognisedBy === 'length' || candidates.length === 0 ? undefined : devicePayload;
  } catch (error) {
    if (error instanceof PaylensError) return undefined;
    throw error;
  }
}

const PAYLOADS = SHAPES.flatMap((shape) => {
  const payload = made(shape, FIRST);
  const other = made(shape, OTHER);
  return payload === undefined || other === undefined ? [] : [{...shape, payload, other}];
});

/** The labels of a solved case; undefined for any other. */
async function solvedBy(payload: string): Promise<string[] | undefined> {
  const report = await diagnoseJson({payload}, {usualOnly: true, budgetMs: 20_000});
  return report.solved ? labelsOf(report) : undefined;
}

const titleOf = ({deviceType, mode, options}: Shape) =>
  `${deviceType} ${mode} ${JSON.stringify(options)}`;

describe('one payload is not called several:', () => {
  it.each(tenthOf(PAYLOADS, titleOf))('$deviceType, $mode, $options', async (shape) => {
    const {payload} = shape;
    const logged = payload
      .split(/\r?\n/)
      .map((line) => `12:00:01 DEBUG ${line}`)
      .join('\n');
    const texts = [payload, logged];
    const one = seedOf(titleOf(shape)) & 1;
    for (const text of IS_LONG ? texts : texts.slice(one, one + 1))
      expect((await solvedBy(text)) ?? []).not.toContain('several-payloads');
  });
});

describe('two payloads are called several:', () => {
  const pairs = tenthOf(PAYLOADS, (shape) => `twice ${titleOf(shape)}`);
  let solved = 0;
  it.each(pairs)('$deviceType, $mode, $options', async ({payload, other}) => {
    const labels = await solvedBy(`first read\n${payload}\nsecond read\n${other}\n`);
    if (!labels) return;
    solved++;
    expect(labels).toContain('several-payloads');
  });

  it('most of them are solved', () => {
    expect(solved).toBeGreaterThan(pairs.length / 2);
  });
});
