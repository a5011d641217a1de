import type {PaylensError} from '../contract/paylens-error.js';
import type {Mode} from '../contract/process-payload.js';
import type {CardContent} from './card/card-content.js';
import type {MaskedPan} from './card/masked-pans.js';
import type {Algorithm, CipherMode} from './cipher/block-cipher.js';
import type {Variant} from './dukpt/key-usage.js';

/** How a ciphertext was made: data that the corridor follows without branches of its own. */
export interface CipherSetting {
  readonly algorithm: Algorithm;
  readonly mode: CipherMode;
  readonly variant: Variant;
  /** Whether the variant key is encrypted under itself (X9.24-1:2009, A.4.1, data keys). */
  readonly selfEncrypted: boolean;
}

/**
 * What every verified sample of the enum uses, BBPOS format 54 excepted
 * (docs/formats/README.md#payload-formats).
 */
export const CARD_DATA_SETTING: CipherSetting = {
  algorithm: 'tdes',
  mode: 'cbc',
  variant: 'data',
  selfEncrypted: true,
};

/** One separately encrypted field of a payload: its own chain, its own KSN. */
export interface EncryptedField {
  /** As people call it: `track 1`, `tag DFAE02`. */
  readonly name: string;
  /** Offset of the ciphertext, in units of the trace. */
  readonly offset: number;
  readonly ciphertext: Uint8Array;
  /** As the payload gives it, in hex; absent: the request's. */
  readonly ksn?: string | undefined;
  /** As the payload gives it, in hex; absent: the request's, else zero. */
  readonly iv?: string | undefined;
  readonly setting: CipherSetting;
  /** Which of several swipes it belongs to; absent: that of its KSN. */
  readonly swipe?: string;
  /** The terminal usually sends an IV: a lost first block then means that it is missing (2602). */
  readonly ivExpected?: boolean;
  /**
   * Proves that `plain` (whole blocks, fill included) is this field's card data and reads it.
   * Throws 2601 when it is not.
   */
  readonly open: (plain: Uint8Array) => CardContent;
}

/** A MAC that is checked once the plaintext was accepted, when its KSN has a key. */
export interface Seal {
  readonly name: string;
  readonly offset: number;
  readonly ksn: string;
  readonly variant: Variant;
  /** HMAC-SHA256 of `message` under the working key. */
  readonly message: Uint8Array;
  readonly mac: Uint8Array;
}

/** Result of parsing a payload. The parts themselves, byte by byte, are in the Trace. */
export interface Reading {
  /** The form in words: `enhanced swipe frame, keyboard text`. */
  readonly form: string;
  /**
   * Where it has no frame, tags or text of the terminal's own: nothing but its `length` tells its form,
   * so that it may be any ciphertext, or its `members`, which people write, too.
   */
  readonly toldBy?: 'length' | 'members' | undefined;
  readonly serial?: string;
  /** The serial may be inside the ciphertext: devices are looked up after decryption. */
  readonly serialInside?: boolean;
  /** What the format says, or how this terminal's content tells; absent: `modeOf`. */
  readonly mode?: Mode | ((content: CardContent) => Mode);
  /**
   * The ways the payload can be meant, most likely first: the first whose fields all open wins.
   * Nearly every format has exactly one.
   */
  readonly candidates: readonly (readonly EncryptedField[])[];
  /** Clear members that the response carries beside the decrypted ones. */
  readonly clear?: CardContent;
  /** Messages of this terminal are published whose clear expiry is not the card's. */
  readonly clearExpiryMayDiffer?: true;
  /** Why this payload is refused although its form is right: 2110, 2111. */
  readonly refusal?: PaylensError;
  readonly seals?: readonly Seal[];
  /**
   * Further ciphertext of the card, which the answer does not need: where its key is there and it
   * opens, it must be of the same card. Every one is of its own.
   */
  readonly witnesses?: readonly EncryptedField[];
  /** Every masked copy of the card number: none may contradict the one that is answered. */
  readonly masked?: readonly MaskedPan[];
  /** Every KSN in the payload, in upper-case hex; absent: the KSNs of the fields. */
  readonly ksns?: readonly string[];
  /**
   * Further agreement between the opened fields, together and one by one; throws 2601 when they
   * contradict each other.
   */
  readonly agree?: (content: CardContent, each: readonly CardContent[]) => void;
  /** How track members are given: base64 only when the payload itself was base64. */
  readonly encoding?: 'hex' | 'base64';
}
