import {useLayoutEffect, useState} from 'preact/hooks';
import type {ExplorerState, ExplorerStore} from '../store/explorer-store.js';

/** The state of a store, as it is now and whenever it changes. */
export function useStateOf(store: ExplorerStore): ExplorerState {
  const [state, setState] = useState(store.state);
  useLayoutEffect(() => store.listen(setState), [store]);
  return state;
}
