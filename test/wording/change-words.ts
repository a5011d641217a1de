import {parseAst} from 'rolldown/parseAst';

/** A node of the parsed text; of each kind only what is looked at. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
  readonly quasis?: readonly Quasi[];
}

/** Text of a template between its expressions; its range includes the delimiters. */
interface Quasi {
  readonly start: number;
  readonly end: number;
  readonly tail: boolean;
  readonly value: {readonly cooked: string};
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Two words with a blank between them: codes and names have one. */
const PHRASE = /\p{L}{2,}\P{L}*\s\P{L}*\p{L}{2,}/u;
const WORD = /\p{L}{2,}/gu;
/** Stands for an expression of a template. */
const SOME_WORD = 'word';

/**
 * Puts other words into every literal and template of two words or more, but for those that `isKept`
 * names. No word comes twice: two literals that were equal are not any more.
 */
export class WordChanger {
  /** The texts that were changed, expressions left out. */
  readonly changed: string[] = [];
  readonly #isKept: (text: string) => boolean;
  #words = 0;

  constructor(isKept: (text: string) => boolean) {
    this.#isKept = isKept;
  }

  /** The text of a TypeScript module with its words changed. */
  change(code: string): string {
    const edits: Edit[] = [];
    walk(parseAst(code, {lang: 'ts'}) as unknown as Node, (node) => {
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

/** Letters that are no hex digits. */
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

/** Calls `visit` for every node that runs. */
function walk(node: Node, visit: (node: Node) => void): void {
  if (node.type === 'ImportDeclaration' || isType(node)) return;
  visit(node);
  for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, visit);
}

const RUNS: readonly string[] = ['TSNonNullExpression', 'TSAsExpression', 'TSSatisfiesExpression'];

function isType({type}: Node): boolean {
  return type.startsWith('TS') && !RUNS.includes(type);
}

function isNode(value: unknown): value is Node {
  return typeof (value as Partial<Node> | null)?.type === 'string';
}

function applied(code: string, edits: readonly Edit[]): string {
  const ordered = [...edits].sort((a, b) => b.start - a.start);
  return ordered.reduce(
    (text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end),
    code,
  );
}
