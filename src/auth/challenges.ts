import {base64UrlOf, latin1Of, looseBase64} from '../platform/bytes.js';
import {equalBytes} from '../platform/hash.js';
import {REALM} from './partner/digest-key.js';
import {HmacKey} from './partner/hmac-key.js';

const TIME = 6;
const DRAW = 8;
const MAC = 16;
/** Characters of the time in base64url. */
const TIME_TEXT = 8;

/**
 * The nonces that the server gives out with its Digest challenges: the time in milliseconds (6
 * bytes, big-endian), a colon, then 8 random bytes and an HMAC over both; all in base64url. Nothing
 * is stored, so that any process with the same secret recognises them. The colon distinguishes them
 * from the nonces of pre-emptive Digest, which contain none.
 */
export class DigestNonces {
  readonly #key: HmacKey;
  readonly #random: (size: number) => Uint8Array;

  /** `secret` is shared by the processes of a server; `random` draws the given number of bytes. */
  constructor(secret: Uint8Array, random: (size: number) => Uint8Array) {
    this.#key = new HmacKey(secret);
    this.#random = random;
  }

  /** Returns a unique nonce, valid from `now` (in milliseconds). */
  issue(now: number): string {
    const nonce = new Uint8Array(TIME + DRAW + MAC);
    for (let at = TIME - 1, rest = Math.floor(now); at >= 0; at--, rest = Math.floor(rest / 256))
      nonce[at] = rest % 256;
    nonce.set(this.#random(DRAW), TIME);
    nonce.set(this.#mac(nonce), TIME + DRAW);
    return nonceText(nonce);
  }

  /**
   * When the nonce was issued, in milliseconds; undefined if it was not issued with this secret.
   */
  issuedAt(nonce: string): number | undefined {
    const bytes = looseBase64(nonce.replace(':', ''));
    if (bytes.length !== TIME + DRAW + MAC || nonceText(bytes) !== nonce) return undefined;
    if (!equalBytes(this.#mac(bytes), bytes.subarray(TIME + DRAW))) return undefined;
    return bytes.subarray(0, TIME).reduce((time, byte) => 256 * time + byte, 0);
  }

  #mac(nonce: Uint8Array): Uint8Array {
    return this.#key.sign(latin1Of(nonce.subarray(0, TIME + DRAW))).subarray(0, MAC);
  }
}

function nonceText(nonce: Uint8Array): string {
  const text = base64UrlOf(nonce);
  return `${text.slice(0, TIME_TEXT)}:${text.slice(TIME_TEXT)}`;
}

/**
 * The values of the WWW-Authenticate headers, in the order in which they are sent, for Digest two:
 * SHA-256 before MD5 (docs/contract.md#http-statuses). Transparent and pre-emptive Digest have none.
 * The nonce was just issued; `stale`: the response was right, but for its nonce (RFC 7616, 3.3).
 */
export function challenges({nonce, stale}: {nonce: string; stale?: boolean}): string[] {
  const end = stale ? ', stale=true' : '';
  const digest = (algorithm: string) =>
    `Digest realm="${REALM}", qop="auth", algorithm=${algorithm}, nonce="${nonce}", charset=UTF-8${end}`;
  return [
    `Hmac realm="${REALM}"`,
    `Rsa realm="${REALM}"`,
    digest('SHA-256'),
    digest('MD5'),
    `Basic realm="${REALM}", charset="UTF-8"`,
  ];
}
