import {useEffect, useRef} from 'preact/hooks';
import {evict} from './detail-cache.js';
import {type RequestStore, requestsOf} from './request-store.js';

/** Time during which clearing can be undone. */
const UNDO_MS = 10_000;

interface UndoProps {
  readonly store: RequestStore;
  readonly undoable: number;
}

/** Shows that the list was cleared, with a button that restores it. */
export function UndoLine({store, undoable}: UndoProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (undoable === 0) return evict(store);
    // The button that cleared cannot be pressed again, and so has lost the focus.
    button.current?.focus();
    const timer = setTimeout(() => {
      const hadFocus = document.activeElement === button.current;
      store.forget();
      if (hadFocus) document.querySelector<HTMLElement>('.filter input')?.focus();
    }, UNDO_MS);
    return () => clearTimeout(timer);
  }, [undoable, store]);
  const undo = () => {
    store.undo();
    setTimeout(() => document.querySelector<HTMLElement>('.list [data-entry]')?.focus());
  };
  return (
    <div class="band" aria-live="polite">
      {undoable > 0 && (
        <p>
          {requestsOf(undoable)} cleared.{' '}
          <button type="button" class="link" ref={button} onClick={undo}>
            Undo
          </button>
        </p>
      )}
    </div>
  );
}
