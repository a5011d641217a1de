import {describe, expect, it} from 'vitest';
import type {Opening} from '../../../src/diagnosis/plaintext/opened-plaintext.js';
import {
  explainsMore,
  isPaddingOnly,
  type KeyMatch,
  type OpenedTarget,
  requiredBits,
  together,
} from '../../../src/diagnosis/search/key-match.js';
import {makeProbe} from '../../../src/diagnosis/search/key-trial.js';
import {USUAL_SETTINGS} from '../../../src/diagnosis/search/working-keys.js';
import type {Fact} from '../../../src/engine/card/evidence.js';
import type {Interpretation, IvSource, Target} from '../../../src/input/interpretation.js';

const CLUES = {ivs: [], pans: [], expected: []};
const [SETTING] = USUAL_SETTINGS;

interface Part {
  readonly bytes?: number;
  readonly unread?: number;
  readonly source?: IvSource;
  readonly packing?: Opening['packing'];
  readonly facts?: readonly Fact['kind'][];
}

/** Targets of 32 bytes, each read with enough evidence for all its bytes. */
function found(
  parts: readonly Part[],
  interpretation: Partial<Interpretation> = {},
  bits = 100,
): KeyMatch {
  const targets = parts.map(({bytes = 32}, i): Target => {
    return {name: `part ${i}`, ciphertext: new Uint8Array(bytes).fill(i + 1)};
  });
  const whole: Interpretation = {
    kind: 'bare',
    form: 'bare ciphertext',
    findings: [],
    ...interpretation,
    targets,
  };
  const opened = targets.map((target, i) => openedAs(target, parts[i] ?? {}));
  const [first] = targets;
  if (!first || !SETTING) throw new Error('no target');
  const key = {
    bytes: new Uint8Array(16),
    role: 'bdk',
    source: 'key 1',
    madeOf: ['key 1'],
    origin: 'given',
  } as const;
  const probe = makeProbe(whole, first, CLUES);
  return {probe, key, setting: SETTING, opened, bits, working: new Uint8Array(16)};
}

function openedAs(target: Target, part: Part): OpenedTarget {
  const {unread = 0, source = 'zero', packing = 'ascii', facts = ['grammar']} = part;
  const opening: Opening = {
    packing,
    bits: 100,
    facts: facts.map((kind) => ({kind, text: kind, bits: 1})),
    text: '',
    unread,
  };
  const reading = {
    mode: 'cbc',
    iv: {bytes: new Uint8Array(8), source},
    plain: new Uint8Array(target.ciphertext.length),
    restarts: [],
    openings: [opening],
    bits: 100,
  } as const;
  if (!SETTING) throw new Error('no setting');
  return {target, reading, setting: SETTING};
}

describe('two targets under one key', () => {
  it('add what the second proves beyond the choice among the targets', () => {
    const [a, b] = [found([{}, {}], {}, 50), found([{}, {}], {}, 40)];
    // One bit chooses one of two targets, two more are the margin.
    expect(together(a, b).bits).toBe(50 + 40 - 1 - 2);
    expect(together(b, a).bits).toBe(87);
    expect(together(a, b).opened).toHaveLength(4);
  });

  it('lose nothing by a second that proves little', () => {
    expect(together(found([{}, {}], {}, 50), found([{}, {}], {}, 2)).bits).toBe(50);
  });

  it('count once when they are pieces that may overlap', () => {
    const [a, b] = [found([{}], {kind: 'pieces'}, 50), found([{}], {kind: 'pieces'}, 60)];
    expect(together(a, b)).toBe(b);
    expect(together(b, a)).toBe(b);
  });
});

describe('of two interpretations', () => {
  it('the one that explains more bytes is preferred', () => {
    expect(explainsMore(found([{}]), found([{unread: 1}]))).toBe(true);
    expect(explainsMore(found([{unread: 1}]), found([{}]))).toBe(false);
    expect(explainsMore(found([{}]), found([{}]))).toBe(false);
  });

  it('digits missing inside cost less than a whole line', () => {
    const inside = found([{}], {gap: 'inside'});
    expect(explainsMore(inside, found([{bytes: 64}]))).toBe(true);
    expect(explainsMore(inside, found([{bytes: 66}]))).toBe(false);
    expect(explainsMore(found([{}], {gap: 'between blocks'}), found([{bytes: 33}]))).toBe(false);
    expect(explainsMore(found([{}], {gap: 'between blocks'}), found([{}]))).toBe(true);
  });
});

describe('the evidence that is required', () => {
  it('is less when facts of two kinds agree', () => {
    const one = found([{facts: ['grammar', 'grammar']}]).opened;
    const two = found([{facts: ['grammar', 'lrc']}]).opened;
    const other = found([{facts: ['grammar', 'other']}]).opened;
    expect(requiredBits(1023, two)).toBe(40);
    expect(requiredBits(1023, one)).toBe(50);
    expect(requiredBits(1023, other)).toBe(50);
  });

  it('is that of padding alone only if every plaintext is padding', () => {
    expect(isPaddingOnly(found([{packing: 'binary'}, {packing: 'binary'}]))).toBe(true);
    expect(isPaddingOnly(found([{packing: 'binary'}, {packing: 'tlv'}]))).toBe(false);
  });
});
