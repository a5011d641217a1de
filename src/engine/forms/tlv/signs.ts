import type {TlvObject} from '../../tlv/ber.js';
import {severalReads} from '../one-read.js';

/** The objects that only one terminal sends: in the list of another they are of a second read. */
export interface TlvSigns {
  /** Its ciphertexts and KSNs. */
  readonly tags: ReadonlySet<string>;
  /** Whether an object with such a tag is a sign; absent: if it has a value. */
  readonly isSign?: (object: TlvObject, undeclared: readonly TlvObject[]) => boolean;
}

/** A terminal with such objects. */
interface SignedTerminal {
  readonly type: string;
  readonly signs?: TlvSigns | undefined;
}

/** The terminals that a tag is a sign of. */
export type SignIndex = ReadonlyMap<string, readonly SignedTerminal[]>;

/** The signs of these terminals by their tags. */
export function indexSigns(terminals: readonly SignedTerminal[]): SignIndex {
  const index = new Map<string, SignedTerminal[]>();
  for (const terminal of terminals)
    for (const tag of terminal.signs?.tags ?? [])
      index.set(tag, [...(index.get(tag) ?? []), terminal]);
  return index;
}

/**
 * Checks the objects of a list that its own terminal does not declare. Throws 2100 if one of them is
 * a sign of a terminal: the payload contains a second read.
 */
export function assertNoSigns(undeclared: readonly TlvObject[], index: SignIndex): void {
  for (const object of undeclared) {
    const terminal = index
      .get(object.tag)
      ?.find(({signs}) => signs?.isSign?.(object, undeclared) ?? object.value.length > 0);
    if (!terminal) continue;
    const {tag, offset} = object;
    throw severalReads(`tag ${tag} at ${offset}: a read of ${terminal.type} beside this one`);
  }
}

const KSN_BYTES = [10, 12];

/** Signs with tags that mean other things elsewhere, but not beside a KSN under one of these tags. */
export function signsBesideKsn(
  tags: ReadonlySet<string>,
  ksns: ReadonlySet<string>,
): Required<TlvSigns> {
  const isKsn = ({tag, value}: TlvObject) => ksns.has(tag) && KSN_BYTES.includes(value.length);
  return {tags, isSign: ({value}, all) => value.length > 0 && all.some(isKsn)};
}
