import {createHash} from 'node:crypto';
import {type Contender, timed} from './measure.js';
import type {Read} from './read.js';

/** Derives the key of a read and decrypts its tracks. */
export type Decrypt = (read: Read) => readonly (Uint8Array | string)[];

/** A program that decrypts `reads`, and its proof: the digest of all plaintexts. */
export function readingContender(
  name: string,
  reads: readonly Read[],
  decrypt: Decrypt,
): Contender {
  const turn = timed((from, to) => {
    for (let i = from; i < to; i++) decrypt(reads[i] as Read);
  });
  return {name, turn, proof: () => digest(reads, decrypt)};
}

function digest(reads: readonly Read[], decrypt: Decrypt): string {
  const hash = createHash('sha256');
  for (const read of reads) {
    for (const plain of decrypt(read)) hash.update(Buffer.from(plain as string, 'latin1'));
  }
  return hash.digest('hex');
}
