import type {ErrorCode} from '../../contract/error-catalogue.js';
import type {Mode} from '../../contract/process-payload.js';

/**
 * How well a terminal is known: `verified` if a published read of it opens with a published key,
 * `documented` in public, `seen` in public source code, or only `inferred`.
 */
export type FormatEvidence = 'verified' | 'documented' | 'seen' | 'inferred';

/** Names and their meanings, from the table that the reader uses. */
export interface NameTable {
  readonly title: string;
  /** Column headings. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A sample payload that can be generated. */
interface Trial {
  readonly what: string;
  readonly mode: Mode;
  readonly card?: string;
  /** Hex, if the format includes one. */
  readonly iv?: string;
  readonly options?: Readonly<Record<string, string>>;
  /** The error that it gives; absent: a decrypted card. */
  readonly code?: ErrorCode;
}

/** A terminal in short, also one of the user's own. */
export interface Summary {
  readonly title: string;
  readonly summary: string;
  readonly evidence: FormatEvidence;
}

/** A terminal type; everything else about it is written on its page (docs/terminals.md). */
export interface About extends Summary {
  /** Printed on its page by `npm run docs`. */
  readonly tables: readonly NameTable[];
  readonly trials: readonly Trial[];
}

/** A table of names and meanings, sorted so that tags and values are easy to find. */
export function meanings(
  title: string,
  head: string,
  names: Readonly<Record<string, string>>,
): NameTable {
  const rows = Object.entries(names);
  if (head !== 'member') rows.sort(([a], [b]) => (a < b ? -1 : 1));
  return {title, head: [head, 'meaning'], rows};
}
