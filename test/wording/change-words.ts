import {type Node, walk} from './syntax.js';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Two words separated by a space; codes and names have only one. */
const PHRASE = /\p{L}{2,}\P{L}*\s\P{L}*\p{L}{2,}/u;
const WORD = /\p{L}{2,}/gu;
/** Placeholder for an expression of a template. */
const SOME_WORD = 'word';

/**
 * Replaces the words of every literal and template of at least two words, except those that
 * `isKept` names. No replacement occurs twice, so literals that were equal differ afterwards.
 */
export class WordChanger {
  /** The texts that were changed, without expressions. */
  readonly changed: string[] = [];
  readonly #isKept: (text: string) => boolean;
  #words = 0;

  constructor(isKept: (text: string) => boolean) {
    this.#isKept = isKept;
  }

  /** The text of a TypeScript module with its words changed. */
  change(code: string): string {
    const edits: Edit[] = [];
    walk(code, (node) => {
      const text = phraseOf(node);
      if (text === undefined || this.#isKept(text)) return;
      this.changed.push(text);
      edits.push(...this.#editsOf(node));
    });
    return applied(code, edits);
  }

  #editsOf({start, end, value, quasis}: Node): Edit[] {
    if (!quasis) return [{start, end, text: JSON.stringify(this.#nonsense(String(value)))}];
    return quasis.map(({value: {cooked}, tail, ...range}) => ({
      start: range.start + 1,
      end: range.end - (tail ? 1 : 2),
      text: this.#nonsense(cooked).replaceAll(/[`\\]|\$\{/g, String.raw`\$&`),
    }));
  }

  #nonsense(text: string): string {
    return text.replace(WORD, () => nonsenseWord(this.#words++));
  }
}

/** Letters that are not hex digits. */
const LETTERS = 'ghjklmnopqrstuvwxyz';

function nonsenseWord(index: number): string {
  const digits = index.toString(LETTERS.length).padStart(4, '0');
  return `q${digits.replace(/./g, (digit) => LETTERS.charAt(Number.parseInt(digit, LETTERS.length)))}`;
}

function phraseOf({type, value, quasis}: Node): string | undefined {
  if (type === 'Literal' && typeof value === 'string') return isPhrase(value) ? value : undefined;
  if (type !== 'TemplateLiteral') return undefined;
  const texts = quasis?.map(({value: {cooked}}) => cooked) ?? [];
  return isPhrase(texts.join(SOME_WORD)) ? texts.join('…') : undefined;
}

function isPhrase(text: string): boolean {
  return PHRASE.test(text);
}

function applied(code: string, edits: readonly Edit[]): string {
  const ordered = [...edits].sort((a, b) => b.start - a.start);
  return ordered.reduce(
    (text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end),
    code,
  );
}
