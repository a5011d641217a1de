/** Work in steps of a few milliseconds: between two of them other work can run, or end it. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
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
