/** A text with its card data masked, and in clear. */
export interface Shown {
  readonly masked: string;
  readonly clear: string;
}

/** A text without card data. */
export function plain(text: string): Shown {
  return {masked: text, clear: text};
}

/** The form that the switch of the page asks for. */
export function shownAs({masked, clear}: Shown, reveal: boolean): string {
  return reveal ? clear : masked;
}

/** A text for one line: whatever controls a line or its direction is shown as its code point. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (c) => {
    const code = (c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `\uFFFD${code}`;
  });
}

/** A reason as a sentence, on one line. */
export function sentence(text: string): string {
  const end = /[.!?]$/.test(text) ? '' : '.';
  return oneLine(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}${end}`);
}
