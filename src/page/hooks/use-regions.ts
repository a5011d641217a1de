import {useEffect} from 'preact/hooks';

/** The regions of a page, in the order in which F6 goes through them. */
const REGIONS = '.top, .inputs, .form, .band, .empty, .pane, .strip';
/** The tab stop of a grid or tree comes before the controls in its heading. */
const STOPS = [
  '[role=grid] [tabindex="0"], [role=tree] [tabindex="0"]',
  'textarea, input, select, button:not(:disabled), summary, [tabindex="0"]',
];

/** F6 goes to the next region, Shift+F6 to the one before. */
export function useRegions(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      goOn(event.shiftKey ? -1 : 1);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function goOn(by: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>(REGIONS)].flatMap((region) => {
    const stop = stopIn(region);
    return stop ? [{region, stop}] : [];
  });
  const here = stops.findIndex(({region}) => region.contains(document.activeElement));
  const next = here < 0 && by < 0 ? stops.length - 1 : here + by;
  stops.at(next % Math.max(1, stops.length))?.stop.focus();
}

function stopIn(region: HTMLElement): HTMLElement | undefined {
  const found = STOPS.flatMap((stop) => [...region.querySelectorAll<HTMLElement>(stop)]);
  return found.find((one) => one.getClientRects().length > 0);
}
