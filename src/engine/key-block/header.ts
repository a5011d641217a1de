import {PaylensError} from '../../contract/paylens-error.js';

/** The X9.143 versions in use: A and C use key variant binding, B and D key derivation binding. */
export type KeyBlockVersion = 'A' | 'B' | 'C' | 'D';

/** An optional block: two letters, and its data without the length. */
export interface OptionalBlock {
  /** `KS` KSN, `KC` key check value, `PB` padding, ... */
  readonly id: string;
  readonly data: string;
}

/** Attributes of the key in a key block (ANSI X9.143:2021, 6.2, table 1). */
export interface KeyBlockHeader {
  readonly version: KeyBlockVersion;
  /** Two characters: `B0` BDK, `B1` initial DUKPT key, `K0` key encryption key, ... */
  readonly usage: string;
  /** `T` TDES, `A` AES, `H` HMAC, ... */
  readonly algorithm: string;
  /** `X` derive others from it, `N` any, `E` encrypt, ... */
  readonly mode: string;
  /** Two characters, `00` if key versions are not used. */
  readonly keyVersion: string;
  /** `E` under a trusted key, `N` never, `S` sensitive. */
  readonly exportability: string;
  readonly optional: readonly OptionalBlock[];
}

/** A key block split into its parts, not yet decrypted. */
export interface KeyBlockParts {
  readonly header: KeyBlockHeader;
  /** Header and optional blocks as received: the MAC covers them. */
  readonly headerText: string;
  /** Encrypted key and MAC, in hex. */
  readonly body: string;
}

const FIXED_LENGTH = 16;
/** Their number has two digits. */
const MAX_OPTIONAL_BLOCKS = 99;
const BLOCK_SIZES = {A: 8, B: 8, C: 8, D: 16} as const;

/** Cipher block size of this version, in bytes. */
export function bindingBlockSize(version: KeyBlockVersion): 8 | 16 {
  return BLOCK_SIZES[version];
}

/**
 * Parses the header of a key block; offsets in errors count characters. Throws 9015 for a version
 * other than A to D, a wrong length or a malformed optional block.
 */
export function readHeader(block: string): KeyBlockParts {
  if (!/^[\x20-\x7e]{16,}$/.test(block)) {
    throw damaged('expected at least 16 header characters, all printable ASCII');
  }
  const version = block.charAt(0);
  if (!isVersion(version)) throw damaged(`expected version A, B, C or D, found ${version}`);
  assertHeaderLength(block);
  const {optional, end} = readOptionalBlocks(block);
  const header: KeyBlockHeader = {
    version,
    usage: block.slice(5, 7),
    algorithm: block.charAt(7),
    mode: block.charAt(8),
    keyVersion: block.slice(9, 11),
    exportability: block.charAt(11),
    optional,
  };
  return {header, headerText: block.slice(0, end), body: block.slice(end)};
}

/** The text of `header` for a block whose body has `bodyLength` characters. */
export function writeHeader(header: KeyBlockHeader, bodyLength: number): string {
  const optional = withFill(header).map(writeOptionalBlock);
  const text = optional.join('');
  const length = FIXED_LENGTH + text.length + bodyLength;
  if (length > 9999) throw damaged(`expected at most 9999 characters, found ${length}`);
  const {version, usage, algorithm, mode, keyVersion, exportability} = header;
  const attributes = `${usage}${algorithm}${mode}${keyVersion}${exportability}`;
  const areLongEnough = [usage, keyVersion].every((one) => one.length === 2);
  if (!areLongEnough || !/^[\x20-\x7e]{7}$/.test(attributes)) {
    throw damaged(
      'expected printable attributes: two characters of usage and keyVersion, else one',
    );
  }
  if (optional.length > MAX_OPTIONAL_BLOCKS)
    throw damaged(
      `expected at most ${MAX_OPTIONAL_BLOCKS} optional blocks, found ${optional.length}`,
    );
  return `${version}${decimal(length, 4)}${attributes}${decimal(optional.length, 2)}00${text}`;
}

/** The error (9015) for an unusable key block. */
export function damaged(detail: string): PaylensError {
  return new PaylensError(9015, `key block: ${detail}`);
}

function isVersion(version: string): version is KeyBlockVersion {
  return version in BLOCK_SIZES;
}

function assertHeaderLength(block: string): void {
  const field = block.slice(1, 5);
  if (/^\d{4}$/.test(field) && Number(field) === block.length) return;
  throw damaged(`the length at offset 1 is ${field}, found ${block.length} characters`);
}

function readOptionalBlocks(block: string): {optional: OptionalBlock[]; end: number} {
  const count = block.slice(12, 14);
  if (!/^\d{2}$/.test(count)) throw damaged('expected two digits at offset 12');
  const optional: OptionalBlock[] = [];
  let at = FIXED_LENGTH;
  for (let i = 0; i < Number(count); i++) {
    const {start, end} = optionalBlockAt(block, at);
    optional.push({id: block.slice(at, at + 2), data: block.slice(start, end)});
    at = end;
  }
  return {optional, end: at};
}

/**
 * Start and end of the data of an optional block. Its length is two hex digits, or 00 and the
 * number of length digits (X9.143:2021, 6.3.6).
 */
function optionalBlockAt(block: string, at: number): {start: number; end: number} {
  const short = hexNumberAt(block, at + 2, 2);
  const digits = short === 0 ? hexNumberAt(block, at + 4, 2) : 0;
  const start = at + (short === 0 ? 6 + digits : 4);
  const length = short === 0 ? hexNumberAt(block, at + 6, digits) : short;
  const end = at + length;
  if (end >= start && end <= block.length) return {start, end};
  throw damaged(`the optional block at offset ${at} has an invalid length: ${length}`);
}

function hexNumberAt(block: string, at: number, digits: number): number {
  const text = block.slice(at, at + digits);
  if (text.length === digits && /^[0-9A-F]{1,8}$/i.test(text)) return Number.parseInt(text, 16);
  throw damaged(`expected ${digits} hex digits at offset ${at}`);
}

/** Adds a `PB` block unless the optional blocks are whole cipher blocks (X9.143:2021, 6.3.6). */
function withFill({version, optional}: KeyBlockHeader): readonly OptionalBlock[] {
  const size = bindingBlockSize(version);
  const length = optional.reduce((sum, block) => sum + writeOptionalBlock(block).length, 0);
  if (length % size === 0) return optional;
  const fill = (2 * size - (length % size) - 4) % size;
  return [...optional, {id: 'PB', data: '0'.repeat(fill)}];
}

function writeOptionalBlock({id, data}: OptionalBlock): string {
  if (!/^[\x20-\x7e]{2}$/.test(id) || !/^[\x20-\x7e]*$/.test(data))
    throw damaged('expected optional blocks with an id of two characters, all printable ASCII');
  const length = data.length + 4;
  if (length < 256) return `${id}${hexOf(length, 2)}${data}`;
  return `${id}0004${hexOf(data.length + 10, 4)}${data}`;
}

function hexOf(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

function decimal(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
