import type {CardContent} from '../../engine/card/card-content.js';
import type {PayloadForm} from '../../engine/devices/terminal.js';
import type {CipherSetting, EncryptedField, Reading} from '../../engine/reading.js';
import type {Finding} from '../finding.js';

/** Unreadable bytes, by offset: from, to. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** A ciphertext to be opened, with what is known about it. */
export interface Target {
  readonly name: string;
  readonly ciphertext: Uint8Array;
  /** Its own KSN, as the payload gives it. */
  readonly ksn?: string | undefined;
  /** Its own IV, in hex. */
  readonly iv?: string | undefined;
  /** Encryption settings of the terminal's format. */
  readonly setting?: CipherSetting | undefined;
  /** Positions of missing digits; zeros are in their place. */
  readonly gaps?: readonly Gap[];
  /** The test of the reader that found it. */
  readonly open?: EncryptedField['open'] | undefined;
}

/** Where an IV came from; `computed`: from the plaintext that was expected. */
export type IvSource = 'zero' | 'given' | 'own' | 'hidden' | 'prepended' | 'computed';

export interface IvCandidate {
  readonly bytes: Uint8Array;
  readonly source: IvSource;
}

/** How the ciphertexts of a subject were found. */
export type SubjectKind =
  /** Positions reported by a reader. */
  | 'reading'
  /** Given as a blob; a KSN may precede or follow it. */
  | 'bare'
  /** Several that were given belong to one message. */
  | 'together'
  /** All ciphertexts of another interpretation, joined. */
  | 'joined'
  /** Runs of digits in other text. */
  | 'in-text'
  /** Pieces of a blob that may overlap. */
  | 'pieces'
  /** Begins in a blob; its end is not known. */
  | 'window';

/** One way to understand what was given: a reading of the payload, or bare ciphertexts. */
export interface Subject {
  readonly kind: SubjectKind;
  /** In words: `enhanced swipe frame, keyboard text`, `bare ciphertext`. */
  readonly form: string;
  /** The reader; absent: no reader. */
  readonly reader?: PayloadForm;
  readonly toldBy?: Reading['toldBy'];
  readonly targets: readonly Target[];
  /** Findings that apply if this interpretation is correct. */
  readonly findings: readonly Finding[];
  /** The payload in a form that `decrypt` accepts. */
  readonly payload?: string;
  /** Whether all fields agree with each other. */
  readonly agree?: (content: CardContent, each: readonly CardContent[]) => void;
  /** Digits of it are missing; between whole blocks may be what stands between two ciphertexts. */
  readonly gap?: 'inside' | 'between blocks';
}

/** Whether nothing but the length of a blob told its form: it may be any ciphertext. */
export function isToldByLength({toldBy}: Pick<Reading, 'toldBy'>): boolean {
  return toldBy === 'length';
}
