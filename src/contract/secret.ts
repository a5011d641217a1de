import {bytesFromUtf8} from '../platform/bytes.js';
import {equalBytes} from '../platform/hash.js';

const REDACTED = '[secret]';
/** What `util.inspect` of Node, Bun and Deno asks for. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * Key bytes that do not print. They live in an ArrayBuffer of their own, never in a shared
 * pool, and `wipe()` zeroes them. `toString`, `toJSON` and `util.inspect` give `[secret]`.
 */
export class Secret {
  readonly #bytes: Uint8Array;

  /** Takes a copy of `bytes`; the caller may wipe its own. */
  constructor(bytes: Uint8Array) {
    this.#bytes = new Uint8Array(bytes);
  }

  /** The UTF-8 of a text. */
  static ofText(text: string): Secret {
    return new Secret(bytesFromUtf8(text));
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
    return equalBytes(this.#bytes, other.#bytes);
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

  [INSPECT](): string {
    return REDACTED;
  }
}
