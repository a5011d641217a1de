import Dukpt from 'dukpt';
import {prepareCipher} from '../src/engine/cipher/modes.js';
import {testKeyRing} from '../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../src/engine/dukpt/ksn.js';
import {consecutiveKsns, randomKsns} from './ksn-stream.js';
import {type Contender, compare} from './measure.js';
import {nodeTransactionKey, nodeWorkingKey, tdesCbc} from './node-tdes-dukpt.js';
import {BDK, digest, encryptReads, type Read} from './read.js';
import {type Goal, report} from './report.js';

type Decrypt = (read: Read) => readonly (Uint8Array | string)[];

/** KSN in hex and two tracks to plaintexts: cold against the peers, and what the cache gains. */
export function benchTdesDukpt(): Goal[] {
  const random = encryptReads(randomKsns());
  const peers = compare(random.length, [
    contender('paylens, cold', random, ours(false)),
    contender('npm dukpt 3.0.0', random, npmDukpt),
    contender('node:crypto per block', random, nodeCrypto),
  ]);
  const stream = encryptReads(consecutiveKsns());
  const cached = compare(stream.length, [
    contender('paylens, register cache', stream, ours(true)),
    contender('paylens, cold', stream, ours(false)),
  ]);
  return [
    ...report('TDES DUKPT: 80 B + 40 B, KSNs with 1-10 counter bits', peers, [8, 7]),
    ...report('TDES DUKPT: the same, consecutive counters', cached, [1.25]),
  ];
}

function contender(name: string, reads: readonly Read[], decrypt: Decrypt): Contender {
  const run = () => {
    for (const read of reads) decrypt(read);
  };
  return {name, run, proof: () => digest(reads, decrypt)};
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

function npmDukpt({ksn, hexTracks}: Read): string[] {
  const dukpt = new Dukpt(BDK, ksn);
  return hexTracks.map((track) => dukpt.dukptDecrypt(track));
}

const BDK_BYTES = Buffer.from(BDK, 'hex');

function nodeCrypto({ksn, tracks}: Read): Buffer[] {
  const key = nodeWorkingKey(nodeTransactionKey(BDK_BYTES, ksn));
  return tracks.map((track) => tdesCbc(key, track, 'decrypt'));
}
