/** What a target is fed with: one or more texts (payload, KSN, IV, ...). Bytes are latin1 text. */
export type FuzzInput = readonly string[];

/** What a target did with an input. */
export interface Behaviour {
  /** What is special about it: error code and shape of its detail, form, parts, members, ... */
  readonly features: readonly string[];
  /** The whole answer, which must be the same the second time. */
  readonly answer: unknown;
}

/** Code under test, with what it may be fed and what it must never do. */
export interface FuzzTarget {
  readonly name: string;
  /** Inputs to begin with. */
  readonly seeds: () => readonly FuzzInput[];
  /** Throws on whatever breaks a promise: a foreign exception, a wrong answer, a leak. */
  readonly run: (input: FuzzInput) => Behaviour | Promise<Behaviour>;
  /** Makes lengths and check values of a changed text right again, so that more of it is read. */
  readonly repair?: (text: string) => string;
  /** Words of the format. */
  readonly tokens?: readonly string[];
}

/** Fails a run. */
export function demand(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new Error(promise);
}

/** A message without what differs from case to case: quoted text, numbers, and hex. */
export function shapeOf(message: string): string {
  return message
    .replaceAll(/"[^"]*"/g, '"')
    .replaceAll(/\b[0-9A-F]*\d[0-9A-F]*\b/gi, '#')
    .replaceAll(/(?:#[ ,.:-]*){2,}/g, '##');
}
