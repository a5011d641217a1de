import type {RefObject} from 'preact';
import {useLayoutEffect, useRef} from 'preact/hooks';

const DISC = '\u2022';

type Typed = HTMLInputElement | HTMLTextAreaElement;

interface Discs {
  /** The text to write, each time that `version` is another one. */
  readonly text: string;
  readonly version: unknown;
  readonly isHidden: boolean;
  /** In place of the discs. */
  readonly told?: string | undefined;
}

/**
 * A field whose text is not in the document while it is hidden, so that neither the clipboard nor a
 * screen reader nor print has it: there are discs in its place, or words that tell what it is.
 * `onInput` returns the text as it was changed.
 */
export function useDiscs<Field extends Typed = HTMLInputElement>({
  text,
  version,
  isHidden,
  told,
}: Discs): {readonly field: RefObject<Field | null>; readonly onInput: () => string} {
  const field = useRef<Field>(null);
  const real = useRef(text);
  const write = () => {
    const shown = isHidden ? (told ?? DISC.repeat(real.current.length)) : real.current;
    const {current} = field;
    if (!current || current.value === shown) return;
    const {selectionStart, selectionEnd} = current;
    current.value = shown;
    // The caret stays where it is.
    if (current === document.activeElement) current.setSelectionRange(selectionStart, selectionEnd);
  };
  // Before the next frame: what is deleted or hidden is not painted again.
  useLayoutEffect(() => {
    real.current = text;
    write();
  }, [version]);
  useLayoutEffect(write, [isHidden, told]);
  const onInput = () => {
    const {value = '', selectionStart} = field.current ?? {};
    real.current = isHidden ? merged(real.current, value, selectionStart ?? value.length) : value;
    write();
    return real.current;
  };
  return {field, onInput};
}

/** A text that was changed at the caret, where discs stand for what is still there. */
function merged(before: string, shown: string, caret: number): string {
  if (!shown.includes(DISC)) return shown;
  const first = shown.slice(0, caret).search(/[^\u2022]/);
  const from = first < 0 ? caret : first;
  const after = before.slice(before.length - (shown.length - caret));
  return before.slice(0, from) + shown.slice(from, caret) + after;
}
