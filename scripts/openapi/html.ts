/** Text that is HTML already. */
export interface Html {
  readonly text: string;
}

type Value = Html | string | number;

/** A template of HTML: values that are not HTML are escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return raw(
    parts.map((part, i) => part + (i < values.length ? escaped(values[i] ?? '') : '')).join(''),
  );
}

/** Takes a text as HTML. */
export function raw(text: string): Html {
  return {text};
}

/** Pieces one after the other, each on a line of its own. */
export function join(pieces: readonly Html[]): Html {
  return raw(pieces.map(({text}) => text).join('\n'));
}

/** A text as code. */
export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** A text as the value of an attribute, its line breaks kept. */
export function attribute(text: string): Html {
  return raw(escaped(text).replaceAll('\n', '&#10;'));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(value: Value): string {
  if (typeof value === 'object') return value.text;
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
