import type {AnsweredBlock} from './answer-block.js';
import type {Answerer} from './answerers.js';

/** Blocks that an answerer may hold: with fewer it waits for this thread now and then. */
const MOST_HELD = 4;

/**
 * Gives the blocks to the answerers in turn and every answer to `take`, in the order of the blocks.
 * No more blocks are read than the answerers may hold, so a slow `take` slows the reading.
 */
export async function answerInOrder(
  blocks: AsyncIterable<Uint8Array>,
  answerers: readonly Answerer[],
  take: (answered: AnsweredBlock) => Promise<void>,
): Promise<void> {
  const held: Promise<void>[] = [];
  let last = Promise.resolve();
  let next = 0;
  for await (const block of blocks) {
    const answered = turn(answerers, next++).answer(block);
    last = takeAfter(last, answered, take);
    held.push(last);
    if (held.length >= MOST_HELD * answerers.length) await held.shift();
  }
  await last;
}

function turn(answerers: readonly Answerer[], index: number): Answerer {
  return answerers[index % answerers.length] as Answerer;
}

function takeAfter(
  before: Promise<void>,
  answered: Promise<AnsweredBlock>,
  take: (answered: AnsweredBlock) => Promise<void>,
): Promise<void> {
  const taken = before.then(async () => take(await answered));
  // Awaited later; until then a failure must not count as unhandled.
  for (const promise of [answered, taken]) promise.catch(() => {});
  return taken;
}
