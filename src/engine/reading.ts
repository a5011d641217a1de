import type {PaylensError} from '../contract/paylens-error.js';
import type {Mode} from '../contract/process-payload.js';
import type {CardContent} from './card/card-content.js';
import type {MaskedPan} from './card/masked-pans.js';
import type {Algorithm, CipherMode} from './cipher/block-cipher.js';
import type {AesKeyType, AesKeyUsage, Variant} from './dukpt/key-usage.js';
import type {MacKind} from './dukpt/mac.js';
import type {TlvObject} from './tlv/ber.js';

/** How a field was encrypted, as data: the pipeline has no branches per terminal. */
export interface CipherSetting {
  readonly algorithm: Algorithm;
  readonly mode: CipherMode;
  readonly variant: Variant;
  /** Whether the variant key is self-encrypted (X9.24-1:2009, A.4.1, data keys). */
  readonly selfEncrypted: boolean;
  /** The AES DUKPT working key that the payload names; absent: the usages of card data are tried. */
  readonly aes?: {readonly usage: AesKeyUsage; readonly type?: AesKeyType};
}

/**
 * The setting of every verified sample except BBPOS format 54
 * (docs/terminals.md#payload-formats).
 */
export const CARD_DATA_SETTING: CipherSetting = {
  algorithm: 'tdes',
  mode: 'cbc',
  variant: 'data',
  selfEncrypted: true,
};

/** One separately encrypted field of a payload, with its own CBC chain and KSN. */
export interface EncryptedField {
  /** Name for people: `track 1`, `tag DFAE02`. */
  readonly name: string;
  /** Offset of the ciphertext, in units of the trace. */
  readonly offset: number;
  readonly ciphertext: Uint8Array;
  /** As in the payload, in hex; absent: the request's. */
  readonly ksn?: string | undefined;
  /** As in the payload, in hex; absent: the request's, else zero. */
  readonly iv?: string | undefined;
  readonly setting: CipherSetting;
  /** Modes to try under a working key, most likely first; absent: that of the setting. */
  readonly workingModes?: readonly CipherMode[];
  /** The format also uses single DES: a working key may have 8 bytes. */
  readonly singleDes?: boolean;
  /** Which of several swipes the field belongs to; absent: that of its KSN. */
  readonly swipe?: string;
  /** The terminal usually sends an IV: an unreadable first block then means a missing IV (2602). */
  readonly ivExpected?: boolean;
  /** Further data of the card, under another key: left out if there is no key for its KSN. */
  readonly optional?: true;
  /**
   * Checks that `plain` (whole blocks, padding included) is this field's card data, and reads it.
   * Throws 2601 if it is not, 2102 if its end is missing. `mode` is the one that it was decrypted in.
   */
  readonly open: (plain: Uint8Array, mode?: CipherMode) => Opened;
}

/** A value that may be encrypted as the read itself is: nothing says what it holds. */
export type UnreadField = Pick<EncryptedField, 'name' | 'ciphertext'>;

/** The cause of an error about a value of this read under another name than that of its form. */
export class MistypedName {}

/** What a field contains; what is encrypted again inside it is decrypted next. */
export interface Opened extends CardContent {
  readonly within?: readonly EncryptedField[];
}

/** A MAC, checked after the plaintext was accepted if there is a key for its KSN. */
export interface MessageMac extends MacKind {
  readonly name: string;
  readonly offset: number;
  readonly ksn: string;
  readonly message: Uint8Array;
  /** As sent. */
  readonly mac: Uint8Array;
  /** How many of its first bytes are sent; absent: all. */
  readonly sent?: number;
}

/** The formats of ISO 9564-1 whose PIN blocks are encrypted with a secret key. */
export type PinFormat = 0 | 1 | 3 | 4;

export const PIN_FORMATS: readonly PinFormat[] = [0, 1, 3, 4];

/** The format that a text like `ISO0` or `iso-0` names (nexo PINFormat codes); undefined for another. */
export function pinFormatOf(text = ''): PinFormat | undefined {
  const [, digit] = /^iso-?([0134])$/i.exec(text.trim()) ?? [];
  return digit === undefined ? undefined : (Number(digit) as PinFormat);
}

/** An encrypted PIN. It is in no response: only `decrypt --pin` opens it. */
export interface PinBlock {
  readonly name: string;
  /** The format that the payload states for it, if it does. */
  readonly format?: PinFormat | undefined;
  /** Offset of the ciphertext, in units of the trace. */
  readonly offset: number;
  readonly ciphertext: Uint8Array;
  /** As in the payload, in hex; absent: that of the card data. */
  readonly ksn?: string | undefined;
}

/** Result of parsing a payload. The parts themselves, byte by byte, are in the Trace. */
export interface Reading {
  /** The format in words: `enhanced swipe frame, keyboard text`. */
  readonly form: string;
  /**
   * Set if the payload has no frame, tags or text of this terminal's own: it is recognised only by
   * its `length`, so that it may be any ciphertext, or by its `members`, which people also write by
   * hand.
   */
  readonly recognisedBy?: 'length' | 'members' | undefined;
  readonly serial?: string | undefined;
  /** The serial may be inside the ciphertext, so devices are looked up after decryption. */
  readonly serialInside?: boolean;
  /** Given by the format, or determined from the content; absent: `modeOf`. */
  readonly mode?: Mode | ((content: CardContent) => Mode) | undefined;
  /**
   * The possible interpretations of the payload, most likely first. The first whose fields are all
   * accepted wins; nearly every format has exactly one.
   */
  readonly candidates: readonly (readonly EncryptedField[])[];
  /** Clear members of the response, in addition to the decrypted ones. */
  readonly clear?: CardContent;
  /**
   * Set if published messages of this terminal have a clear expiry that differs from the card's.
   */
  readonly clearExpiryMayDiffer?: true;
  /** Set if a published swipe of this terminal has a blank track 1 beside a track 2 with a number. */
  readonly tracksMayDiffer?: true;
  /** Why this payload is refused although it is well-formed: 2110, 2111. */
  readonly refusal?: PaylensError | undefined;
  /** Only the key is out of reach: a working key that serves the data makes up for it. */
  readonly takesWorkingKey?: true;
  readonly macs?: readonly MessageMac[];
  /**
   * A check of the frame that failed, but that data which opens excuses; if nothing opens, it is
   * the error.
   */
  readonly doubt?: PaylensError;
  /**
   * Set if one block is all that depends on the key, so that no search can prove one: what to pass,
   * in a sentence.
   */
  readonly oneBlock?: string;
  /**
   * Further ciphertext of the card that the response does not need. If its key is available and it
   * decrypts, it must be of the same card. Each is decrypted on its own.
   */
  readonly secondaryFields?: readonly EncryptedField[];
  /** @internal What may be ciphertext of this read under names that its form does not declare: none may open. */
  readonly unread?: readonly UnreadField[];
  readonly pins?: readonly PinBlock[];
  /**
   * @internal The objects of its TLV list that its terminal does not declare, nested ones included: none may be
   * of another terminal's read.
   */
  readonly undeclared?: readonly TlvObject[];
  /** Every masked copy of the card number: none may contradict the number in the response. */
  readonly masked?: readonly MaskedPan[];
  /** Every KSN in the payload, in upper-case hex; absent: the KSNs of the fields. */
  readonly ksns?: readonly string[];
  /**
   * Further agreement between the decrypted fields, merged and one by one; throws 2601 if they
   * contradict each other.
   */
  readonly agree?: (content: CardContent, each: readonly CardContent[]) => void;
  /** How track members are given: base64 only when the payload itself was base64. */
  readonly encoding?: 'hex' | 'base64';
}
