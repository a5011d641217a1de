import type {TlvObject} from '../tlv/ber.js';
import {severalReads} from './one-read.js';

/** What only one terminal sends: in the payload of another it belongs to a second read. */
export interface Signs {
  /** Tags of TLV lists: its ciphertexts and KSNs. */
  readonly tags?: ReadonlySet<string>;
  /** Whether an object with such a tag is a sign; absent: if it has a value. */
  readonly isSign?: (object: TlvObject, undeclared: readonly TlvObject[]) => boolean;
  /** The names of members with its ciphertext. */
  readonly members?: RegExp;
  /** What it alone sends in the midst of a text, in words; undefined if there is nothing. */
  readonly text?: (payload: string) => string | undefined;
}

/** A terminal, and its signs. */
export interface SignedTerminal {
  readonly type: string;
  readonly signs?: Signs | undefined;
}

/** The signs of a set of terminals. */
export interface SignIndex {
  readonly byTag: ReadonlyMap<string, readonly SignedTerminal[]>;
  /** The terminals with signs outside TLV lists. */
  readonly inText: readonly SignedTerminal[];
}

/** The signs of these terminals, those of TLV lists by their tags. */
export function indexSigns(terminals: readonly SignedTerminal[]): SignIndex {
  const byTag = new Map<string, SignedTerminal[]>();
  for (const terminal of terminals)
    for (const tag of terminal.signs?.tags ?? [])
      byTag.set(tag, [...(byTag.get(tag) ?? []), terminal]);
  const inText = terminals.filter(({signs}) => signs?.members ?? signs?.text);
  return {byTag, inText};
}

/** Checks that a text has no sign of another terminal in its midst. Throws 2100. */
export function assertOwnText(reader: SignedTerminal, payload: string, {inText}: SignIndex): void {
  for (const {type, signs} of inText) {
    const sign = type === reader.type ? undefined : signs?.text?.(payload);
    if (sign !== undefined) throw severalReads(`${sign}: a read of ${type} beside this one`);
  }
}

/** Checks that no terminal has a sign in the objects that a reading does not declare. Throws 2100. */
export function assertNoTags(undeclared: readonly TlvObject[], {byTag}: SignIndex): void {
  for (const object of undeclared) {
    const terminal = byTag
      .get(object.tag)
      ?.find(({signs}) => signs?.isSign?.(object, undeclared) ?? object.value.length > 0);
    if (!terminal) continue;
    const {tag, offset} = object;
    throw severalReads(`tag ${tag} at ${offset}: a read of ${terminal.type} beside this one`);
  }
}

const KSN_BYTES = [10, 12];

/** Signs whose tags other terminals use differently, but not in a list with one of these KSN tags. */
export function signsBesideKsn(tags: ReadonlySet<string>, ksns: ReadonlySet<string>) {
  const isKsn = ({tag, value}: TlvObject) => ksns.has(tag) && KSN_BYTES.includes(value.length);
  const isSign = ({value}: TlvObject, all: readonly TlvObject[]) =>
    value.length > 0 && all.some(isKsn);
  return {tags, isSign} satisfies Signs;
}
