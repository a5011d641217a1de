import type {ErrorCode} from '../../contract/error-catalogue.js';
import type {Mode} from '../../contract/process-payload.js';
import type {CipherSetting} from '../reading.js';

/**
 * How well a fact is known: `verified` on a real published read, `documented` in public, `seen` in
 * public source code, or only `inferred`.
 */
export type Evidence = 'verified' | 'documented' | 'seen' | 'inferred';

/** A fact about a terminal, and how well it is known. */
interface Fact {
  readonly what: string;
  readonly evidence: Evidence;
}

/** Which key and cipher encrypt what. */
interface KeyUse extends Fact {
  readonly setting: CipherSetting;
}

/** A case that is rejected, and its error. */
interface Refusal {
  readonly what: string;
  readonly code: ErrorCode;
}

/** Names and their meanings, from the table used by the reader. */
interface FieldTable {
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

/** What is told of every terminal. */
export interface Summary {
  readonly title: string;
  readonly summary: string;
  readonly evidence: Evidence;
}

/** Description of a terminal type; its page in docs is generated from it. */
export interface About extends Summary {
  /** Evidence for that level, and what remains open. */
  readonly proof: string;
  /** Page and heading of the byte-by-byte evidence. */
  readonly format: `docs/formats/${string}.md#${string}`;
  /** Id of the sample in `test/samples` that shows a typical payload. */
  readonly example: string;
  readonly forms: readonly Fact[];
  readonly ksn: string;
  readonly iv: string;
  readonly serial: string;
  readonly keys: readonly KeyUse[];
  readonly tables: readonly FieldTable[];
  /** How the content is parsed, and its pitfalls. */
  readonly notes: readonly Fact[];
  readonly refused: readonly Refusal[];
  readonly trials: readonly Trial[];
  readonly sources: readonly string[];
}

/** A table of names and meanings, sorted so that tags and values are easy to find. */
export function meanings(
  title: string,
  head: string,
  names: Readonly<Record<string, string>>,
): FieldTable {
  const rows = Object.entries(names);
  return {title, head: [head, 'meaning'], rows: head === 'member' ? rows : rows.sort(byName)};
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}
