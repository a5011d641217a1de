import type {ComponentChildren} from 'preact';
import {Button} from './form-fields.js';

interface TopProps {
  readonly note: string;
  readonly reveal: boolean;
  /** Why card numbers cannot be shown. */
  readonly unavailable?: string | undefined;
  readonly onReveal: (reveal: boolean) => void;
  /** The links or buttons that lead to the views. */
  readonly children: ComponentChildren;
}

/** The heading of both pages, with the switch for card numbers. */
export function Top({note, reveal, unavailable, onReveal, children}: TopProps) {
  return (
    <header class="top">
      <h1>paylens</h1>
      <nav class="views" aria-label="Views">
        {children}
      </nav>
      <span class="note quiet">{note}</span>
      <Button
        class="switch"
        role="switch"
        aria-checked={reveal}
        disabled={unavailable !== undefined}
        title={unavailable ?? 'Show full card numbers on this page until it is reloaded'}
        onClick={() => onReveal(!reveal)}
      >
        Show card numbers
        <span class="knob" aria-hidden="true" />
      </Button>
    </header>
  );
}
