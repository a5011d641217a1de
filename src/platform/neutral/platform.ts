export {hashHex, hashLatin1, hmac, hmacSha256, sha1Hex, sha256Hex} from './hashes.js';
export * from './rsa.js';
export * from './text.js';

/** Only Node can be asked where errors come from. */
export const TRACING = false;

/** A page, which may have to ask for it, decrypts one payload or a few. */
export const COMPILES_DES = false;

/** Compares in constant time; arrays of different lengths are never equal. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  let different = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) different |= (a[i] as number) ^ (b[i] as number);
  return different === 0;
}

/** What one call of getRandomValues draws at most. */
const MOST_DRAWN = 65_536;

/** Random bytes that nobody can predict. */
export function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += MOST_DRAWN) {
    crypto.getRandomValues(bytes.subarray(at, at + MOST_DRAWN));
  }
  return bytes;
}

/** Milliseconds, from any starting point: a browser does not tell what a script works. */
export function workedMs(): number {
  return performance.now();
}

/** Resolves after events that wait have had their turn; a timer would take 4 ms. */
export function nextTurn(): Promise<void> {
  const {port1, port2} = new MessageChannel();
  return new Promise((resolve) => {
    Object.assign(port1, {
      onmessage: () => {
        port1.close();
        resolve();
      },
    });
    port2.postMessage(undefined);
  });
}
