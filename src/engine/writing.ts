import type {Mode} from '../contract/process-payload.js';
import type {Variant} from './dukpt/key-usage.js';
import type {MacKind} from './dukpt/mac.js';
import type {CipherSetting} from './reading.js';

/** The card in a payload: data of its magnetic stripe, its chip and its face. */
export interface CardImage {
  readonly pan: string;
  /** YYMM. */
  readonly expiry: string;
  readonly serviceCode: string;
  /** `SURNAME/FIRST`. */
  readonly name?: string;
  /** Keyed entry only. */
  readonly cvv?: string;
  /** Canonical text, with sentinels, without LRC. */
  readonly track1?: string;
  readonly track2?: string;
  readonly track3?: string;
}

/** The key and the CBC chain of a field, if the payload has more than one. */
interface EncryptOptions {
  /** Hex; absent: the payload's main KSN. */
  readonly ksn?: string;
  /** Absent: zero. */
  readonly iv?: Uint8Array;
}

/** Everything that a terminal has when it creates a payload. */
export interface WriteRequest {
  readonly mode: Mode;
  readonly card: CardImage;
  /** Hex, with the counter of this transaction. */
  readonly ksn: string;
  readonly serial?: string;
  readonly iv?: Uint8Array;
  /** Encrypts whole blocks under the working key given by `setting`. */
  readonly encrypt: (
    plain: Uint8Array,
    setting: CipherSetting,
    options?: EncryptOptions,
  ) => Uint8Array;
  /** HMAC-SHA256 of `message` under the working key of `ksn`, without self-encryption. */
  readonly hmac: (message: Uint8Array, key: {variant: Variant; ksn: string}) => Uint8Array;
  /** The MAC of `message` under the working key of `ksn`. */
  readonly mac: (message: Uint8Array, kind: MacKind, ksn: string) => Uint8Array;
  /** Corrupt the LRC, checksum or CRC of the frame, if the format has one. */
  readonly wrongCheck?: boolean;
  /** The format's own settings, under the names that the writer documents. */
  readonly options: Readonly<Record<string, string>>;
}

/** The parameters of process-payload for the payload written. */
export interface Written {
  readonly devicePayload: string;
  /** Only if the payload does not contain it. */
  readonly ksn?: string;
  readonly iv?: string;
  readonly deviceSerial?: string;
}

/** One setting of a format: its name, its values, its effect. The first value is the default. */
export interface WriterOption {
  readonly name: string;
  readonly values: readonly string[];
  /** Values of this form are also accepted. */
  readonly form?: RegExp;
  readonly meaning: string;
}

/** Generates payloads of one terminal: the reverse of its reader, based on the same layout. */
export interface Writer {
  readonly modes: readonly Mode[];
  readonly options: readonly WriterOption[];
  /** Modes whose format has room for a KSN of 10 bytes only (TDES DUKPT); absent: none. */
  readonly tdesOnly?: readonly Mode[];
  /** Throws 9001 if the card lacks data that the mode needs, or an option is unknown. */
  readonly write: (request: WriteRequest) => Written;
}
