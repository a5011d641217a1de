import {describe, expect, it} from 'vitest';
import type {Mode} from '../../src/contract/process-payload.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../../src/engine/families/registry.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {tenthOf} from '../long.js';
import {simulate, writerOf} from '../writers.js';
import {diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw} from './draw.js';

const SEED = process.env.PAYLENS_SEED ?? '1';
/** Marks that do not say how many digits are lost, and lengths that differ from theirs. */
const MARKS = ['...', '[...]', '<cut>', 'XX', '****'] as const;
const LOST = [6, 7, 8, 16, 24, 32] as const;
/** Fewer bytes leave too little beside a gap. */
const LEAST_BYTES = 64;
/** A packed track alone has fewer: beside a gap too little of it is left to open. */
const SHORT_TRACK_BYTES = 32;
/** Trials of the usual causes: a tenth of a second or two. Every published key adds to them. */
const MOST_TRIED = 350_000;

interface Payload {
  readonly payload: string;
  readonly ksn: string | undefined;
  /** Ciphertexts in hex. */
  readonly fields: readonly string[];
}

function swipedIfPossible(deviceType: TerminalType): Mode {
  const {modes} = writerOf(deviceType);
  return modes.find((mode) => mode === 'swiped') ?? modes[0] ?? 'swiped';
}

function payloadOf(deviceType: TerminalType, draw: Draw): Payload {
  const {devicePayload, ksn} = simulate({
    deviceType,
    mode: swipedIfPossible(deviceType),
    card: {pan: draw.pan(), expiry: draw.expiry(), name: 'DOE/JANE', serviceCode: '201'},
    ksn: draw.ksn(),
    keys: testKeyRing(),
  });
  const [first = []] = readPayload(TERMINALS[deviceType], devicePayload).candidates;
  const fields = first.map(({ciphertext}) => Buffer.from(ciphertext).toString('hex'));
  return {payload: devicePayload, ksn, fields};
}

/** Payloads in hex that are recognised by more than their length. */
const TYPES = TERMINAL_TYPES.filter((type) => {
  // Their parts stand between separators, and one after the gap opens by itself.
  if (type === 'magtek' || type === 'poynt') return false;
  const {payload, fields} = payloadOf(type, new Draw(type));
  if (fields.every(({length}) => length < 2 * SHORT_TRACK_BYTES)) return false;
  const told = readPayload(TERMINALS[type], payload).recognisedBy;
  return told !== 'length' && fields.some((hex) => payload.toLowerCase().includes(hex));
});

describe(`a gap of unknown length in a payload, seed ${SEED}`, () => {
  it('is tried in most terminals', () => expect(TYPES.length).toBeGreaterThanOrEqual(6));

  it.each(tenthOf(TYPES, (type) => type))('of %s costs its blocks and no more', async (type) => {
    const draw = new Draw(`${SEED} gaps in ${type}`);
    let damaged = 0;
    for (let i = 0; i < 8; i++) {
      const {payload, ksn, fields} = payloadOf(type, draw);
      const long = fields.filter(({length}) => length >= 2 * LEAST_BYTES);
      const hex = draw.of(long.length > 0 ? long : fields);
      const lost = draw.of(LOST);
      const at = payload.toLowerCase().indexOf(hex) + draw.below(hex.length - lost);
      const text = payload.slice(0, at) + draw.of(MARKS) + payload.slice(at + lost);
      const found = await diagnoseJson({payload: text, ksn}, {usualOnly: true});
      const labels = labelsOf(found);
      const isTold = labels.includes('data-damaged') || labels.includes('part-missing');
      expect({text, solved: found.solved, isTold, labels}).toEqual({
        text,
        solved: true,
        isTold: true,
        labels: expect.arrayContaining(['digits-missing']),
      });
      expect(labels).toEqual(
        expect.not.arrayContaining(['wrong-slice', 'iv-missing', 'iv-hidden']),
      );
      expect(found.tried).toBeLessThan(MOST_TRIED);
      damaged += labels.includes('data-damaged') ? 1 : 0;
    }
    expect(damaged).toBeGreaterThanOrEqual(6);
  });

  it('of too short a field is named, and no KSN is missed', async () => {
    const draw = new Draw(`${SEED} short`);
    const {payload, fields} = payloadOf('miura', draw);
    const [hex = ''] = fields;
    const at = payload.toLowerCase().indexOf(hex);
    const text = `${payload.slice(0, at + 60)}****${payload.slice(at + hex.length - 60)}`;
    const labels = labelsOf(await diagnoseJson({payload: text}, {usualOnly: true}));
    expect(labels).toContain('digits-missing');
    expect(labels).not.toContain('masked-part');
    expect(labels).not.toContain('ksn-missing');
  });
});

describe('a gap beside what was decrypted', () => {
  it('is told with the digits that were not', async () => {
    const draw = new Draw(`${SEED} beside`);
    const {payload, ksn, fields} = payloadOf('wisepad', draw);
    const at = payload.toLowerCase().indexOf(fields[1] ?? '') + 32;
    const text = `${payload.slice(0, at)}${'*'.repeat(40)}${payload.slice(at + 40)}`;
    const found = await diagnoseJson({payload: text, ksn}, {usualOnly: true});
    expect(found.solved).toBe(true);
    expect(labelsOf(found)).toEqual(expect.arrayContaining(['digits-missing', 'part-missing']));
  });
});
