import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {redactCardNumbers} from '../../src/contract/masks/redact-card-numbers.js';
import {LABELS} from '../../src/diagnosis/labels.js';

const page = readFileSync(new URL('../../docs/diagnose-reference.md', import.meta.url), 'utf8');
const documented = [...page.matchAll(/^\| `([\w-]+)` \| (.*) \|$/gm)].map(([, label, text]) => [
  label,
  text,
]);

describe('the labels of diagnose', () => {
  it('are documented, each with its sentence', () => {
    const all = Object.entries(LABELS).map(([label, {text}]) => [label, text]);
    expect(documented.sort()).toEqual(all.sort());
  });

  it('have sentences that no mask of card numbers changes', () => {
    const texts = Object.values(LABELS).map(({text}) => text);
    expect(texts.map(redactCardNumbers)).toEqual(texts);
  });

  it('cover every row of the usual mistakes', () => {
    const rows = new Set(Object.values(LABELS).map(({row}) => row));
    expect([...rows].sort((a, b) => a - b)).toEqual([...Array(14).keys()]);
  });
});
