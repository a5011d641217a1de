import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {LABELS} from '../../src/engine/devices/magtek/swipe/members.js';
import {MANUAL_NAME} from '../../src/engine/devices/magtek/swipe/sent-swipe.js';
import {TERMINAL_TYPES, TERMINALS} from '../../src/engine/devices/registry.js';
import {MEMBERS} from '../../src/engine/devices/wisepad/members.js';
import {WordChanger} from './change-words.js';
import {loadTree, type Tree} from './load-tree.js';
import {type Verdicts, verdictsOf} from './verdicts.js';

const FOLDERS = ['src/engine', 'src/diagnosis'];

/** Texts of several words that are no wording, but what the interface or a terminal says. */
const KEPT: ReadonlySet<string> = new Set([
  ...TERMINAL_TYPES.map((type) => TERMINALS[type].manufacturer),
  // BBPOS prints its members behind these labels.
  ...Object.values(MEMBERS).flatMap(({label}) => label ?? []),
  // What MagTek's program and readers write.
  ...Object.values(LABELS).flat(),
  MANUAL_NAME,
]);

/** The elements of a message that a terminal sends. */
const isMarkup = (text: string) => /^<[?\w]/.test(text);

const LONG_MS = 300_000;

describe('the words of the engine and of the diagnosis', () => {
  const changer = new WordChanger((text) => KEPT.has(text) || isMarkup(text));
  const trees: Tree[] = [];
  let original: Verdicts;
  let changed: Verdicts;

  async function judge(change: (code: string) => string): Promise<Verdicts> {
    const tree = await loadTree(change, FOLDERS);
    trees.push(tree);
    return verdictsOf(tree);
  }

  beforeAll(async () => {
    original = await judge((code) => code);
    changed = await judge((code) => changer.change(code));
  }, LONG_MS);

  afterAll(async () => {
    await Promise.all(trees.map(({close}) => close()));
  });

  it('are more than a thousand phrases, all of which are changed', () => {
    expect(changer.changed.length).toBeGreaterThan(1000);
    expect(changer.changed).toContain('bare ciphertext');
  });

  it('are judged by more than a thousand cases, opened and refused', () => {
    expect(Object.keys(original).length).toBeGreaterThan(1000);
  });

  it('decide nothing: with other words every case gets the same verdict', () => {
    const differing = Object.keys(original).filter(
      (name) => JSON.stringify(original[name]) !== JSON.stringify(changed[name]),
    );
    expect(differing).toEqual([]);
  });
});

describe('the change of words', () => {
  const changed = (code: string) => new WordChanger((text) => text === 'Format ID').change(code);

  it('makes two equal literals differ, so that a branch on one goes another way', () => {
    const code = `const form = 'bare ciphertext'; export default form === 'bare ciphertext';`;
    const [first, second] = changed(code).match(/"[^"]+"/g) ?? [];
    expect(first).not.toBe(second);
  });

  it.each([
    [
      'a template',
      `f(\`tag \${tag} at byte \${at}\`)`,
      /^f\(`q\w+ \$\{tag\} q\w+ q\w+ \$\{at\}`\)$/,
    ],
    ['a name of two words', `({'track 1 encrypted': 1})`, /^\(\{"q\w+ 1 q\w+": 1\}\)$/],
  ])('takes %s', (_, code, words) => {
    expect(changed(code)).toMatch(words);
  });

  it.each([
    ['a code', `f('frame-cut', 'bcd')`],
    ['what is kept', `f('Format ID')`],
    ['a pattern', 'f(/given PAN/)'],
    ['a type', `let form: 'bare ciphertext';`],
    ['hex and numbers', `f('02 03 FF', '4012 8888')`],
  ])('leaves %s alone', (_, code) => {
    expect(changed(code)).toBe(code);
  });
});
