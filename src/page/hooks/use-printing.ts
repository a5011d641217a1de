import {options} from 'preact';
import {useState} from 'preact/hooks';
import {useWindowEvents} from './use-window-events.js';

/** Whether the page is being printed: on paper every row is seen. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useWindowEvents({
    beforeprint: () => renderNow(() => setPrinting(true)),
    afterprint: () => setPrinting(false),
  });
  return isPrinting;
}

/** The browser prints when the listeners return, not when the next frame is drawn. */
function renderNow(change: () => void): void {
  const {debounceRendering} = options;
  options.debounceRendering = (render) => render();
  change();
  if (debounceRendering) options.debounceRendering = debounceRendering;
  else delete options.debounceRendering;
}
