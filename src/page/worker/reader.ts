import {type Exploration, type ExplorationOrder, explore} from '../model/explore.js';
import {type Explored, received} from './explored.js';
import {PageWorker} from './page-worker.js';

/** Reads one text at a time; returns a function that stops the reading. */
export type Reader = (
  order: ExplorationOrder,
  answered: (exploration: Exploration) => void,
) => () => void;

/** Longer texts take more than a frame to read, so the worker reads them. */
const MAX_CHARS_AT_ONCE = 4096;

/** Whether a text is read, and drawn, in one task. */
export function isShort({text}: ExplorationOrder): boolean {
  return text.length <= MAX_CHARS_AT_ONCE;
}

/** A reader with a worker; it reads short texts at once, and long ones in the worker. */
export function createReader(): Reader {
  const worker = new PageWorker<ExplorationOrder, Explored>();
  return (order, answered) => {
    worker.cancel();
    if (isShort(order)) answered(explore(order));
    else {
      const done = (exploration: Exploration) => {
        worker.cancel();
        answered(exploration);
      };
      worker.start(
        order,
        (news) => done(received(news)),
        () => done(explore(order)),
      );
    }
    return () => worker.cancel();
  };
}
