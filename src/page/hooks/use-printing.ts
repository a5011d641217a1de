import {options} from 'preact';
import {useLayoutEffect, useState} from 'preact/hooks';

/** Whether the page is being printed: on paper every row is seen. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useLayoutEffect(() => {
    const before = () => atOnce(() => setPrinting(true));
    const after = () => setPrinting(false);
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, []);
  return isPrinting;
}

/** The browser prints when the listeners return, not when the next frame is drawn. */
function atOnce(change: () => void): void {
  const {debounceRendering} = options;
  options.debounceRendering = (render) => render();
  change();
  if (debounceRendering) options.debounceRendering = debounceRendering;
  else delete options.debounceRendering;
}
