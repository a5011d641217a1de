import {Secret} from '../../contract/secret.js';
import {bytesFromLatin1, bytesOfHex, upperHexOf} from '../../platform/bytes.js';
import {equalBytes} from '../../platform/hash.js';
import {type Binding, bindingOf} from './binding.js';
import {bindingBlockSize, damaged, type KeyBlockHeader, readHeader, writeHeader} from './header.js';

export type {KeyBlockHeader} from './header.js';

/** A key and its attributes in the key block. */
export interface KeyBlock {
  readonly header: KeyBlockHeader;
  readonly key: Secret;
}

interface WrapOptions {
  /** Random bytes that pad the last cipher block. */
  readonly random: (bytes: number) => Uint8Array;
  /** Length of the key with padding; more than the key's own length hides that length. */
  readonly keyField?: number;
}

/**
 * Unwraps a key block (TR-31:2018, ANSI X9.143:2021; versions A to D) under its protection key and
 * verifies its MAC. Throws 9015 if it is not a valid key block, or was wrapped under another key.
 */
export function unwrapKeyBlock(text: string, kbpk: Secret): KeyBlock {
  const {header, headerText, body} = readHeader(text.trim());
  const binding = bindingOf(header.version, kbpk.reveal());
  try {
    return {header, key: open(binding, header, headerText, body)};
  } finally {
    binding.wipe();
  }
}

/** Wraps a key under `kbpk`, adding length and padding to the header. Throws 9015. */
export function wrapKeyBlock({header, key}: KeyBlock, kbpk: Secret, options: WrapOptions): string {
  const binding = bindingOf(header.version, kbpk.reveal());
  const plain = plainOf(key.reveal(), bindingBlockSize(header.version), options);
  const headerText = writeHeader(header, 2 * (plain.length + binding.macLength));
  const {encrypted, mac} = binding.encrypt(bytesFromLatin1(headerText), plain);
  binding.wipe();
  plain.fill(0);
  return headerText + upperHexOf(encrypted) + upperHexOf(mac);
}

function open(binding: Binding, header: KeyBlockHeader, headerText: string, body: string): Secret {
  const bytes = bodyBytes(body, headerText.length);
  const size = bindingBlockSize(header.version);
  const end = bytes.length - binding.macLength;
  if (end < size)
    throw damaged(
      `expected an encrypted key of at least ${size} bytes and a MAC of ${binding.macLength}, found ${bytes.length} bytes after the header`,
    );
  if (end % size !== 0)
    throw damaged(
      `expected an encrypted key that is a multiple of ${size} bytes, found ${end} bytes`,
    );
  if (binding.macLength === 4 && headerText.length % size !== 0) {
    throw damaged(`expected optional blocks padded to a multiple of ${size} bytes`);
  }
  const [encrypted, mac] = [bytes.subarray(0, end), bytes.subarray(end)];
  const opened = binding.decrypt(bytesFromLatin1(headerText), encrypted, mac);
  if (!equalBytes(opened.mac, mac)) {
    opened.plain.fill(0);
    throw damaged(
      'the MAC does not match: the block is damaged, or it was wrapped under a different KBPK',
    );
  }
  return keyOf(opened.plain);
}

function bodyBytes(body: string, offset: number): Uint8Array {
  const stray = /[^0-9A-F]/i.exec(body);
  if (stray) throw damaged(`expected hex digits at offset ${offset + stray.index}`);
  if (body.length % 2 === 0) return bytesOfHex(body);
  throw damaged(`expected an even number of hex digits from offset ${offset} on`);
}

/** The key in the plaintext: its length in bits (two bytes), the key, padding. */
function keyOf(plain: Uint8Array): Secret {
  const bits = ((plain[0] ?? 0) << 8) | (plain[1] ?? 0);
  const length = bits / 8;
  if (bits === 0 || bits % 8 !== 0 || length > plain.length - 2) {
    plain.fill(0);
    throw damaged(`a key of ${bits} bits does not fit in the encrypted part`);
  }
  const key = new Secret(plain.subarray(2, 2 + length));
  plain.fill(0);
  return key;
}

function plainOf(key: Uint8Array, size: number, {random, keyField}: WrapOptions): Uint8Array {
  const field = Math.max(key.length, keyField ?? 0);
  const plain = new Uint8Array(Math.ceil((2 + field) / size) * size);
  const bits = 8 * key.length;
  plain.set([bits >> 8, bits & 0xff]);
  plain.set(key, 2);
  plain.set(random(plain.length - 2 - key.length), 2 + key.length);
  return plain;
}
