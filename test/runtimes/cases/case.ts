import {PaylensError} from '../../../src/contract/paylens-error.js';
import {sha256Hex} from '../../../src/platform/hash.js';

/** Something that every runtime must answer with the same bytes. */
export interface Case {
  readonly name: string;
  readonly answer: () => unknown;
  /** The published answer, where there is one. */
  readonly published?: unknown;
}

/** Each case with the SHA-256 of its answer; one that is not as published says so instead. */
export async function linesOf(cases: readonly Case[]): Promise<string[]> {
  const lines: string[] = [];
  for (const {name, answer, published} of cases) {
    const text = await textOf(answer);
    const isWrong = published !== undefined && text !== JSON.stringify(published);
    lines.push(`${name} ${isWrong ? `is not as published: ${text}` : sha256Hex(text)}`);
  }
  return lines;
}

async function textOf(answer: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await answer()) ?? 'undefined';
  } catch (error) {
    if (error instanceof PaylensError)
      return JSON.stringify([error.code, error.message, error.hint]);
    return `failed: ${error}`;
  }
}
