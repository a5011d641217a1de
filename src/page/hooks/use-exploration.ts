import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {type Exploration, type ExplorationOrder, explore, wipeKeys} from '../model/explore.js';
import {createReader, isShort} from '../worker/reader.js';

/** A read and what was found in it. */
export interface Answer {
  readonly order: ExplorationOrder;
  readonly exploration: Exploration;
}

interface ExplorationState {
  /** While a long text is being read: the answer to the previous one. */
  readonly answer: Answer | undefined;
  readonly isReading: boolean;
}

/** Explores a short text at once and a long one in the worker; without a text there is no answer. */
export function useExploration(order: ExplorationOrder | undefined): ExplorationState {
  const read = useMemo(createReader, []);
  const atOnce = useMemo(
    () => (order && isShort(order) ? {order, exploration: explore(order)} : undefined),
    [order],
  );
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
