import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {type Node, walk} from './syntax.js';

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
  'MANUAL ENTRY/',
  // What a person is asked.
  'Remove … from …?',
  'Decryption succeeded, but the data has no PAN. Is this a payment card?',
];

const WORDS = /\p{L}{2,}\P{L}*\s\P{L}*\p{L}{2,}/u;

/** The text of a literal or template of two words or more, its expressions as dots. */
function phraseOf({type, value, quasis}: Node): string | undefined {
  const text = quasis ? quasis.map((part) => part.value.cooked).join('…') : value;
  const isText = type === 'TemplateLiteral' || type === 'Literal';
  return isText && typeof text === 'string' && WORDS.test(text) ? text : undefined;
}

function phrasesOf(code: string): string[] {
  const found: string[] = [];
  walk(code, (node) => {
    const phrase = phraseOf(node);
    if (phrase !== undefined) found.push(phrase);
  });
  return found;
}

/** What is wrong with the words of a phrase, empty when nothing is. */
function faultsOf(phrase: string): string[] {
  if (ALLOWED.includes(phrase)) return [];
  return REFUSED.flatMap(([word, better]) => {
    const found = word.exec(phrase)?.[0];
    return found === undefined ? [] : [`"${phrase}": ${better} for "${found}"`];
  });
}

const files = readdirSync('src', {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `src/${file}`);
const phrases = files.map((file) => [file, phrasesOf(readFileSync(file, 'utf8'))] as const);

describe('texts for people', () => {
  it('are found in every layer', () => {
    const layers = new Set(
      phrases.filter(([, found]) => found.length > 0).map(([file]) => file.split('/')[1]),
    );
    for (const layer of [
      'cli',
      'commands',
      'contract',
      'diagnosis',
      'engine',
      'keyfile',
      'service',
    ])
      expect(layers).toContain(layer);
    expect(phrases.flatMap(([, found]) => found).length).toBeGreaterThan(1500);
  });

  it('use the words of the glossary', () => {
    const faults = phrases.flatMap(([file, found]) =>
      found.flatMap(faultsOf).map((fault) => `${file}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('have every right use that is allowed', () => {
    const all = new Set(phrases.flatMap(([, found]) => found));
    expect(ALLOWED.filter((phrase) => !all.has(phrase))).toEqual([]);
  });

  it.each([
    'Nothing opens it.',
    'a character that is no hex digit',
    'zero bytes behind ETX',
    'serve with so many processes',
    'The keyfile holds no key.',
    'where does the request go?',
  ])('are refused as "%s"', (phrase) => {
    expect(faultsOf(phrase)).not.toEqual([]);
  });
});
