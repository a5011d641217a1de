import {useEffect, useState} from 'preact/hooks';
import type {Answer as Why} from '../../diagnosis/answer/answer.js';
import type {ErrorView} from '../model/advice.js';
import type {ExplorationOrder} from '../model/explore.js';
import type {WhyOrder} from '../worker/diagnosis-worker.js';
import {PageWorker} from '../worker/page-worker.js';

/** Why a read failed, once the worker has found it out; without an error there is nothing to find. */
export function useWhy(order: ExplorationOrder | undefined, error: ErrorView | undefined) {
  const [why, setWhy] = useState<Why>();
  useEffect(() => {
    setWhy(undefined);
    if (!order || !error) return;
    const worker = new PageWorker<WhyOrder, Why>();
    const end = (found?: Why) => {
      worker.cancel();
      setWhy(found);
    };
    worker.start({...order, error}, end, end);
    return () => worker.cancel();
  }, [order, error]);
  return why;
}
