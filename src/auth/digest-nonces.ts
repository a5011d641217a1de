import {equalBytes} from './hash.js';
import {HmacKey} from './hmac-key.js';

const TIME = 6;
const DRAW = 8;
const MAC = 16;

/**
 * The nonces that the server gives out with its Digest challenges: base64url of the time in
 * milliseconds (6 bytes, big-endian), 8 random bytes and an HMAC over both. Nothing is stored, so
 * that any process with the same secret knows them again.
 */
export class DigestNonces {
  readonly #key: HmacKey;
  readonly #random: (size: number) => Uint8Array;

  /** `secret` is shared by the processes of a server; `random` draws so many bytes. */
  constructor(secret: Uint8Array, random: (size: number) => Uint8Array) {
    this.#key = new HmacKey(secret);
    this.#random = random;
  }

  /** A nonce that nobody else gets, good from `now` in milliseconds. */
  issue(now: number): string {
    const nonce = Buffer.alloc(TIME + DRAW + MAC);
    nonce.writeUIntBE(Math.floor(now), 0, TIME);
    nonce.set(this.#random(DRAW), TIME);
    nonce.set(this.#mac(nonce), TIME + DRAW);
    return nonce.toString('base64url');
  }

  /** When the nonce was issued, in milliseconds; undefined when it is none of this secret. */
  issuedAt(nonce: string): number | undefined {
    const bytes = Buffer.from(nonce, 'base64url');
    if (bytes.length !== TIME + DRAW + MAC || bytes.toString('base64url') !== nonce)
      return undefined;
    if (!equalBytes(this.#mac(bytes), bytes.subarray(TIME + DRAW))) return undefined;
    return bytes.readUIntBE(0, TIME);
  }

  #mac(nonce: Buffer): Buffer {
    return this.#key.sign(nonce.toString('latin1', 0, TIME + DRAW)).subarray(0, MAC);
  }
}
