/** Text that is HTML already. */
export interface Html {
  readonly text: string;
}

type Value = Html | string | number | readonly Html[];

/** A template of HTML: values that are not HTML are escaped, pieces of a list get a line each. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const [first = '', ...rest] = parts;
  return {text: first + rest.map((part, i) => textOf(values[i] ?? '') + part).join('')};
}

const ENTITIES: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '"': '&quot;'};

function textOf(value: Value): string {
  if (typeof value !== 'object')
    return String(value).replaceAll(/[&<"]/g, (c) => ENTITIES[c] ?? '');
  return 'text' in value ? value.text : value.map(({text}) => text).join('\n');
}
