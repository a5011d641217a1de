import type {HeaderParameter} from './authorization-header.js';

type Parameters = ReadonlyMap<string, HeaderParameter>;

/** Whether every parameter has one of `names`. */
export function hasOnly(parameters: Parameters, names: ReadonlySet<string>): boolean {
  for (const name of parameters.keys()) {
    if (!names.has(name)) return false;
  }
  return true;
}

/** The value of a quoted parameter; undefined if it is missing or not quoted. */
export function quoted(parameters: Parameters, name: string): string | undefined {
  const parameter = parameters.get(name);
  return parameter?.quoted ? parameter.value : undefined;
}

/** A username, nonce or cnonce in quotes: 1 to 128 printable ASCII characters, else undefined. */
export function quotedName(parameters: Parameters, name: string): string | undefined {
  const value = quoted(parameters, name);
  return value !== undefined && isName(value) ? value : undefined;
}

/** Whether `text` is 1 to 128 printable ASCII characters (docs/contract.md#authentication). */
export function isName(text: string): boolean {
  return /^[\x20-\x7e]{1,128}$/.test(text);
}

/**
 * A timestamp, bare or in quotes, as the text that is signed: digits without a leading zero, as
 * many as a number holds exactly. Undefined for anything else.
 */
export function timestampText(parameters: Parameters): string | undefined {
  const value = parameters.get('timestamp')?.value;
  return value !== undefined && /^(?:0|[1-9]\d{0,14})$/.test(value) ? value : undefined;
}
