import {useEffect, useState} from 'preact/hooks';

const NARROW = '(max-width: 719px)';

/** Whether the window is as narrow as that of a phone. */
export function isNarrow(): boolean {
  return matchMedia(NARROW).matches;
}

/** As `isNarrow`, and again whenever that changes. */
export function useNarrow(): boolean {
  const [isNow, setNow] = useState(isNarrow);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const listen = () => setNow(query.matches);
    query.addEventListener('change', listen);
    return () => query.removeEventListener('change', listen);
  }, []);
  return isNow;
}
