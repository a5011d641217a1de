import {createHash} from 'node:crypto';
import {nodeTransactionKey, nodeWorkingKey, tdesCbc} from './node-tdes-dukpt.js';

/** An encrypted swipe: KSN in hex, 80 bytes of track 1, 40 of track 2. */
export interface Read {
  readonly ksn: string;
  readonly tracks: readonly Uint8Array[];
  /** The tracks in hex, for those who take nothing else. */
  readonly hexTracks: readonly string[];
}

/** The public test BDK of ANSI X9.24-1. */
export const BDK = '0123456789ABCDEFFEDCBA9876543210';

/** A published test card. */
const TRACK1 = '%B4111111111111111^TEST CARD/PAYLENS           ^3012201000000000000000000?';
const TRACK2 = ';4111111111111111=30122010000000000?';

/** Encrypts the tracks of a test card under the data key of every KSN. */
export function encryptReads(ksns: readonly string[]): Read[] {
  const inTurn = packer(120 * ksns.length);
  return ksns.map((ksn) => {
    const key = nodeWorkingKey(nodeTransactionKey(Buffer.from(BDK, 'hex'), ksn));
    const tracks = [TRACK1.padEnd(80, '\0'), TRACK2.padEnd(40, '\0')].map((text) =>
      tdesCbc(key, Buffer.from(text, 'latin1'), 'encrypt'),
    );
    return {ksn, tracks: tracks.map(inTurn), hexTracks: tracks.map((t) => t.toString('hex'))};
  });
}

/** Moves byte strings one after the other into one piece of memory, as a file holds them. */
function packer(bytes: number): (track: Uint8Array) => Uint8Array {
  const memory = new Uint8Array(bytes);
  let used = 0;
  return (track) => {
    memory.set(track, used);
    used += track.length;
    return memory.subarray(used - track.length, used);
  };
}

/** SHA-256, in hex, of all the plaintexts that `decrypt` gives. */
export function digest(
  reads: readonly Read[],
  decrypt: (read: Read) => readonly (Uint8Array | string)[],
): string {
  const hash = createHash('sha256');
  for (const read of reads) {
    for (const plain of decrypt(read)) hash.update(Buffer.from(plain as string, 'latin1'));
  }
  return hash.digest('hex');
}
