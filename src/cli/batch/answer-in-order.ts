import type {AnsweredBlock} from './answer-block.js';
import type {Answerers} from './answerers.js';

/** Blocks queued for a worker: with fewer it is sometimes idle. */
const MAX_PENDING_BLOCKS = 4;

/** Blocks per worker answered ahead of the oldest open one: its worker may be just starting. */
const MAX_BLOCKS_AHEAD = 32;

/**
 * Gives every block to the first worker that may hold one more, and to `here`, which answers at
 * once in this thread, when none may. Every answer goes to `take`, in the order of the blocks. No
 * more blocks are read than may be ahead, so a slow `take` slows the reading.
 */
export async function answerInOrder(
  blocks: AsyncIterable<Uint8Array>,
  {here, workers}: Answerers,
  take: (answered: AnsweredBlock) => Promise<void>,
): Promise<void> {
  const ahead: Promise<void>[] = [];
  let last = Promise.resolve();
  for await (const block of blocks) {
    const answerer = workers.find(({held}) => held() < MAX_PENDING_BLOCKS) ?? here;
    last = takeAfter(last, answerer.answer(block), take);
    ahead.push(last);
    if (ahead.length > MAX_BLOCKS_AHEAD * workers.length) await ahead.shift();
  }
  await last;
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
