import {useState} from 'preact/hooks';
import {useWindowEvents} from './use-window-events.js';

/** Whether the window is as narrow as on a phone. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 719px)').matches;
}

/** As `isNarrow`, and again whenever that changes. */
export function useNarrow(): boolean {
  const [isNow, setNow] = useState(isNarrow);
  useWindowEvents({resize: () => setNow(isNarrow())});
  return isNow;
}
