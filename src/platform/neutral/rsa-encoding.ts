// The few DER structures of RSA keys (RFC 8017, A.1; RFC 5280, 4.1; RFC 5208, 5).

/** The public numbers of a key, big-endian without leading zeros. */
export interface RsaNumbers {
  readonly modulus: Uint8Array;
  readonly exponent: Uint8Array;
}

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const SEQUENCE = 0x30;
/** SEQUENCE of rsaEncryption (1.2.840.113549.1.1.1) and NULL. */
const RSA_ENCRYPTION = Uint8Array.of(
  ...[0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00],
);
const ZERO = Uint8Array.of(INTEGER, 1, 0);

/** A SubjectPublicKeyInfo; undefined when it is none of RSA. */
export function readSpki(der: Uint8Array): RsaNumbers | undefined {
  const [algorithm, bits, ...others] = partsOf(der, SEQUENCE) ?? [];
  if (!algorithm || !bits || others.length > 0 || !isRsa(algorithm)) return undefined;
  const body = bits.tag === BIT_STRING && bits.body[0] === 0 ? bits.body.subarray(1) : undefined;
  const numbers = body && partsOf(body, SEQUENCE);
  return numbers?.length === 2 ? numbersOf(numbers) : undefined;
}

/** A PrivateKeyInfo; undefined when it is none of RSA. */
export function readPkcs8(der: Uint8Array): RsaNumbers | undefined {
  const [version, algorithm, key] = partsOf(der, SEQUENCE) ?? [];
  if (version?.tag !== INTEGER || !algorithm || !isRsa(algorithm)) return undefined;
  return key?.tag === OCTET_STRING ? readPkcs1(key.body) : undefined;
}

/** An RSAPrivateKey of two primes; undefined for anything else. */
export function readPkcs1(der: Uint8Array): RsaNumbers | undefined {
  const parts = partsOf(der, SEQUENCE);
  return parts?.length === 9 ? numbersOf(parts.slice(1)) : undefined;
}

/** The PrivateKeyInfo of an RSAPrivateKey. */
export function writePkcs8(pkcs1: Uint8Array): Uint8Array<ArrayBuffer> {
  return element(SEQUENCE, ZERO, RSA_ENCRYPTION, element(OCTET_STRING, pkcs1));
}

/** The SubjectPublicKeyInfo of a public key. */
export function writeSpki({modulus, exponent}: RsaNumbers): Uint8Array {
  const key = element(SEQUENCE, integer(modulus), integer(exponent));
  return element(SEQUENCE, RSA_ENCRYPTION, element(BIT_STRING, Uint8Array.of(0), key));
}

interface Element {
  readonly tag: number;
  readonly body: Uint8Array;
  readonly whole: Uint8Array;
}

function isRsa({whole}: Element): boolean {
  return (
    whole.length === RSA_ENCRYPTION.length && whole.every((byte, i) => byte === RSA_ENCRYPTION[i])
  );
}

function numbersOf([n, e]: readonly Element[]): RsaNumbers | undefined {
  if (n?.tag !== INTEGER || e?.tag !== INTEGER) return undefined;
  return {modulus: unsigned(n.body), exponent: unsigned(e.body)};
}

function unsigned(body: Uint8Array): Uint8Array {
  return body[0] === 0 ? body.subarray(1) : body;
}

/** The elements of the one element that `bytes` are; undefined when they are anything else. */
function partsOf(bytes: Uint8Array, tag: number): Element[] | undefined {
  const whole = elementAt(bytes, 0);
  if (whole?.tag !== tag || whole.whole.length !== bytes.length) return undefined;
  const parts: Element[] = [];
  for (let at = 0; at < whole.body.length; ) {
    const part = elementAt(whole.body, at);
    if (!part) return undefined;
    parts.push(part);
    at += part.whole.length;
  }
  return parts;
}

function elementAt(bytes: Uint8Array, at: number): Element | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) return undefined;
  const more = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + more;
  const length = more === 0 ? first : bigEndian(bytes.subarray(at + 2, start));
  const end = start + length;
  if (more > 3 || end > bytes.length) return undefined;
  return {tag, body: bytes.subarray(start, end), whole: bytes.subarray(at, end)};
}

function bigEndian(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => 256 * sum + byte, 0);
}

function integer(number: Uint8Array): Uint8Array {
  const sign = (number[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : new Uint8Array();
  return element(INTEGER, sign, number);
}

function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = parts.flatMap((part) => [...part]);
  return Uint8Array.of(tag, ...lengthOf(body.length), ...body);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}
