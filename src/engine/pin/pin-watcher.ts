import type {KeyRing} from '../dukpt/key-ring.js';
import type {Explainer} from '../explanation.js';
import type {OpenedCard} from '../pipeline.js';
import type {PinFormat} from '../reading.js';
import {decryptPin, type Pin} from './decrypt-pin.js';

/** A PIN as an answer has it. */
export interface ShownPin {
  /** As entered; asterisks, always four, where it is masked. */
  readonly digits: string;
  /** Of ISO 9564-1. */
  readonly format: PinFormat;
  /** Under which the block was encrypted; absent if a working key decrypted it without one. */
  readonly ksn?: string;
}

/** Says nothing of how many digits there are. */
const MASK = '****';

/** Settings of a PinWatcher. */
export interface PinWatcherOptions {
  readonly format?: PinFormat | undefined;
  readonly explainer?: Explainer | undefined;
}

/** Decrypts the PIN block of the payload whose card the pipeline tells it of. */
export class PinWatcher {
  readonly #keys: KeyRing;
  readonly #format: PinFormat | undefined;
  readonly #explainer: Explainer | undefined;
  #pin: Pin | undefined;

  /** `format`: stated by the caller; without it, the payload may state it. */
  constructor(keys: KeyRing, {format, explainer}: PinWatcherOptions = {}) {
    this.#keys = keys;
    this.#format = format;
    this.#explainer = explainer;
  }

  /** Throws as decryptPin. */
  readonly onCard = (card: OpenedCard): void => {
    this.#pin = decryptPin(card, this.#keys, this.#format);
    this.#explainer?.addPin(this.#pin.planned, this.#pin.facts);
  };

  /** The PIN, once a card was decrypted; masked unless `reveal`. */
  shown(reveal: boolean): ShownPin | undefined {
    if (!this.#pin) return undefined;
    const {digits, format, planned} = this.#pin;
    const ksn = planned.ksn?.hex;
    return {digits: reveal ? digits : MASK, format, ...(ksn === undefined ? {} : {ksn})};
  }
}
