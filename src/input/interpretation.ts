import type {CardContent} from '../engine/card/card-content.js';
import type {PayloadForm} from '../engine/families/terminal.js';
import type {CipherSetting, EncryptedField, Reading} from '../engine/reading.js';
import type {InputFinding} from './finding.js';
import type {Place} from './notations/notation.js';

/** A ciphertext to decrypt, with everything known about it. */
export interface Target {
  readonly name: string;
  readonly ciphertext: Uint8Array;
  /** The same with the bytes cut off after it, which may still belong to it. */
  readonly uncut?: Uint8Array;
  /** Its own KSN, as in the payload. */
  readonly ksn?: string | undefined;
  /** Its own IV, in hex. */
  readonly iv?: string | undefined;
  /** Encryption settings of the terminal's format. */
  readonly setting?: CipherSetting | undefined;
  /** Positions of missing digits; zeros are in their place. */
  readonly gaps?: readonly Place[];
  /** The check of the reader that found it. */
  readonly open?: EncryptedField['open'] | undefined;
}

/** The source of an IV; `written`: not as hex digits; `computed`: from the expected plaintext. */
export type IvSource = 'zero' | 'given' | 'own' | 'written' | 'hidden' | 'prepended' | 'computed';

export interface IvCandidate {
  readonly bytes: Uint8Array;
  readonly source: IvSource;
}

/** How the ciphertexts of an interpretation were found. */
export type InterpretationKind =
  /** At positions reported by a reader. */
  | 'reading'
  /** Given as a blob; a KSN may precede or follow it. */
  | 'bare'
  /** Several given ciphertexts of one message. */
  | 'together'
  /** All ciphertexts of another interpretation, joined. */
  | 'joined'
  /** Runs of digits in other text. */
  | 'in-text'
  /** Pieces of a blob that may overlap. */
  | 'pieces'
  /** Begins inside a blob; its end is not known. */
  | 'window';

/** One interpretation of the input: a reading of the payload, or bare ciphertexts. */
export interface Interpretation {
  readonly kind: InterpretationKind;
  /** In words: `enhanced swipe frame, keyboard text`, `bare ciphertext`. */
  readonly form: string;
  /** The reader; absent for bare ciphertext. */
  readonly reader?: PayloadForm;
  readonly recognisedBy?: Reading['recognisedBy'];
  readonly targets: readonly Target[];
  /** Findings that apply if this interpretation is correct. */
  readonly findings: readonly InputFinding[];
  /** The payload in a form that `decrypt` accepts. */
  readonly payload?: string;
  /** One block is all that depends on the key: what to pass, in a sentence. */
  readonly oneBlock?: string;
  /** Checks that all fields agree with each other. */
  readonly agree?: (content: CardContent, each: readonly CardContent[]) => void;
  /** Digits are missing; between whole blocks the gap may contain what separates two ciphertexts. */
  readonly gap?: 'inside' | 'between blocks' | undefined;
}

/** True if a blob was recognised only by its length: it may be any ciphertext. */
export function isRecognisedByLength({recognisedBy}: Pick<Reading, 'recognisedBy'>): boolean {
  return recognisedBy === 'length';
}

/** True for an interpretation without damage, which is more likely than one with damage. */
export function isIntact({findings}: Interpretation): boolean {
  return findings.every(({label}) => label !== 'frame-damaged');
}

/** True if a reader accepts an undamaged payload by more than its length. */
export function isReading(one: Interpretation): one is Interpretation & {reader: PayloadForm} {
  return one.reader !== undefined && !isRecognisedByLength(one) && isIntact(one);
}
