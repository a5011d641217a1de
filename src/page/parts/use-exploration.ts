import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {type Exploration, type ExplorationOrder, explore, wipeKeys} from '../model/explore.js';
import {type Explored, received} from '../worker/explored.js';
import {PageWorker} from '../worker/page-worker.js';

/** What a payload was read to be. */
export interface Answer {
  readonly order: ExplorationOrder;
  readonly exploration: Exploration;
}

export interface ExplorationState {
  /** While a long text is read: that of the text before. */
  readonly answer: Answer | undefined;
  readonly isReading: boolean;
}

/** Of longer texts the reading takes more than a frame, so that the worker does it. */
const AT_ONCE = 4096;

/** What a text holds: of a short one at once, of a long one soon, and nothing where there is none. */
export function useExploration(order: ExplorationOrder | undefined): ExplorationState {
  const read = useReader();
  const atOnce = useMemo(() => (order && isShort(order) ? answerTo(order) : undefined), [order]);
  const [late, setLate] = useState<Answer>();
  useEffect(() => {
    if (!order || isShort(order)) return;
    const stop = read(order, (exploration) => setLate({order, exploration}));
    return () => {
      stop();
      setLate(undefined);
    };
  }, [order]);
  const before = useRef<Answer | undefined>(undefined);
  const current = atOnce ?? (late?.order === order ? late : undefined);
  const answer = order && (current ?? before.current);
  before.current = answer;
  useLayoutEffect(() => () => wipeKeys(answer?.exploration), [answer]);
  return {answer, isReading: order !== undefined && !current};
}

/** Reads texts one at a time; what it returns ends the reading. */
export function useReader() {
  const worker = useMemo(() => new PageWorker<ExplorationOrder, Explored>(), []);
  return (order: ExplorationOrder, answered: (exploration: Exploration) => void): (() => void) => {
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

/** Whether a text is read, and drawn, in one task. */
export function isShort({text}: ExplorationOrder): boolean {
  return text.length <= AT_ONCE;
}

function answerTo(order: ExplorationOrder): Answer {
  return {order, exploration: explore(order)};
}
