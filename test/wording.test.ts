import {readdirSync, readFileSync} from 'node:fs';
import {parseAst} from 'rolldown/parseAst';
import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS} from '../src/engine/families/registry.js';

/** Words that no text for people uses, and what is said instead. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:opens|opened) (?:under|with|it)\b|\bit opens\b/i, 'decrypts'],
  [/\benciphered\b/i, 'encrypted'],
  [/\bin clear\b|\bclear (?:card|track|data|PAN)\b/, 'in cleartext'],
  [/\bbehind\b/i, 'after, trailing'],
  [/\bin front\b/i, 'before, leading'],
  [/\banew\b|\bin vain\b/i, 'again; without success'],
  [/\bso (?:many|long)\b/i, 'number of; timeout'],
  [/\bspoil/i, 'corrupt'],
  [/\bmend(?:ed|s)?\b/i, 'fix'],
  [/\blooks? after\b/i, 'manage'],
  [/\bblanks?\b/i, 'space'],
  [/\bline ends?\b/i, 'line break, line ending, trailing newline'],
  [/\bstars?\b/i, 'asterisk'],
  [/\bst(?:ands?|ood)\b/i, 'is in, precedes, follows'],
  [/\btells?\b|\btold\b/i, 'indicates, reports; distinguishes'],
  [/\b(?<!\bthere )(?:is|are) no\b(?! longer)/i, 'is not a'],
  [/\bholds? no\b|\bholds? (?:a |clear)/i, 'has no; contains'],
  [/\bone a (?:line|core|request)\b/i, 'one per line'],
  [/\bon (?:its|the) way\b/i, 'in transit'],
  [/\bhand entry\b|\bby hand\b|\bmanual entry\b|\bhand entered\b/i, 'keyed entry'],
  [/\bmay be given several times\b|\bgive one for\b/i, '(repeatable)'],
  [/, too\b/, 'also'],
  [/\bneighbours?\b/i, 'adjacent'],
  [/\b(?:is|or) too (?:much|many|few)\b/i, 'extra, missing'],
  [/\bforgets?\b|\bremembers?\b/i, 'delete; save'],
  [/\bfolders?\b/i, 'directory'],
  [/\b(?:is|are|be) (?:right|taken)\b(?! (?:as|from))/i, 'valid, correct; accepted'],
  [/\bexpected a text\b|\barray of texts\b/i, 'string'],
  [/\bsealed\b|\bunseal/i, 'encrypted; wrapped'],
  [/\bcut off\b|\bdoes not end\b|\bends too early\b/i, 'truncated'],
  [/\bcharacters? that (?:is|are) no\b/i, 'non-hex character'],
  [/\blow byte first\b|\bhigh byte first\b/i, 'little-endian, big-endian'],
  [/\bno answer\b/i, 'no response'],
  [/\bthe system says\b/i, '(system error)'],
  [/\bas the format says\b|\bsays that\b/i, 'indicates'],
  [/\bdefect of\b/i, 'bug in paylens'],
  [/[a-z]{2,}\?$/, 'a statement, not a question'],
];

/** Right uses, word for word. */
const ALLOWED: readonly string[] = [
  // A proxy stands between, and a clock lags.
  'Pass --tls-cert-file and --tls-key-file, or --insecure-http behind a TLS proxy.',
  // EMV Book 3 names the methods of cardholder verification so.
  'enciphered PIN for online verification',
  'enciphered PIN for offline verification',
  'enciphered PIN verified online',
  'enciphered PIN verified by the card',
  'enciphered PIN verified by the card, and signature',
  // What a MagTek reader sends as the name of a keyed entry.
  '%M…^MANUAL ENTRY/^…000000?',
  // What a person is asked.
  'Remove … from …?',
  'Decryption succeeded, but the data has no PAN. Is this a payment card?',
];

const WORDS = /\p{L}{2,}\P{L}*\s\P{L}*\p{L}{2,}/u;
const TERMINALS: ReadonlySet<unknown> = new Set(KNOWN_TERMINALS.all.map(({type}) => type));
/** The folder of a family, the types of the interface, requests to any endpoint, and virtual terminals. */
const NAMING =
  /^src\/(?:engine\/families\/|contract\/device-types\.ts|conformance\/scenarios\/|service\/terminal\/)/;

/** A node of the syntax tree, with only the properties that are used. */
interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly name?: unknown;
  /** The name of an object's member, or of a property access. */
  readonly key?: Node;
  readonly property?: Node;
  readonly quasis?: readonly {readonly value: {readonly cooked: string}}[];
}

/** Every executed node of a module, without types and imports. */
function nodesIn(code: string): Node[] {
  const walk = (node: Node): Node[] => {
    const isType = /^TS(?!NonNull|As|Satisfies)|^ImportDeclaration/.test(node.type);
    const children = Object.values(node).flat().filter(isNode);
    return isType ? [] : [node, ...children.flatMap(walk)];
  };
  return walk(parseAst(code, {lang: 'ts'}) as unknown as Node);
}

function isNode(value: unknown): value is Node {
  return typeof (value as Partial<Node> | null)?.type === 'string';
}

/** The texts of two words or more, their expressions as dots. */
function phrasesIn(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({type, value, quasis}) => {
    const text = quasis ? quasis.map((part) => part.value.cooked).join('…') : value;
    const isText = type === 'TemplateLiteral' || type === 'Literal';
    return isText && typeof text === 'string' && WORDS.test(text) ? [text] : [];
  });
}

/** The terminals that are named in a literal, a member or a key. */
function terminalsIn(nodes: readonly Node[]): unknown[] {
  return nodes
    .map(({type, value, key, property}) => (type === 'Literal' ? value : (key ?? property)?.name))
    .filter((text) => TERMINALS.has(text));
}

/** What is wrong with the words of a phrase. */
function faultsOf(phrase: string): string[] {
  const others = ALLOWED.reduce((text, allowed) => text.replaceAll(allowed, ''), phrase);
  return REFUSED.flatMap(([word, better]) => {
    const found = word.exec(others)?.[0];
    return found === undefined ? [] : [`"${phrase}": ${better} for "${found}"`];
  });
}

const files = readdirSync('src', {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.ts'))
  .map((file) => {
    const nodes = nodesIn(readFileSync(`src/${file}`, 'utf8'));
    return {file: `src/${file}`, phrases: phrasesIn(nodes), terminals: terminalsIn(nodes)};
  });

describe('texts for people', () => {
  it('use the words of the glossary', () => {
    const faults = files.flatMap(({file, phrases}) =>
      phrases.flatMap(faultsOf).map((fault) => `${file}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('have every right use that is allowed', () => {
    const all = files.flatMap(({phrases}) => phrases);
    expect(all.length).toBeGreaterThan(1500);
    const isUsed = (allowed: string) => all.some((phrase) => phrase.includes(allowed));
    expect(ALLOWED.filter((allowed) => !isUsed(allowed))).toEqual([]);
  });

  it.each([
    'a character that is no hex digit',
    'zero bytes behind ETX',
    'where does the request go?',
  ])('are refused as "%s"', (phrase) => {
    expect(faultsOf(phrase)).not.toEqual([]);
  });
});

describe('the name of a terminal', () => {
  it('occurs in no other file: a new one needs no line there', () => {
    const naming = files.filter(({terminals}) => terminals.length > 0).map(({file}) => file);
    expect(naming.filter((file) => !NAMING.test(file))).toEqual([]);
    expect(naming.filter((file) => NAMING.test(file)).length).toBeGreaterThan(20);
  });

  it.each([
    ['a comparison', `if (type === 'magtek') stop();`],
    ['a table', `const FRAMED = {idtech: /^02/, 'ingenico-rba': /^3/};`],
  ])('is found in %s', (_, code) => {
    expect(terminalsIn(nodesIn(code))).not.toEqual([]);
  });

  it('is not looked for in types and imports', () => {
    const code = `import {idtech} from './idtech.js'; let type: 'idtech';`;
    expect(terminalsIn(nodesIn(code))).toEqual([]);
  });
});
