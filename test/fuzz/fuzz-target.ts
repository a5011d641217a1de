/** The input of a target: one or more texts (payload, KSN, IV, ...). Bytes are latin1 text. */
export type FuzzInput = readonly string[];

/** The behaviour of a target for an input. */
export interface Behaviour {
  /** Its distinguishing features: error code and shape of its detail, form, parts, members, ... */
  readonly features: readonly string[];
  /** The complete result, which must be the same the second time. */
  readonly answer: unknown;
}

/** Code under test, with its inputs and its promises. */
export interface FuzzTarget {
  readonly name: string;
  /** Inputs to start from. */
  readonly seeds: () => readonly FuzzInput[];
  /** Throws if a promise is broken: a foreign exception, a wrong result, a leak. */
  readonly run: (input: FuzzInput) => Behaviour | Promise<Behaviour>;
  /** Corrects lengths and check values of a changed text, so that more of it is parsed. */
  readonly repair?: (text: string) => string;
  /** Words of the format. */
  readonly tokens?: readonly string[];
}

/** Makes a run fail. */
export function demand(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new Error(promise);
}

/** A message without the parts that vary from case to case: quoted text, numbers, and hex. */
export function shapeOf(message: string): string {
  return message
    .replaceAll(/"[^"]*"/g, '"')
    .replaceAll(/\b[0-9A-F]*\d[0-9A-F]*\b/gi, '#')
    .replaceAll(/(?:#[ ,.:-]*){2,}/g, '##');
}
