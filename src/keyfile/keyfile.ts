import type {KeyEntry} from './keys/key-entry.js';
import type {PartnerEntry} from './partner-entry.js';

/** The version that this paylens writes; a higher one is refused (9013). */
export const KEYFILE_VERSION = 1;

/** The content of a keyfile. */
export interface Keyfile {
  readonly created?: string;
  readonly keys: readonly KeyEntry[];
  readonly partners: readonly PartnerEntry[];
  /** The age recipients that it is written to; none when a passphrase opens it. */
  readonly recipients: readonly string[];
  /** Top-level members that this version does not know: a save keeps them. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

/** A keyfile without keys. `created` is an ISO date and time. */
export function emptyKeyfile(created: string): Keyfile {
  return {created, keys: [], partners: [], recipients: [], unknown: {}};
}
