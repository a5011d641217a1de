import Dukpt from 'dukpt';
import {prepareCipher} from '../src/engine/cipher/modes.js';
import {testKeyRing} from '../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../src/engine/dukpt/ksn.js';
import {consecutiveKsns, randomKsns} from './ksn-stream.js';
import {type Contender, compare} from './measure.js';
import {nodeTransactionKey, nodeWorkingKey, tdesCbc} from './node-tdes-dukpt.js';
import {encryptReads, type Read} from './read.js';
import {type Decrypt, readingContender} from './reading-contender.js';
import {type Goal, report} from './report.js';

/** The public test BDK of ANSI X9.24-1. */
const BDK = '0123456789ABCDEFFEDCBA9876543210';
const BDK_BYTES = Buffer.from(BDK, 'hex');

/**
 * From a KSN in hex and two tracks to plaintexts: without cache against the peers, and with the
 * cache.
 */
export function benchTdesDukpt(): Goal[] {
  const random = tdesReads();
  const peers = compare(random.length, [
    coldTdes(random),
    readingContender('npm dukpt 3.0.0', random, npmDukpt),
    readingContender('node:crypto per block', random, nodeCryptoRead),
  ]);
  const stream = consecutiveTdesReads();
  const cached = compare(stream.length, [cachedTdes(stream), coldTdes(stream)]);
  return [
    ...report('TDES DUKPT: 80 B + 40 B, KSNs with 1-10 counter bits', peers, [8, 7]),
    ...report('TDES DUKPT: the same, consecutive counters', cached, [1.25]),
  ];
}

/** Reads under KSNs with 1 to 10 set counter bits. */
export function tdesReads(): Read[] {
  return encryptReads(randomKsns(), encrypterFor, 40);
}

/** Reads under consecutive KSNs of one device. */
export function consecutiveTdesReads(): Read[] {
  return encryptReads(consecutiveKsns(), encrypterFor, 40);
}

/** Our kernel with the keys that a device stores. */
export function cachedTdes(reads: readonly Read[]): Contender {
  return readingContender('paylens, register cache', reads, ours(true));
}

/** Our kernel without its cache. */
export function coldTdes(reads: readonly Read[]): Contender {
  return readingContender('paylens, cold', reads, ours(false));
}

function encrypterFor(ksn: string): (plain: Uint8Array) => Buffer {
  const key = nodeWorkingKey(nodeTransactionKey(BDK_BYTES, ksn));
  return (plain) => tdesCbc(key, plain, 'encrypt');
}

function ours(cache: boolean): Decrypt {
  const ring = testKeyRing({cache});
  return ({ksn, tracks}) => {
    const transaction = ring.transaction(parseKsn(ksn));
    const key = transaction.workingKey('data', true);
    const cipher = prepareCipher('tdes', key);
    const plain = tracks.map((track) => cipher.decryptCbc(track));
    cipher.wipe();
    key.fill(0);
    transaction.wipe();
    return plain;
  };
}

/** Our kernel without its cache, under the test keys. */
export const kernelRead: Decrypt = ours(false);

function npmDukpt({ksn, hexTracks}: Read): string[] {
  const dukpt = new Dukpt(BDK, ksn);
  return hexTracks.map((track) => dukpt.dukptDecrypt(track));
}

/** Derives and decrypts with a call of node:crypto for every block. */
export function nodeCryptoRead({ksn, tracks}: Read): Buffer[] {
  const key = nodeWorkingKey(nodeTransactionKey(BDK_BYTES, ksn));
  return tracks.map((track) => tdesCbc(key, track, 'decrypt'));
}
