import {useEffect, useState} from 'preact/hooks';

/**
 * The value that was shown last, until the next task has come: what is drawn of it is drawn apart
 * from the rest of the page, so that neither keeps the other waiting. A small value is drawn at once.
 */
export function useLater<T>(value: T, isSmall: boolean): T | undefined {
  const [late, setLate] = useState<T>();
  useEffect(() => setLate(() => (isSmall ? undefined : value)), [value]);
  return isSmall ? value : late;
}
