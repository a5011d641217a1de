import {createHmac, timingSafeEqual} from 'node:crypto';
import {PaylensError} from '../../contract/paylens-error.js';
import {openSealed, TAG_BYTES, unpadded} from './file-key.js';
import {hkdfSha256} from './hkdf-sha256.js';

/** A recipient stanza: what it is, and the file key as only its recipient can read it. */
export interface Stanza {
  readonly args: readonly string[];
  readonly body: Uint8Array;
}

/** The parts of a binary age v1 file (c2sp.org/age). */
interface AgeFile {
  readonly stanzas: readonly Stanza[];
  /** The part of the header covered by its MAC. */
  readonly signed: Uint8Array;
  readonly mac: Uint8Array;
  readonly nonce: Uint8Array;
  /** Chunks of 64 KiB, each with its tag. */
  readonly payload: Uint8Array;
}

const VERSION = 'age-encryption.org/v1';
/** Every binary age file begins with it. */
export const MAGIC = `${VERSION}\n`;
const HEADER_END = '\n---';
/** A space, 32 bytes in base64, and a line feed. */
const MAC_LINE = 45;
const MAC_BYTES = 32;
const NONCE_BYTES = 16;
const ARGUMENTS = /^->(?: [!-~]+)+$/;
/** Characters of every line of a body but its last, which is shorter. */
const COLUMNS = 64;
const CHUNK = 64 * 1024;
const SEALED_CHUNK = CHUNK + TAG_BYTES;
const CHUNK_NONCE = 12;
const NO_SALT = new Uint8Array();

/**
 * Reads the parts of an age file, in which every text has one spelling. A file has thousands of stanzas
 * where a team is large: they are read as one text. Throws 9012.
 */
export function readAgeFile(bytes: Uint8Array): AgeFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = file.indexOf(HEADER_END, 0, 'latin1');
  if (end < 0) throw damaged();
  const [version, ...lines] = file.toString('latin1', 0, end).split('\n');
  if (version !== VERSION) throw damaged();
  const macAt = end + HEADER_END.length;
  const nonceAt = macAt + MAC_LINE;
  const [, mac = ''] = /^ (.*)\n$/.exec(file.toString('latin1', macAt, nonceAt)) ?? [];
  const payloadAt = nonceAt + NONCE_BYTES;
  if (file.length < payloadAt) throw damaged();
  return {
    stanzas: stanzasOf(lines),
    signed: file.subarray(0, macAt),
    mac: decodeUnpadded(mac, MAC_BYTES),
    nonce: file.subarray(nonceAt, payloadAt),
    payload: file.subarray(payloadAt),
  };
}

/** The plaintext of a file under its file key. Throws 9012 when header or payload was changed. */
export function openAgeFile(file: AgeFile, fileKey: Uint8Array): Buffer {
  const macKey = hkdfSha256(fileKey, NO_SALT, 'header');
  const mac = createHmac('sha256', macKey).update(file.signed).digest();
  if (!timingSafeEqual(mac, file.mac)) throw damaged();
  return openPayload(file.payload, hkdfSha256(fileKey, file.nonce, 'payload'));
}

function stanzasOf(lines: readonly string[]): Stanza[] {
  const stanzas: Stanza[] = [];
  for (let at = 0; at < lines.length; at++) {
    const start = lines[at] ?? '';
    if (!ARGUMENTS.test(start)) throw damaged();
    const first = at + 1;
    do at += 1;
    while (lines[at]?.length === COLUMNS);
    if ((lines[at]?.length ?? COLUMNS) >= COLUMNS) throw damaged();
    const body = decodeUnpadded(lines.slice(first, at + 1).join(''));
    stanzas.push({args: start.split(' ').slice(1), body});
  }
  return stanzas;
}

function decodeUnpadded(text: string, length?: number): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (unpadded(bytes) !== text || bytes.length !== (length ?? bytes.length)) throw damaged();
  return bytes;
}

/**
 * The STREAM construction: the nonce contains a counter of the chunks, and a flag for the last one.
 */
function openPayload(payload: Uint8Array, key: Uint8Array): Buffer {
  const last = Math.max(Math.ceil(payload.length / SEALED_CHUNK) - 1, 0);
  // Else what is left of a last chunk that was cut would not hold the others.
  if (payload.length - last * SEALED_CHUNK < TAG_BYTES) throw damaged();
  const plaintext = Buffer.alloc(payload.length - (last + 1) * TAG_BYTES);
  for (let index = 0; index <= last; index++) {
    const sealed = payload.subarray(index * SEALED_CHUNK, (index + 1) * SEALED_CHUNK);
    const nonce = Buffer.alloc(CHUNK_NONCE);
    nonce.writeUInt32BE(index, 7);
    nonce[CHUNK_NONCE - 1] = index === last ? 1 : 0;
    const opened = openSealed(sealed, key, nonce);
    // An empty chunk must be the only one.
    if (!opened || (opened.length === 0 && last > 0)) throw damaged();
    plaintext.set(opened, index * CHUNK);
    opened.fill(0);
  }
  return plaintext;
}

function damaged(): PaylensError {
  return new PaylensError(9012, 'its header or content fails authentication');
}
