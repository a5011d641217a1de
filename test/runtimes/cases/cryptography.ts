import {Secret} from '../../../src/contract/secret.js';
import {cmac} from '../../../src/engine/cipher/cmac.js';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {aesKcv, tdesKcv} from '../../../src/engine/dukpt/kcv.js';
import {KeyRing} from '../../../src/engine/dukpt/key-ring.js';
import type {AesKeyType, AesKeyUsage, Variant} from '../../../src/engine/dukpt/key-usage.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {unwrapKeyBlock, wrapKeyBlock} from '../../../src/engine/key-block/key-block.js';
import {bytesOfHex, upperHexOf} from '../../../src/platform/bytes.js';
import {hmac} from '../../../src/platform/hash.js';
import type {DukptDevice, DukptVector} from '../../engine/read-vectors.js';
import AES from '../../vectors/aes-dukpt.json' with {type: 'json'};
import KCV from '../../vectors/kcv.json' with {type: 'json'};
import BLOCKS from '../../vectors/key-block.json' with {type: 'json'};
import TDES from '../../vectors/tdes-dukpt.json' with {type: 'json'};
import type {Case} from './case.js';

const DEVICES = {tdes: TDES.devices, aes: AES.devices} as unknown as Readonly<
  Record<'tdes' | 'aes', readonly DukptDevice[]>
>;

/** Every key of the DUKPT vectors from BDK and initial key, and what is enciphered under it. */
export function dukptCases(algorithm: 'tdes' | 'aes'): Case[] {
  return DEVICES[algorithm].flatMap(({bdk, ik, vectors}) =>
    vectors.flatMap((vector) => {
      const {ksn, usage, key, mode} = vector;
      const name = `${algorithm} ${ksn} ${usage}`;
      const {initial} = parseKsn(ksn, {anyCounter: true});
      const derived = (kind: 'bdk' | 'ik', hex: string, ksnPrefix?: string) => ({
        name: `${name} from ${kind}`,
        answer: () => keyOf(ringOf({kind, algorithm, hex, ksnPrefix}), vector),
        published: key,
      });
      const enciphered = {
        name: `${name} ${mode}`,
        answer: () => encipher(algorithm, vector),
        ...(vector.ciphertext !== undefined && mode !== 'retail-mac' && mode !== 'pin-block'
          ? {published: vector.ciphertext}
          : {}),
      };
      return [derived('bdk', bdk), derived('ik', ik, initial), ...(mode ? [enciphered] : [])];
    }),
  );
}

interface RingTerms {
  readonly kind: 'bdk' | 'ik';
  readonly algorithm: 'tdes' | 'aes';
  readonly hex: string;
  readonly ksnPrefix?: string | undefined;
}

function ringOf({kind, algorithm, hex, ksnPrefix}: RingTerms): KeyRing {
  const secret = new Secret(bytesOfHex(hex));
  return new KeyRing([
    {
      ...{kind, algorithm, secret},
      ...(ksnPrefix === undefined ? {} : {ksnPrefix}),
      ...(algorithm === 'aes' ? {compatibility: true} : {}),
    },
  ]);
}

function keyOf(keys: KeyRing, {ksn, usage, type}: DukptVector): string {
  const parsed = parseKsn(ksn, {anyCounter: true});
  if (usage === 'initial-key') return upperHexOf(keys.initialKey(parsed));
  const transaction = keys.transaction(parsed);
  if (usage === 'transaction-key') return upperHexOf(transaction.reveal());
  return upperHexOf(
    transaction.scheme === 'aes'
      ? transaction.aesWorkingKey(usage as AesKeyUsage, type as AesKeyType)
      : transaction.workingKey(usage as Variant, usage.startsWith('data')),
  );
}

function encipher(algorithm: 'tdes' | 'aes', vector: DukptVector): string {
  const {mode, plaintext = '', ciphertext = ''} = vector;
  const [key, message] = [bytesOfHex(vector.key), bytesOfHex(plaintext)];
  if (mode === 'hmac') return upperHexOf(hmac('sha256', key, message));
  const cipher = prepareCipher(algorithm, key);
  if (mode === 'cmac') return upperHexOf(cmac(cipher, message)).slice(0, ciphertext.length);
  return upperHexOf(mode === 'cbc' ? cipher.encryptCbc(message) : cipher.encryptEcb(message));
}

/** The check values of the KCV vectors. */
export function kcvCases(): Case[] {
  return KCV.vectors.map(({algorithm, key}, i) => ({
    name: `KCV ${i}`,
    answer: () => (algorithm === 'tdes' ? tdesKcv(bytesOfHex(key)) : aesKcv(bytesOfHex(key))),
  }));
}

/** Every key block of the vectors unwrapped, and its key wrapped again. */
export function keyBlockCases(): Case[] {
  return BLOCKS.vectors.flatMap(({kbpk, block, key}, i) => {
    const protection = () => new Secret(bytesOfHex(kbpk));
    const isSupported = block.charAt(0) < 'E';
    return [
      {
        name: `key block ${i}`,
        answer: () => upperHexOf(unwrapKeyBlock(block, protection()).key.reveal()),
        ...(isSupported ? {published: key} : {}),
      },
      {
        name: `key block ${i} again`,
        answer: () =>
          wrapKeyBlock(unwrapKeyBlock(block, protection()), protection(), {
            random: (length) => new Uint8Array(length).fill(i),
          }),
      },
    ];
  });
}
