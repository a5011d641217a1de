import {PaylensError} from '../../contract/paylens-error.js';

/**
 * A command line that is being split into commands and words. Text is one byte a character, so that
 * a body keeps its bytes. Every reader goes through it once.
 */
export class CommandText {
  readonly commands: string[][] = [];
  readonly #text: string;
  #at = 0;
  #words: string[] = [];
  #word: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.#text.charAt(this.#at);
  }

  get isAtWordStart(): boolean {
    return this.#word === undefined;
  }

  /** Skips what a sticky pattern matches here and returns it; undefined if it does not match. */
  skip(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** Adds to the word, which may stay empty: `''` is a word. */
  add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  /** Takes the next character, whatever it is. */
  take(): string {
    const {next} = this;
    this.#at += next.length;
    return next;
  }

  endWord(): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }

  endCommand(): void {
    this.endWord();
    if (this.#words.length > 0) this.commands.push(this.#words);
    this.#words = [];
  }

  /** The error for what is found here, or at another place that `mark` kept. */
  fault(what: string, at = this.#at): PaylensError {
    const before = this.#text.slice(0, at).split('\n');
    const column = (before.at(-1) ?? '').length + 1;
    return new PaylensError(9002, `command, line ${before.length}, column ${column}: ${what}`, {
      hint: 'Paste the command with its values in place, as a browser copies it.',
    });
  }

  /** The present place, for an error about what begins here. */
  get mark(): number {
    return this.#at;
  }
}
