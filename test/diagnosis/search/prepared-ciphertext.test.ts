import {describe, expect, it} from 'vitest';
import {
  lostDigits,
  probesOf,
  windowsOf,
} from '../../../src/diagnosis/search/prepared-ciphertext.js';
import {collectClues} from '../../../src/input/clues.js';
import {Draw} from '../draw.js';

const draw = new Draw('prepared ciphertext');

function gatheredOf(...hexes: string[]) {
  const ciphertexts = hexes.map((text, i) => ({name: `part ${i}`, text}));
  return collectClues({ciphertexts, keys: [], writtenKeys: []});
}

describe('the ciphertexts of a case', () => {
  it('are tried once each in the long stages', () => {
    const [a, b] = [draw.hex(32), draw.hex(32)];
    const clues = gatheredOf(a, b, a, a);
    const hexes = probesOf(clues, true).map(({target}) => hexOf(target.ciphertext));
    expect(hexes.filter((hex) => hex === a)).toHaveLength(1);
    expect(hexes.filter((hex) => hex === b)).toHaveLength(1);
    expect(new Set(hexes).size).toBe(hexes.length);
    expect(probesOf(clues, false).length).toBeGreaterThan(hexes.length);
  });

  it('are limited in number, more so in the long stages', () => {
    const many = gatheredOf(...Array.from({length: 200}, () => draw.hex(32)));
    expect(probesOf(many, false)).toHaveLength(120);
    expect(probesOf(many, true)).toHaveLength(12);
  });
});

describe('a lost digit', () => {
  it('is tried at every place with every value, equal strings once', () => {
    const whole = draw.hex(16);
    const cut = whole.slice(0, 10) + whole.slice(11);
    const tried = lostDigits(gatheredOf(cut)).map(({target}) => hexOf(target.ciphertext));
    const expected = new Set<string>();
    for (let at = 0; at <= cut.length; at++) {
      for (const digit of '0123456789ABCDEF')
        expected.add(cut.slice(0, at) + digit + cut.slice(at));
    }
    expect(new Set(tried)).toEqual(expected);
    expect(tried).toContain(whole);
    expect(tried).toHaveLength(expected.size);
  });

  it.each([
    ['nothing is missing', 32],
    ['a block is missing a byte', 30],
    ['it is no hex', 0],
    ['it is longer than 320 digits', 335],
  ])('is not looked for when %s', (_, digits) => {
    const text = digits === 0 ? `${'0'.repeat(30)}Z` : draw.hex(200).slice(0, digits);
    expect(lostDigits(gatheredOf(text))).toEqual([]);
  });
});

describe('windows of a blob', () => {
  it('begin at every byte that leaves three blocks', () => {
    const hex = draw.hex(64);
    const windows = windowsOf(gatheredOf(hex)).map(({target}) => hexOf(target.ciphertext));
    const starts = Array.from({length: 64 - 24 + 1}, (_, at) => hex.slice(2 * at));
    for (const start of starts) expect(windows).toContain(start);
    expect(windows.filter((one) => one.length < 48)).toEqual([]);
  });

  it('begin only at the first byte of a run of digits inside a text', () => {
    const clues = gatheredOf(draw.hex(48));
    const interpretations = clues.interpretations
      .slice(0, 1)
      .map((one) => ({...one, kind: 'in-text'}) as const);
    const runs = interpretations.flatMap(({targets}) => targets.map(({ciphertext}) => ciphertext));
    const windows = windowsOf({...clues, interpretations}).map(({target}) => target.ciphertext);
    expect(windows.map(hexOf)).toEqual(runs.map(hexOf));
    expect(runs).toHaveLength(1);
  });

  it('are tried once when they begin alike, and are at most 600 of 512 bytes', () => {
    expect(windowsOf(gatheredOf('AB'.repeat(64)))).toHaveLength(1);
    const windows = windowsOf(gatheredOf(draw.hex(1500)));
    expect(windows).toHaveLength(600);
    expect(Math.max(...windows.map(({target}) => target.ciphertext.length))).toBe(512);
  });
});

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}
