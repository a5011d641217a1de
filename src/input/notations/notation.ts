import {latin1Of, upperHexOf} from '../../platform/bytes.js';
import type {InputFinding} from '../finding.js';

/** A run of characters or bytes: from, to. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** What a text means that is in one notation from end to end. */
export interface Meaning {
  readonly notation: string;
  /** The payload in the forms that a reader may accept, the usual one first. */
  readonly payloads: readonly string[];
}

/** A pattern that finds a notation by its looks, and what distinguishes its matches from other text. */
export type Look = readonly [pattern: RegExp, isMeant?: (found: string) => boolean];

/**
 * A notation in which people and programs write payloads, or a damage that copying does to them.
 * `decrypt` accepts what `undo` and `decode` read, since they leave no doubt; `diagnose` also tries
 * every `guess`.
 */
export interface Notation {
  /** As notes and errors call it. */
  readonly name: string;
  /** How `diagnose` explains it. */
  readonly finding: InputFinding;
  /** Where a text may hold at least eight bytes of it. */
  readonly looks?: readonly Look[];
  /** The text without this notation; undefined or the same text if it is not in it. */
  readonly undo?: (text: string) => string | undefined;
  /** Escapes may hide another notation. */
  readonly isEscape?: true;
  /** The bytes that a text writes; `list` is the text without comments and casts. */
  readonly decode?: (text: string, list: string) => readonly (Uint8Array | undefined)[];
  /** The same of a text that may be damaged or surrounded; a detail replaces that of the finding. */
  readonly guess?: (text: string) => readonly Guess[] | string | undefined;
}

/** A text as it may have been intended, and what happened to it. */
export interface Guess {
  readonly text: string;
  readonly detail: string;
}

/** The forms in which bytes can be a payload: text, hex digits, or one character per byte. */
export function payloadsOf(bytes: Uint8Array): string[] {
  const text = latin1Of(bytes);
  if (/^[\t\r\n\x20-\x7e]*$/.test(text)) return [text.trim()];
  return [upperHexOf(bytes), text];
}
