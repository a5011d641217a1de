/**
 * Where short arrays lie side by side: V8 takes most of a microsecond to get more than 64 bytes. With
 * memory of its own for every plaintext a frame takes 10 % longer to its JSON.
 */
const ROOM = 8192;
/** Longer ones are worth memory of their own. */
const LONGEST = 512;

let room = new ArrayBuffer(ROOM);
let used = 0;

/** `length` zero bytes that nothing else uses; their ArrayBuffer may hold others, too. */
export function freshBytes(length: number): Uint8Array {
  if (length > LONGEST) return new Uint8Array(length);
  if (used + length > ROOM) {
    room = new ArrayBuffer(ROOM);
    used = 0;
  }
  const bytes = new Uint8Array(room, used, length);
  used += length;
  return bytes;
}
