import {PaylensError} from '../../contract/paylens-error.js';
import {MAX_WORK_FACTOR} from './work-factor.js';

/** What the header of an age file (c2sp.org/age) says about who can decrypt it. */
export interface AgeHeader {
  readonly recipients: number;
  /** Present if a passphrase decrypts the file. */
  readonly scrypt?: ScryptTerms;
}

/** How the key is derived from the passphrase. */
export interface ScryptTerms {
  readonly salt: Uint8Array;
  readonly workFactor: number;
}

const MAGIC = 'age-encryption.org/v1\n';
const HEADER_END = '\n---';
/** Room for 600 recipients. The parser of age-encryption takes quadratic time on long headers. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Reads the recipients in a header before anything is parsed or decrypted. Throws 9012. */
export function readAgeHeader(bytes: Uint8Array): AgeHeader {
  const start = Buffer.from(bytes.subarray(0, MAX_HEADER_BYTES)).toString('latin1');
  if (!start.startsWith(MAGIC)) throw notAge(bytes);
  const end = start.indexOf(HEADER_END);
  if (end < 0 && bytes.length > MAX_HEADER_BYTES)
    throw new PaylensError(9012, `its header is longer than ${MAX_HEADER_BYTES} bytes`);
  if (end < 0) throw damagedFile();
  const lines = start.slice(0, end).split('\n');
  const stanzas = lines.filter((line) => line.startsWith('-> ')).map((line) => line.split(' '));
  const scrypt = stanzas.find(([, type]) => type === 'scrypt');
  if (!scrypt) return {recipients: stanzas.length};
  if (stanzas.length > 1)
    throw new PaylensError(9012, 'expected the scrypt stanza to be the only one in its header');
  return {recipients: 0, scrypt: readScryptTerms(scrypt.slice(2))};
}

/** The error 9012 for a file that is not as its writer left it. */
export function damagedFile(cause?: unknown): PaylensError {
  return new PaylensError(9012, 'its header or content fails authentication', {cause});
}

function readScryptTerms([salt = '', factor = '', ...more]: readonly string[]): ScryptTerms {
  const isWellFormed = /^[A-Za-z0-9+/]{22}$/.test(salt) && /^[1-9][0-9]{0,3}$/.test(factor);
  if (!isWellFormed || more.length > 0)
    throw new PaylensError(9012, 'the scrypt stanza of its header is malformed');
  const workFactor = Number(factor);
  if (workFactor <= MAX_WORK_FACTOR) return {salt: Buffer.from(salt, 'base64'), workFactor};
  throw new PaylensError(
    9012,
    `expected a scrypt work factor of at most ${MAX_WORK_FACTOR}, found ${factor}`,
  );
}

function notAge(bytes: Uint8Array): PaylensError {
  const found = bytes.length === 0 ? 'an empty file' : 'other content';
  return new PaylensError(9012, `expected age-encryption.org/v1 at byte 0, found ${found}`);
}
