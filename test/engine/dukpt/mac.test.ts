import {createCipheriv, createDecipheriv, createHmac} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {KeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {type MacKind, macOf} from '../../../src/engine/dukpt/mac.js';
import {hexOf} from '../../../src/platform/bytes.js';
import {testRing} from '../samples.js';

const KSN = parseKsn('FFFF9876543210E00008');
/** The PIN variant of this KSN is published (MagneSafe V5 manual). */
const PIN_KEY = Buffer.from('27F66D5244FF621EAA6F6120EDEB427F', 'hex');
const AES_KSN = parseKsn('123456789012345600000003');

/** DES twice under the same key is itself. */
function des(key: Buffer, block: Buffer, decrypt = false): Buffer {
  const three = Buffer.concat([key, key, key]);
  const make = decrypt ? createDecipheriv : createCipheriv;
  const cipher = make('des-ede3', three, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

/** ISO/IEC 9797-1, algorithm 3, padding method 1, block by block. */
function retailMac(key: Buffer, message: Buffer): string {
  const [left, right] = [key.subarray(0, 8), key.subarray(8)];
  const padded = Buffer.alloc(Math.max(8, Math.ceil(message.length / 8) * 8));
  message.copy(padded);
  let state: Buffer = Buffer.alloc(8);
  for (let at = 0; at < padded.length; at += 8) {
    state = des(left, Buffer.from(state.map((byte, i) => byte ^ (padded[at + i] ?? 0))));
  }
  return des(left, des(right, state, true)).toString('hex');
}

function macUnder(kind: MacKind, message: Buffer): string {
  return hexOf(macOf(testRing().transaction(KSN), kind, message));
}

describe('the MAC of a message', () => {
  it.each([1, 7, 8, 9, 16, 64, 289])('is the retail MAC block by block, of %i bytes', (length) => {
    const message = Buffer.from(Array.from({length}, (_, i) => (7 * i) & 0xff));
    expect(macUnder({method: 'retail', variant: 'pin'}, message)).toBe(retailMac(PIN_KEY, message));
  });

  it('is HMAC-SHA256 of the working key', () => {
    const message = Buffer.from('a message');
    const expected = createHmac('sha256', PIN_KEY).update(message).digest('hex');
    expect(macUnder({method: 'hmac-sha256', variant: 'pin'}, message)).toBe(expected);
  });

  it('is AES-CMAC under the key of its usage', () => {
    const secret = new Secret(Buffer.from('FEDCBA9876543210F1F1F1F1F1F1F1F1', 'hex'));
    const ring = new KeyRing([{kind: 'bdk', algorithm: 'aes', secret}]);
    const aes = {usage: 'mac-generation', type: 'aes128'} as const;
    const kind = {method: 'cmac', variant: 'none', aes} as const;
    const key = ring.transaction(AES_KSN).aesWorkingKey('mac-generation', 'aes128');
    const mac = macOf(ring.transaction(AES_KSN), kind, new Uint8Array(0));
    // The CMAC of nothing is the cipher of 80 00.. XOR the second subkey (NIST SP 800-38B, 6.2).
    const cipher = (block: Buffer) => {
      const ecb = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
      return Buffer.concat([ecb.update(block), ecb.final()]);
    };
    const twice = (block: Buffer) => {
      const doubled = (BigInt(`0x${block.toString('hex')}`) << 1n) ^ (block[0]! >> 7 ? 0x87n : 0n);
      return Buffer.from((doubled & ((1n << 128n) - 1n)).toString(16).padStart(32, '0'), 'hex');
    };
    const second = twice(twice(cipher(Buffer.alloc(16))));
    second[0]! ^= 0x80;
    expect(hexOf(mac)).toBe(cipher(second).toString('hex'));
  });

  it('needs a key of its scheme', () => {
    const kind = {method: 'cmac', variant: 'none'} as const;
    expect(() => macOf(testRing().transaction(KSN), kind, new Uint8Array(8))).toThrow(/AES/);
  });
});
