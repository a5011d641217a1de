import {useWindowEvents} from './use-window-events.js';

/** The tab stop of a grid or tree comes before the controls in its heading. */
const STOPS = [
  '[data-entry]',
  '[role=grid] [tabindex="0"], [role=tree] [tabindex="0"]',
  'textarea, input, select, a, button:not(:disabled), summary, [tabindex="0"]',
];

/** F6 goes to the next of the regions that the selector finds, Shift+F6 to the previous one. */
export function useRegions(selector: string): void {
  useWindowEvents({
    keydown: (event) => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      goToRegion(selector, event.shiftKey ? -1 : 1);
    },
  });
}

function goToRegion(selector: string, by: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>(selector)].flatMap((region) => {
    const found = STOPS.flatMap((stop) => [...region.querySelectorAll<HTMLElement>(stop)]);
    const stop = found.find((one) => one.getClientRects().length > 0);
    return stop ? [{region, stop}] : [];
  });
  const here = stops.findIndex(({region}) => region.contains(document.activeElement));
  const next = here < 0 && by < 0 ? stops.length - 1 : here + by;
  stops.at(next % Math.max(1, stops.length))?.stop.focus();
}
