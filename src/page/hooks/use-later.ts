import {useEffect, useState} from 'preact/hooks';

/**
 * A small value at once; a large one in the next task, so that it is drawn separately from the rest
 * of the page and neither delays the other. Until then, the previous value.
 */
export function useLater<T>(value: T, isSmall: boolean): T | undefined {
  const [late, setLate] = useState<T>();
  useEffect(() => setLate(() => (isSmall ? undefined : value)), [value]);
  return isSmall ? value : late;
}
