import {progress} from './output.js';

/** After this long a person wonders. */
const NOTE_DELAY_MS = 400;

/** Says on a terminal what takes so long, from `begin` on. */
export interface SlowNote {
  readonly begin: () => void;
  readonly end: () => void;
}

/** A note that appears only if the work takes longer than a moment, and goes with its end. */
export function slowNote(text: string): SlowNote {
  let timer: NodeJS.Timeout | undefined;
  let isShown = false;
  const show = () => {
    isShown = true;
    progress(text);
  };
  return {
    begin: () => {
      timer ??= setTimeout(show, NOTE_DELAY_MS);
    },
    end: () => {
      clearTimeout(timer);
      if (isShown) progress('');
      timer = undefined;
      isShown = false;
    },
  };
}

/** Runs `work`, with such a note from its beginning. */
export async function whileSlow<T>(text: string, work: () => Promise<T>): Promise<T> {
  const slow = slowNote(text);
  slow.begin();
  return work().finally(slow.end);
}
