import {createCipheriv} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {plainForms} from '../../../src/diagnosis/candidates/ksn-candidates.js';
import {makeProbe} from '../../../src/diagnosis/search/key-trial.js';
import {extend} from '../../../src/diagnosis/search/open-siblings.js';
import {readTogether} from '../../../src/diagnosis/search/settle.js';
import type {GivenKind} from '../../../src/input/case.js';
import type {Interpretation} from '../../../src/input/interpretation.js';
import {finish} from '../../../src/input/steps.js';
import {type Encryption, encrypt, workingKey} from '../../engine/terminal.js';
import {aesDerivedKey} from '../aes-dukpt.js';
import {diagnoseJson} from '../diagnosing.js';
import {Draw} from '../draw.js';

/**
 * A terminal may encrypt the parts of a read under different working keys. Once one part proves the key,
 * the others decrypt under whatever it derives.
 */
const draw = new Draw('siblings');
const BDK = draw.key();
const KSN = 'FFFF0A0B0C0D0E000123';
const AES_KSN = '0A0B0C0D0E0F101200000123';
const TRACK_1 = '%B4111111111111111^TEST CARD/PAYLENS^2712201123456789?';
const TRACK_2 = ';4111111111111111=27122011234567890?';

type Part = Pick<Encryption, 'variant' | 'selfEncrypted' | 'usage'> & {readonly ksn?: string};

const SETTINGS: readonly Part[] = [
  {variant: 'data', selfEncrypted: false},
  {variant: 'pin'},
  {variant: 'none'},
  {variant: 'pin', selfEncrypted: true},
  {variant: 'mac'},
  {variant: 'none', selfEncrypted: true},
  {variant: 'data-response', selfEncrypted: true},
  {variant: 'data-response'},
  {variant: 'mac-response'},
  {variant: 'mac', selfEncrypted: true},
  {variant: 'mac-response', selfEncrypted: true},
];

/** The texts of both parts: track 2 under the usual key, track 1 under that of `part`. */
async function textsUnder(key: {kind: GivenKind; hex: string}, part: Part, ksn = KSN) {
  const ciphertexts = [
    {name: 'track 2', hex: encrypt(TRACK_2, {ksn, bdk: BDK}).toString('hex')},
    {name: 'track 1', hex: encrypt(TRACK_1, {ksn, bdk: BDK, ...part}).toString('hex')},
  ];
  return textsOf(ciphertexts, key, ksn);
}

async function textsOf(
  ciphertexts: readonly {name: string; hex: string}[],
  key: {kind: GivenKind; hex: string},
  ksn: string,
) {
  const {plaintexts} = await diagnoseJson({ciphertexts, ksn, keys: [key]}, {usualOnly: true});
  return Object.fromEntries(plaintexts.map(({name, text}) => [name, text]));
}

const BOTH = {'track 1': TRACK_1, 'track 2': TRACK_2};

describe('beside a proven track 2', () => {
  const ik = workingKey({ksn: 'FFFF0A0B0C0D0E000000', bdk: BDK, variant: 'none'}).toString('hex');
  const transaction = workingKey({ksn: KSN, bdk: BDK, variant: 'none'}).toString('hex');
  const keys: readonly [string, GivenKind, string][] = [
    ['BDK', 'bdk', BDK],
    ['initial key', 'ik', ik],
    ['transaction key', 'working', transaction],
  ];
  const cases = keys.flatMap(([name, kind, hex]) =>
    SETTINGS.map((part) => {
      const {variant, selfEncrypted = false} = part;
      return {name, kind, hex, part, title: `${variant}${selfEncrypted ? ', self-encrypted' : ''}`};
    }),
  );
  it.each(cases)('track 1 decrypts under the $name: $title', async ({kind, hex, part}) => {
    expect(await textsUnder({kind, hex}, part)).toEqual(BOTH);
  });

  it.each([0x3001, 0x3002, 0x1000, 0x2000, 0x2001, 0x2002, 0x0002, 0x8000, 0x8001])(
    'track 1 decrypts under AES DUKPT, usage %i',
    async (usage) => {
      expect(await textsUnder({kind: 'bdk', hex: BDK}, {usage}, AES_KSN)).toEqual(BOTH);
    },
  );

  it('track 1 decrypts under another usage of an AES key with a KSN of 10 bytes', async () => {
    // The 59 bits of the identity, shifted right by four in 64, and the counter in 32 (X9.24-3, KSN compatibility mode).
    const id = BigInt(`0x${KSN}`) >> 21n;
    const ksn = `${(id << 1n).toString(16).padStart(16, '0')}00000123`;
    const under = (plain: string, usage: number) => {
      const key = aesDerivedKey({bdk: BDK, ksn, usage, algorithm: 0});
      const whole = Buffer.concat([key, key.subarray(0, 8)]);
      const cipher = createCipheriv('des-ede3-cbc', whole, Buffer.alloc(8)).setAutoPadding(false);
      const filled = plain.padEnd(Math.ceil(plain.length / 8) * 8, '\0');
      return Buffer.concat([cipher.update(filled), cipher.final()]).toString('hex');
    };
    const ciphertexts = [
      {name: 'track 2', hex: under(TRACK_2, 0x3000)},
      {name: 'track 1', hex: under(TRACK_1, 0x3002)},
    ];
    expect(await textsOf(ciphertexts, {kind: 'bdk', hex: BDK}, KSN)).toEqual(BOTH);
  });

  it('track 1 decrypts although its own KSN is one that no key has', () => {
    const setting = {
      variant: 'none',
      selfEncrypted: false,
      algorithm: 'aes',
      usage: 'data-encryption',
    } as const;
    const [ksn] = plainForms(AES_KSN, 'given');
    if (!ksn) throw new Error('no KSN');
    // X9.24-3, 6.3.1: a counter has at most 16 bits set.
    const own = `${AES_KSN.slice(0, 16)}FFFFFFFF`;
    const first = {name: 'track 2', ciphertext: encrypt(TRACK_2, {ksn: AES_KSN, bdk: BDK})};
    const targets = [
      first,
      {name: 'track 1', ciphertext: encrypt(TRACK_1, {ksn: AES_KSN, bdk: BDK}), ksn: own},
    ];
    const interpretation: Interpretation = {kind: 'bare', form: 'bare', targets, findings: []};
    const probe = makeProbe(interpretation, first, {ivs: [], pans: [], expected: []});
    const key = {
      bytes: new Uint8Array(Buffer.from(BDK, 'hex')),
      role: 'bdk',
      source: 'key 1',
      madeOf: ['key 1'],
      origin: 'given',
    } as const;
    const working = new Uint8Array(workingKey({ksn: AES_KSN, bdk: BDK}));
    const [found] = finish(readTogether([probe], {key, ksn, setting, working}));
    const opened = found ? finish(extend(found)).opened : [];
    expect(opened.map(({reading}) => reading.openings[0]?.text)).toEqual([TRACK_2, TRACK_1]);
    expect(opened.map((one) => one.ksn)).toEqual([ksn, ksn]);
  });

  it('track 1 does not decrypt under a working key, but its own', async () => {
    const hex = workingKey({ksn: KSN, bdk: BDK}).toString('hex');
    const found = await textsUnder({kind: 'working', hex}, {variant: 'pin'});
    expect(found).toEqual({'track 2': TRACK_2});
  });
});
