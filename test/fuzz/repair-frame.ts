/** Corrects length and check values of a changed frame, so that a reader continues. */
export function repairFrame(text: string): string {
  if (/^02[0-9a-f]*$/i.test(text)) return idtechFrame(text);
  if (/^02[0-9a-f]{4}/i.test(text)) return keyboardFrame(text);
  if (/^5669564F/i.test(text)) return vivoMessage(text);
  if (/^01[0-9a-f]*$/i.test(text)) return linkFrames(text);
  if (/^(?:[0-9a-f]{4})?F9[0-9a-f]*$/i.test(text)) return container(text);
  if (/^%[^|]*(?:\|[^|]*){10,}$/.test(text)) return swipeString(text);
  return text;
}

/** STX, length, data, LRC, sum, ETX in hex (ID TECH, BBPOS). */
function idtechFrame(text: string): string {
  const data = Buffer.from(text.slice(6, -6), 'hex');
  return `02${littleEndian(data.length)}${hex(data)}${checks(data)}03`;
}

/** The same with the data as text. */
function keyboardFrame(text: string): string {
  const data = text.slice(6, -6);
  return `02${littleEndian(data.length)}${data}${checks(Buffer.from(data, 'latin1'))}03`;
}

function checks(data: Uint8Array): string {
  return hex([
    data.reduce((lrc, byte) => lrc ^ byte, 0),
    data.reduce((sum, byte) => sum + byte, 0),
  ]);
}

function littleEndian(length: number): string {
  return hex([length, length >> 8]);
}

/** The CRC of a ViVOtech2 message, and its length after ten characters, command and status. */
function vivoMessage(text: string): string {
  const bytes = Buffer.from(text, 'hex');
  const at = text.slice(8, 10) === '70' ? 13 : 12;
  if (bytes.length < at + 4) return text;
  bytes.writeUInt16BE(bytes.length - at - 4, at);
  bytes.writeUInt16BE(crc16(bytes.subarray(0, -2)), bytes.length - 2);
  return hex(bytes);
}

/** Polynomial 1021, start FFFF, not reflected. */
function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}

/** NAD, PCB, LEN, data, LRC: consecutive frames, the last as long as it is (Miura, VIPA). */
function linkFrames(text: string): string {
  const bytes = Buffer.from(text, 'hex');
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = Math.min(bytes[at + 2] ?? 0, bytes.length - at - 4);
    bytes[at + 2] = length;
    const lrc = at + 3 + length;
    bytes[lrc] = bytes.subarray(at, lrc).reduce((xor, byte) => xor ^ byte, 0);
    at = lrc + 1;
  }
  return hex(bytes);
}

/** The length of F9, and the word of it in front (MagTek), with nothing behind. */
function container(text: string): string {
  const start = /^F9/i.test(text) ? 0 : 2;
  const bytes = Buffer.from(text, 'hex');
  const count = bytes[start + 1] ?? 0;
  const head = start + 2 + (count > 0x80 ? count & 0x7f : 0);
  const body = bytes.subarray(head);
  const frame = Buffer.concat([Buffer.from('F9820000', 'hex'), body]);
  frame.writeUInt16BE(body.length & 0xffff, 2);
  const word = Buffer.from([frame.length >> 8, frame.length]);
  return hex(start === 0 ? frame : Buffer.concat([word, frame]));
}

/** The CRC of a string of a MagTek reader: low byte first, two fields before the end. */
function swipeString(text: string): string {
  const fields = text.split('|');
  const signed = `${fields.slice(0, -3).join('|')}|`;
  const crc = crc16(Buffer.from(signed.trimStart(), 'latin1'));
  return signed + [hex([crc, crc >> 8]), ...fields.slice(-2)].join('|');
}

function hex(bytes: Iterable<number>): string {
  return Buffer.from([...bytes])
    .toString('hex')
    .toUpperCase();
}
