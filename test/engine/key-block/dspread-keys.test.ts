import {createDecipheriv} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {tdesKcv} from '../../../src/engine/dukpt/kcv.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {readHeader} from '../../../src/engine/key-block/header.js';
import {unwrapKeyBlock, wrapKeyBlock} from '../../../src/engine/key-block/key-block.js';
import {openKeyBlock} from '../../../src/keyfile/key-blocks/open-key-block.js';
import type {KeyEntry} from '../../../src/keyfile/keys/key-entry.js';
import {fromHex, toHex} from '../hex.js';
import {ringOf, type SampleKey, TEST_BDK} from '../samples.js';

/** The key set-up that DSpread publishes (docs/terminals/dspread.md#keys). */
interface Vector {
  readonly id: string;
  readonly request: {
    readonly ksn?: string;
    readonly ciphertext?: string;
    readonly keyBlock?: string;
  };
  readonly keys: readonly SampleKey[];
  readonly expect: Readonly<Record<string, string>> & {readonly plaintext?: unknown};
}

const url = new URL('../../vectors/dspread-keys.json', import.meta.url);
const VECTORS: readonly Vector[] = JSON.parse(readFileSync(url, 'utf8'));
const SLOTS = VECTORS.filter(({id}) => id.startsWith('dspread-keyset-'));

function vector(id: string): Vector {
  return VECTORS.find((one) => one.id === id) as Vector;
}

function unwrapped(ciphertext: string): string {
  const key = Buffer.from(TEST_BDK + TEST_BDK.slice(0, 16), 'hex');
  const cipher = createDecipheriv('des-ede3', key, null).setAutoPadding(false);
  return cipher.update(ciphertext, 'hex', 'hex').toUpperCase();
}

describe("DSpread's key set", () => {
  it('has three slots', () => expect(SLOTS).toHaveLength(3));

  it.each(SLOTS)('$id: derives from the default key', ({request, keys, expect: expected}) => {
    const {ksn = '', ciphertext = ''} = request;
    expect(ciphertext).toBe(expected.wrappedUnderTmk);
    expect(unwrapped(ciphertext)).toBe(expected.initialKey);
    expect(tdesKcv(fromHex(expected.initialKey ?? ''))).toBe(expected.kcv);
    const initial = ringOf([{kind: 'ik', hex: `${expected.initialKey}`, ksnPrefix: ksn}]);
    const [own, derived] = [initial, ringOf(keys)].map((ring) =>
      toHex(ring.transaction(parseKsn(ksn)).workingKey('data', true)),
    );
    expect(derived).toBe(own);
  });

  it('encrypts a PIN block of format 0 under the PIN slot', () => {
    const {request, keys, expect: expected} = vector('dspread-pin-block');
    const key = ringOf(keys)
      .transaction(parseKsn(request.ksn ?? ''))
      .workingKey('pin', false);
    const block = prepareCipher('tdes', key).decryptEcb(fromHex(request.ciphertext ?? ''));
    expect(toHex(block).toLowerCase()).toBe((expected.plaintext as {hex: string}).hex);
    const pan = `0000${expected.pan?.slice(-13, -1)}`;
    const field = fromHex(pan).map((byte, i) => byte ^ (block[i] ?? 0));
    expect(toHex(field).toUpperCase()).toBe(`04${expected.pin}FFFFFFFFFF`);
  });
});

describe("DSpread's key blocks", () => {
  it('opens the published block of version D: an initial key of AES', () => {
    const {request, keys, expect: expected} = vector('dspread-tr31-ik');
    const block = unwrapKeyBlock(request.keyBlock ?? '', new Secret(fromHex(keys[0]?.hex ?? '')));
    expect(block.header).toMatchObject({version: 'D', usage: 'B1', algorithm: 'A', optional: []});
    expect(toHex(block.key.reveal())).toBe(expected.key);
    expect(8 * block.key.reveal().length).toBe(expected.bits);
    expect(request.keyBlock?.endsWith(expected.mac ?? '-')).toBe(true);
  });

  const [slot] = SLOTS as [Vector];
  const key = new Secret(fromHex(slot.expect.initialKey ?? ''));
  const ksn = slot.request.ksn ?? '';

  it.each(['B', 'D'] as const)('carries the KSN of an initial key in KS: version %s', (version) => {
    const kbpk = new Secret(fromHex(TEST_BDK));
    const header = {
      ...{version, usage: 'B1', algorithm: 'T', mode: 'X', keyVersion: '00', exportability: 'E'},
      optional: [{id: 'KS', data: ksn}],
    };
    const random = (count: number) => new Uint8Array(count).fill(0x5a);
    const text = wrapKeyBlock({header, key}, kbpk, {random});
    // As DSpread prints it: 24 characters, 18 in hex, with id and length.
    expect(text).toContain(`KS18${ksn}`);
    expect(readHeader(text).header.optional).toContainEqual({id: 'KS', data: ksn});
    const wrapping: KeyEntry = {kind: 'kbpk', name: 'kbpk', secret: kbpk};
    const {key: entry} = openKeyBlock({name: 'track', keyBlock: text}, wrapping, 'block');
    // Of the device: its counter is cleared.
    expect(entry).toMatchObject({kind: 'ik', ksnPrefix: '09120200630001E00000'});
  });
});
