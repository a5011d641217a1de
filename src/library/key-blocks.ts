import {randomBytes} from '#platform';
import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {KeyBlockHeader, OptionalBlock} from '../engine/key-block/header.js';
import {unwrapKeyBlock as unwrap, wrapKeyBlock as wrap} from '../engine/key-block/key-block.js';
import {integerOf, listOf, membersOf, oneOf, required, wrong} from './arguments.js';
import {assertTwoKeys, type KeyMaterial, secretOf} from './keys.js';
import {safely} from './safe-errors.js';

/** The key that protects a key block: 16 or 24 bytes of TDES, 16, 24 or 32 of AES. */
export interface KbpkOptions {
  readonly kbpk: KeyMaterial;
}

/** A key and its attributes (ANSI X9.143:2021, 6.2). */
export interface UnwrappedKey {
  readonly header: KeyBlockHeader;
  /** A copy in separate memory. */
  readonly key: Uint8Array;
}

/**
 * Unwraps a key block (TR-31:2018, ANSI X9.143:2021; versions A to D) and verifies its MAC. Throws
 * PaylensError: 2005 for a wrong argument, 9015 if it is not a key block or was wrapped under another
 * key.
 */
export function unwrapKeyBlock(block: string, options: KbpkOptions): UnwrappedKey {
  return safely(() => {
    const {kbpk} = membersOf(options, 'options', ['kbpk']);
    if (typeof block === 'string' && block.length > MAX_BLOCK_CHARS)
      throw new PaylensError(9015, `block: expected at most ${MAX_BLOCK_CHARS} characters`);
    const text = required(block, 'block');
    const protection = secretOf(kbpk, 'kbpk');
    try {
      if (!text.startsWith('D')) assertTwoKeys(protection, 'kbpk');
      const {header, key} = unwrap(text, protection);
      const bytes = new Uint8Array(key.reveal());
      key.wipe();
      return {header, key: bytes};
    } finally {
      protection.wipe();
    }
  }, redactCardNumbers);
}

/** The header counts its characters in four digits. */
const MAX_BLOCK_CHARS = 9999;

/** Settings of `wrapKeyBlock`. */
export interface WrapOptions extends KbpkOptions {
  /** Bytes of the key with padding; more than the key's own length hides that length. */
  readonly keyField?: number | undefined;
}

const HEADER = ['version', 'usage', 'algorithm', 'mode', 'keyVersion', 'exportability', 'optional'];
const TEXTS = ['usage', 'algorithm', 'mode', 'keyVersion', 'exportability'] as const;

/**
 * Wraps a key; length and padding of the header are added. `key` is hex or bytes. Throws
 * PaylensError: 2005 for a wrong argument, 9015 for a key or header that no block can hold.
 */
export function wrapKeyBlock(
  block: {readonly header: KeyBlockHeader; readonly key: KeyMaterial},
  options: WrapOptions,
): string {
  return safely(() => {
    const given = membersOf(block, 'block', ['header', 'key']);
    const {kbpk, keyField} = membersOf(options, 'options', ['kbpk', 'keyField']);
    const header = headerOf(given.header);
    const field = integerOf(keyField, 'keyField', [1, 256]);
    const key = secretOf(given.key, 'key');
    const protection = secretOf(kbpk, 'kbpk');
    try {
      if (header.version !== 'D') assertTwoKeys(protection, 'kbpk');
      if (header.algorithm === 'T') assertTwoKeys(key, 'key');
      if (field !== undefined && field < key.length)
        throw new PaylensError(2005, `keyField: expected ${key.length} or more, as the key has`);
      const size = field === undefined ? {} : {keyField: field};
      return wrap({header, key}, protection, {random: randomBytes, ...size});
    } finally {
      key.wipe();
      protection.wipe();
    }
  }, redactCardNumbers);
}

function headerOf(value: unknown): KeyBlockHeader {
  if (value === undefined) throw wrong('header', 'an object', value);
  const {version, optional, ...given} = membersOf(value, 'header', HEADER);
  const texts = Object.fromEntries(
    TEXTS.map((name) => [name, required(given[name], `header.${name}`)]),
  );
  return {
    ...(texts as Record<(typeof TEXTS)[number], string>),
    version:
      oneOf(required(version, 'header.version'), 'header.version', ['A', 'B', 'C', 'D']) ?? 'D',
    optional: listOf(optional, 'header.optional', 99).map(optionalBlock),
  };
}

function optionalBlock(value: unknown, index: number): OptionalBlock {
  const where = `header.optional[${index}]`;
  const {id, data} = membersOf(value, where, ['id', 'data']);
  return {id: required(id, `${where}.id`), data: required(data, `${where}.data`)};
}
