/** An encrypted swipe: KSN in hex, 80 bytes of track 1, 40 (AES: 48) of track 2. */
export interface Read {
  readonly ksn: string;
  readonly tracks: readonly Uint8Array[];
  /** The tracks in hex, for programs that accept nothing else. */
  readonly hexTracks: readonly string[];
}

/** A published test card. */
const TRACK1 = '%B4111111111111111^TEST CARD/PAYLENS           ^3012201000000000000000000?';
const TRACK2 = ';4111111111111111=30122010000000000?';

/** Encrypts the tracks of a test card for every KSN. */
export function encryptReads(
  ksns: readonly string[],
  encrypterFor: (ksn: string) => (plain: Uint8Array) => Buffer,
  track2Bytes: number,
): Read[] {
  const inTurn = packer((80 + track2Bytes) * ksns.length);
  const texts = [TRACK1.padEnd(80, '\0'), TRACK2.padEnd(track2Bytes, '\0')];
  return ksns.map((ksn) => {
    const encrypt = encrypterFor(ksn);
    const tracks = texts.map((text) => encrypt(Buffer.from(text, 'latin1')));
    return {ksn, tracks: tracks.map(inTurn), hexTracks: tracks.map((t) => t.toString('hex'))};
  });
}

/** Copies byte strings one after the other into one buffer, as they are in a file. */
function packer(bytes: number): (track: Uint8Array) => Uint8Array {
  const memory = new Uint8Array(bytes);
  let used = 0;
  return (track) => {
    memory.set(track, used);
    used += track.length;
    return memory.subarray(used - track.length, used);
  };
}
