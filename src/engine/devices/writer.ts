import type {Mode} from '../../contract/process-payload.js';
import type {Variant} from '../dukpt/key-usage.js';
import type {CipherSetting} from '../reading.js';

/** The card that a payload is made of: as its stripe, its chip or its face shows it. */
export interface CardImage {
  readonly pan: string;
  /** YYMM. */
  readonly expiry: string;
  readonly serviceCode: string;
  /** `SURNAME/FIRST`. */
  readonly name?: string;
  /** Keyed entry only. */
  readonly cvv?: string;
  /** Canonical text, sentinels included, LRC left out. */
  readonly track1?: string;
  readonly track2?: string;
  readonly track3?: string;
}

/** Which key and chain encrypt a field, where the payload has more than one. */
interface EncryptOptions {
  /** Hex; absent: the payload's main KSN. */
  readonly ksn?: string;
  /** Absent: zero. */
  readonly iv?: Uint8Array;
}

/** Everything that a terminal knows when it makes a payload. */
export interface WriteRequest {
  readonly mode: Mode;
  readonly card: CardImage;
  /** Hex, of this very transaction. */
  readonly ksn: string;
  readonly serial?: string;
  readonly iv?: Uint8Array;
  /** Encrypts whole blocks under the working key that `setting` names. */
  readonly encrypt: (
    plain: Uint8Array,
    setting: CipherSetting,
    options?: EncryptOptions,
  ) => Uint8Array;
  /** HMAC-SHA256 of `message` under the working key of `ksn`, without self-encryption. */
  readonly hmac: (message: Uint8Array, key: {variant: Variant; ksn: string}) => Uint8Array;
  /** Spoil the LRC, checksum or CRC of the frame, if the format has one. */
  readonly wrongCheck?: boolean;
  /** The format's own settings, by the names that the writer documents. */
  readonly options: Readonly<Record<string, string>>;
}

/** The parameters of process-payload that carry what was written. */
export interface Written {
  readonly devicePayload: string;
  /** Only what the payload does not carry itself. */
  readonly ksn?: string;
  readonly iv?: string;
  readonly deviceSerial?: string;
}

/** One setting of a format: its name, its values, what it does. The first value is the default. */
export interface WriterOption {
  readonly name: string;
  readonly values: readonly string[];
  /** Any value of this form is also accepted. */
  readonly form?: RegExp;
  readonly meaning: string;
}

/** Makes payloads of one terminal: the reverse of its reader, from the same layout. */
export interface Writer {
  readonly modes: readonly Mode[];
  readonly options: readonly WriterOption[];
  /** Throws 9001 when the card lacks what the mode needs, or an option is unknown. */
  readonly write: (request: WriteRequest) => Written;
}
