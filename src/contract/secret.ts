import {timingSafeEqual} from 'node:crypto';
import {inspect} from 'node:util';

const REDACTED = '[secret]';

/**
 * Key bytes that do not print. They live in an ArrayBuffer of their own, never in the shared Buffer
 * pool, and `wipe()` zeroes them. `toString`, `toJSON` and `util.inspect` give `[secret]`.
 */
export class Secret {
  readonly #bytes: Uint8Array;

  /** Takes a copy of `bytes`; the caller may wipe its own. */
  constructor(bytes: Uint8Array) {
    this.#bytes = new Uint8Array(bytes);
  }

  /** Reads hex of any case. Returns undefined when `hex` is not whole bytes of hex. */
  static fromHex(hex: string): Secret | undefined {
    if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) return undefined;
    const secret = new Secret(new Uint8Array(hex.length / 2));
    for (let i = 0; i < secret.#bytes.length; i++) {
      secret.#bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
    }
    return secret;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** The bytes themselves, not a copy: do not keep them longer than the secret. */
  reveal(): Uint8Array {
    return this.#bytes;
  }

  /** Compares in constant time; secrets of different lengths are never equal. */
  equals(other: Secret): boolean {
    return this.length === other.length && timingSafeEqual(this.#bytes, other.#bytes);
  }

  /** Zeroes the bytes. */
  wipe(): void {
    this.#bytes.fill(0);
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
