import {nextTurn} from '#platform';

/** Work in steps of a few milliseconds: between two of them other work can run, or end it. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}

/** What is read of an AbortSignal; the runtime's own type is not part of every declaration. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
}

/** Other tasks wait no longer than this and one step. */
const TURN_MS = 4;

/** The result of `steps`, between which others have a `turn`. Rejects with the reason of `abort`. */
export async function inTurns<Result>(
  steps: Steps<Result>,
  abort?: AbortSignalLike,
  turn: () => Promise<void> = nextTurn,
): Promise<Result> {
  for (let since = performance.now(); ; ) {
    if (abort?.aborted) throw abort.reason;
    const {done, value} = steps.next();
    if (done) return value;
    if (performance.now() - since < TURN_MS) continue;
    await turn();
    since = performance.now();
  }
}

/** Each item in a separate step; the results joined. */
export function* inSteps<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => readonly Result[] | Steps<readonly Result[]>,
): Steps<Result[]> {
  const all: Result[] = [];
  for (const item of items) {
    yield;
    const found = work(item);
    const results = Symbol.iterator in found && 'next' in found ? yield* found : found;
    for (const one of results) all.push(one);
  }
  return all;
}

const ITEMS_PER_STEP = 512;

/** The items that `keeps` accepts, some hundred a step. */
export function* filterSteps<Item>(
  items: Iterable<Item>,
  keeps: (item: Item) => boolean,
): Steps<Item[]> {
  const kept: Item[] = [];
  let count = 0;
  for (const item of items) {
    if (count++ % ITEMS_PER_STEP === 0) yield;
    if (keeps(item)) kept.push(item);
  }
  return kept;
}
