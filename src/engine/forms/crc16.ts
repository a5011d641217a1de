/** CRC-16 of polynomial 1021, start FFFF, not reflected (CCITT-FALSE), as ViVOpay messages end. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  remainders ??= Uint16Array.from({length: 256}, (_, byte) => remainderOf(byte));
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (remainders[(crc >> 8) ^ byte] ?? 0);
  return crc;
}

/** Computed at first use: few commands need it. */
let remainders: Uint16Array | undefined;

function remainderOf(byte: number): number {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
}
