/**
 * The index after a TLV object, as given by tag and length; an index after the end of `bytes` if
 * their form is unknown. ID TECH's flags in a length (`A1`, `C1`) count as `81`.
 */
export function objectEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  if ((bytes[start]! & 0x1f) === 0x1f) {
    while (at < bytes.length && bytes[at]! >= 0x80) at++;
    at++;
  }
  const first = bytes[at] ?? 0xff;
  if (first < 0x80) return at + 1 + first;
  const form = first & 0x9f;
  if (form === 0x81) return at + 2 + (bytes[at + 1] ?? 0);
  if (form === 0x82) return at + 3 + 256 * (bytes[at + 1] ?? 0) + (bytes[at + 2] ?? 0);
  return bytes.length + 1;
}

/** The index after an object, or after a zero between two. */
export function nextObject(bytes: Uint8Array, at: number): number {
  return bytes[at] === 0 ? at + 1 : objectEnd(bytes, at);
}

/** The ends of the objects of a run, of which the last may be after the end of `bytes`. */
export function objectEnds(bytes: Uint8Array, from = 0, to = bytes.length): number[] {
  const ends: number[] = [];
  for (let at = from; at < to; ends.push(at)) at = nextObject(bytes, at);
  return ends;
}
