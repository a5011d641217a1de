import {prepareCipher} from '../src/engine/cipher/modes.js';
import {testKeyRing} from '../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../src/engine/dukpt/ksn.js';
import {randomAesKsns} from './ksn-stream.js';
import {type Contender, compare} from './measure.js';
import {nobleDataKey, nobleDecrypt, nobleEncrypt} from './noble-aes-dukpt.js';
import {encryptReads, type Read} from './read.js';
import {readingContender} from './reading-contender.js';
import {type Goal, report} from './report.js';

/** The public test BDK of ANSI X9.24-3. */
const BDK = Buffer.from('FEDCBA9876543210F1F1F1F1F1F1F1F1', 'hex');

/**
 * From a KSN in hex and two tracks to plaintexts under AES-128 keys of usage 3000, without cache.
 */
export function benchAesDukpt(): Goal[] {
  const reads = aesReads();
  const rates = compare(reads.length, [
    coldAes(reads),
    readingContender('@noble/ciphers 2.4.0', reads, noble),
  ]);
  return report('AES-128 DUKPT: 80 B + 48 B, usage 3000, the same counters', rates, [10]);
}

/** Reads under AES KSNs with 1 to 10 set counter bits. */
export function aesReads(): Read[] {
  return encryptReads(randomAesKsns(), encrypterFor, 48);
}

/** Our kernel without its cache. */
export function coldAes(reads: readonly Read[]): Contender {
  return readingContender('paylens, cold', reads, ours());
}

function encrypterFor(ksn: string): (plain: Uint8Array) => Buffer {
  const key = nobleDataKey(BDK, ksn);
  return (plain) => Buffer.from(nobleEncrypt(key, plain));
}

function ours(): (read: Read) => Uint8Array[] {
  const ring = testKeyRing({cache: false});
  return ({ksn, tracks}) => {
    const transaction = ring.transaction(parseKsn(ksn));
    const key = transaction.aesWorkingKey('data-encryption', 'aes128');
    const cipher = prepareCipher('aes', key);
    const plain = tracks.map((track) => cipher.decryptCbc(track));
    cipher.wipe();
    key.fill(0);
    transaction.wipe();
    return plain;
  };
}

function noble({ksn, tracks}: Read): Uint8Array[] {
  const key = nobleDataKey(BDK, ksn);
  return tracks.map((track) => nobleDecrypt(key, track));
}
