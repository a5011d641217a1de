import {Secret} from '../../contract/secret.js';
import {type Exploration, type ExplorationOrder, explore, stepsOf} from '../model/explore.js';
import {PageWorker} from './page-worker.js';

/** An exploration as a worker sends it, and its keys as bytes: a Secret cannot be sent. */
interface Explored {
  readonly exploration: Exploration;
  readonly keys: readonly Uint8Array[];
}

/** In the worker: explores a text. */
export function explored(order: ExplorationOrder): Explored {
  const exploration = explore(order);
  return {exploration, keys: stepsOf(exploration).map(({key}) => key.reveal())};
}

/** In the page: the exploration with its keys as secrets; their bytes are wiped. */
function received({exploration, keys}: Explored): Exploration {
  const {opened} = exploration;
  if (!opened) return exploration;
  const secrets = keys.map((bytes) => {
    const secret = new Secret(bytes);
    bytes.fill(0);
    return secret;
  });
  const parts = opened.parts.map((part) => ({
    ...part,
    steps: part.steps.map((step) => ({
      ...step,
      key: secrets.shift() ?? new Secret(new Uint8Array()),
    })),
  }));
  return {...exploration, opened: {...opened, parts}};
}

/** Reads one text at a time; returns a function that stops the reading. */
export type Reader = (
  order: ExplorationOrder,
  answered: (exploration: Exploration) => void,
) => () => void;

/** Longer texts take more than a frame to read, so the worker reads them. */
const MAX_CHARS_AT_ONCE = 4096;

/** Whether a text is read, and drawn, in one task. */
export function isShort({text}: Pick<ExplorationOrder, 'text'>): boolean {
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
