import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import type {FuzzInput} from './fuzz-target.js';

/** The stored inputs of a target: one JSON array of texts a line. */
export function readCorpus(name: string): FuzzInput[] {
  const path = pathOf(name);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** Stores inputs of a target, sorted and without repetition. */
export function writeCorpus(name: string, inputs: readonly FuzzInput[]): void {
  const lines = new Set(inputs.map((input) => JSON.stringify(input)));
  writeFileSync(pathOf(name), `${[...lines].sort().join('\n')}\n`);
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`./corpus/${name}.jsonl`, import.meta.url));
}
