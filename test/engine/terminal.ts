import {createCipheriv} from 'node:crypto';
import {TEST_BDK} from './samples.js';

/**
 * A terminal implemented with node:crypto alone: TDES DUKPT of ANSI X9.24-1:2009, Annex A, written
 * independently, so that no payload of the tests comes from the code under test.
 */
const MASKS = {
  none: '0000000000000000',
  pin: '00000000000000FF',
  mac: '000000000000FF00',
  'mac-response': '00000000FF000000',
  data: '0000000000FF0000',
  'data-response': '000000FF00000000',
} as const;

export interface Encryption {
  readonly ksn: string;
  readonly bdk?: string;
  readonly variant?: keyof typeof MASKS;
  readonly selfEncrypted?: boolean;
  /** For AES DUKPT; default 3000, data encryption. */
  readonly usage?: number;
  readonly algorithm?: 'tdes' | 'aes';
  readonly mode?: 'cbc' | 'ecb';
  readonly iv?: string;
  /** Padding of the plaintext to whole blocks; default zeros, none if already aligned. */
  readonly fill?: 'zero' | 'iso7816' | 'pkcs7' | 'x923' | 'ff' | 'none';
}

/** Pads `plain` to whole blocks and encrypts it as a terminal would. */
export function encrypt(plain: string | Uint8Array, options: Encryption): Buffer {
  const {algorithm = options.ksn.length === 24 ? 'aes' : 'tdes', mode = 'cbc', iv} = options;
  const block = algorithm === 'aes' ? 16 : 8;
  const key = workingKey(options);
  const name = algorithm === 'aes' ? `aes-128-${mode}` : `des-ede3-${mode}`;
  const chain = mode === 'ecb' ? null : iv ? Buffer.from(iv, 'hex') : Buffer.alloc(block);
  const whole = algorithm === 'aes' ? key : Buffer.concat([key, key.subarray(0, 8)]);
  const cipher = createCipheriv(name === 'des-ede3-ecb' ? 'des-ede3' : name, whole, chain);
  cipher.setAutoPadding(false);
  return Buffer.concat([
    cipher.update(filled(bytesOf(plain), block, options.fill)),
    cipher.final(),
  ]);
}

/** The working key of a transaction; for a 12-byte KSN the AES DUKPT key for `usage`. */
export function workingKey(options: Encryption): Buffer {
  if (options.ksn.length === 24) return aesWorkingKey(options);
  const {ksn, bdk = TEST_BDK, variant = 'data', selfEncrypted = variant === 'data'} = options;
  const mask = Buffer.from(MASKS[variant].repeat(2), 'hex');
  const key = xor(transactionKey(bdk, ksn), mask);
  return selfEncrypted ? tdes(key, key) : key;
}

/** Latin-1 text to bytes. */
export function bytesOf(plain: string | Uint8Array): Buffer {
  return typeof plain === 'string' ? Buffer.from(plain, 'latin1') : Buffer.from(plain);
}

/** One TLV object with the shortest length. */
export function tlv(tag: string, value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'hex') : Buffer.from(value);
  const n = bytes.length;
  const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 255];
  return Buffer.concat([Buffer.from(tag, 'hex'), Buffer.from(length), bytes]);
}

/** The track's LRC character, computed as in ISO/IEC 7811. */
export function lrcOf(text: string): string {
  const base = text.startsWith('%') ? 0x20 : 0x30;
  const mask = base === 0x20 ? 0x3f : 0x0f;
  return String.fromCharCode(
    base + [...text].reduce((lrc, c) => lrc ^ ((c.charCodeAt(0) - base) & mask), 0),
  );
}

function filled(plain: Buffer, block: number, fill: Encryption['fill'] = 'zero'): Buffer {
  const free = (block - (plain.length % block)) % block;
  const own = free === 0 ? block : free;
  const tails = {
    none: () => [],
    zero: () => Array(free).fill(0),
    ff: () => Array(free).fill(0xff),
    iso7816: () => [0x80, ...Array(own - 1).fill(0)],
    pkcs7: () => Array(own).fill(own),
    x923: () => [...Array(own - 1).fill(0), own],
  };
  return Buffer.concat([plain, Buffer.from(tails[fill]())]);
}

function transactionKey(bdk: string, ksn: string): Buffer {
  const serial = BigInt(`0x${ksn}`);
  const initial = serial & ~0x1fffffn;
  const counter = Number(serial & 0x1fffffn);
  const device = Buffer.from(initial.toString(16).padStart(20, '0'), 'hex');
  const root = Buffer.from(bdk, 'hex');
  const head = device.subarray(0, 8);
  let key = Buffer.concat([tdes(root, head), tdes(xor(root, C0), head)]);
  const register = Buffer.from(device.subarray(2));
  for (let bit = 0x100000; bit > 0; bit >>= 1) {
    if ((counter & bit) === 0) continue;
    register.writeUInt32BE((register.readUInt32BE(4) | bit) >>> 0, 4);
    key = Buffer.concat([half(xor(key, C0), register), half(key, register)]);
  }
  return key;
}

const C0 = Buffer.from('C0C0C0C000000000'.repeat(2), 'hex');

export const AES_TEST_BDK = 'FEDCBA9876543210F1F1F1F1F1F1F1F1';

/** AES-128 DUKPT, ANSI X9.24-3:2017, 6.3. */
function aesWorkingKey({ksn, bdk = AES_TEST_BDK, usage = 0x3000}: Encryption): Buffer {
  const id = Buffer.from(ksn.slice(0, 16), 'hex');
  const counter = Number.parseInt(ksn.slice(16), 16);
  let key = aesDerive(Buffer.from(bdk, 'hex'), 0x8001, id);
  let done = 0;
  for (let bit = 0x80000000; bit >= 1; bit /= 2) {
    if (Math.floor(counter / bit) % 2 === 0) continue;
    done += bit;
    key = aesDerive(key, 0x8000, identity(id, done));
  }
  return aesDerive(key, usage, identity(id, counter));
}

function identity(id: Buffer, counter: number): Buffer {
  const bytes = Buffer.alloc(8);
  id.copy(bytes, 0, 4);
  bytes.writeUInt32BE(counter, 4);
  return bytes;
}

/** Version, block counter, usage, AES-128, 128 bits, then the key's identifier. */
function aesDerive(key: Buffer, usage: number, name: Buffer): Buffer {
  const head = Buffer.from([1, 1, usage >> 8, usage & 255, 0, 2, 0, 128]);
  const cipher = createCipheriv('aes-128-ecb', key, null);
  cipher.setAutoPadding(false);
  return cipher.update(Buffer.concat([head, name]));
}

/** The non-reversible key generation process on one half. */
function half(key: Buffer, register: Buffer): Buffer {
  const [left, right] = [key.subarray(0, 8), key.subarray(8)];
  return xor(tdes(Buffer.concat([left, left]), xor(register, right)), right);
}

/** Two-key TDES, ECB; with equal halves single DES. */
function tdes(key: Buffer, data: Buffer): Buffer {
  const cipher = createCipheriv('des-ede3', Buffer.concat([key, key.subarray(0, 8)]), null);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)));
}
