import {useLayoutEffect, useRef} from 'preact/hooks';

type Events = WindowEventMap & Pick<DocumentEventMap, 'visibilitychange'>;
type Listeners = {readonly [Name in keyof Events]?: (event: Events[Name]) => void};

/** Listens to events of the window for as long as the component is on the page. */
export function useWindowEvents(listeners: Listeners): void {
  const latest = useRef(listeners);
  latest.current = listeners;
  useLayoutEffect(() => {
    const gone = new AbortController();
    for (const name of Object.keys(listeners) as (keyof Events)[]) {
      const listener = (event: Event) => latest.current[name]?.(event as never);
      addEventListener(name, listener, {signal: gone.signal});
    }
    return () => gone.abort();
  }, []);
}
