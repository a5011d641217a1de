import type {FuzzInput} from './fuzz-target.js';

/** An input that broke a promise, and how. */
export interface Finding {
  readonly input: FuzzInput;
  readonly broken: string;
}

/** Enough to reduce 64 KiB; each attempt runs the target. */
const MOST_TRIES = 3000;
/** A finding of slow input runs slow input at each attempt. */
const MOST_MS = 60_000;

/** Removes pieces from a failing input, large ones first, as long as it still fails. */
export async function minimise(
  input: FuzzInput,
  fails: (input: FuzzInput) => Promise<string | undefined>,
): Promise<Finding> {
  let found: Finding = {input, broken: (await fails(input)) ?? 'fails only now and then'};
  const end = performance.now() + MOST_MS;
  let tries = 0;
  for (let field = 0; field < input.length; field++) {
    for (let size = input[field]?.length ?? 0; size >= 1; size = Math.floor(size / 2)) {
      for (
        let at = 0;
        at < (found.input[field]?.length ?? 0) && tries < MOST_TRIES && performance.now() < end;
        tries++
      ) {
        const shorter = without(found.input, field, at, size);
        const broken = await fails(shorter);
        if (broken === undefined) at += size;
        else found = {input: shorter, broken};
      }
    }
  }
  return found;
}

function without(input: FuzzInput, field: number, at: number, size: number): FuzzInput {
  return input.map((text, i) => (i === field ? text.slice(0, at) + text.slice(at + size) : text));
}
