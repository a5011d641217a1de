import {createCipheriv} from 'node:crypto';
import {TEST_BDK} from './samples.js';

/**
 * A terminal made of node:crypto alone: TDES DUKPT of ANSI X9.24-1:2009, Annex A, written down a
 * second time, so that no payload of the tests comes from the code under test.
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
  readonly algorithm?: 'tdes' | 'aes';
  readonly mode?: 'cbc' | 'ecb';
  readonly iv?: string;
  /** What is put behind the plaintext to reach whole blocks; default zeros, none when aligned. */
  readonly fill?: 'zero' | 'iso7816' | 'pkcs7' | 'x923' | 'ff' | 'none';
}

/** Fills `plain` to whole blocks and encrypts it as a terminal would. */
export function encrypt(plain: string | Uint8Array, options: Encryption): Buffer {
  const {algorithm = 'tdes', mode = 'cbc', iv} = options;
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

/** The working key of a transaction. */
export function workingKey(options: Encryption): Buffer {
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

/** The track's LRC character, by the arithmetic of ISO/IEC 7811. */
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
