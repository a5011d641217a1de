import {misspelledMember} from '../contract/check-request.js';
import {defined} from '../contract/defined.js';
import {type JsonObject, kindOf, parseJsonObject} from '../contract/parse-json.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {RingKey} from '../engine/dukpt/ring-key.js';
import {KNOWN_TERMINALS} from '../engine/families/registry.js';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import {bytesOfHex} from '../platform/bytes.js';
import {attempt} from './attempt.js';

/** A ciphertext as named and written by the user. */
export interface GivenCiphertext {
  readonly name: string;
  readonly text: string;
}

/** The kinds of key as users may state them. */
export const KINDS = ['bdk', 'ik', 'working', 'component', 'unknown'] as const;

/** The kind of a key, as stated by the user. */
export type GivenKind = (typeof KINDS)[number];

/** A given or published key. */
export interface GivenKey {
  readonly kind: GivenKind;
  readonly bytes: Uint8Array;
  /** Identifies the key without revealing it: `key 1`, `lab of the keyfile`. */
  readonly source: string;
  readonly origin: 'published' | 'given' | 'keyfile';
  /** Of a keyfile's key: what it serves. */
  readonly serves?: Served;
  /** Set for a published key from the AES DUKPT test vectors. */
  readonly scheme?: 'aes' | undefined;
}

/** The KSNs and the algorithm that a key of a keyfile is stored for. */
export type Served = Pick<RingKey, 'ksnPrefix' | 'algorithm' | 'compatibility'>;

/** A key as written; digits may be missing or extra. */
export interface WrittenKey {
  readonly kind: GivenKind;
  readonly digits: string;
  readonly source: string;
}

/** All input of the user. */
export interface DiagnosisCase {
  readonly payload?: string;
  readonly ciphertexts: readonly GivenCiphertext[];
  readonly ksn?: string;
  readonly iv?: string;
  readonly deviceType?: string;
  /** The names of members that were misspelled, as given and as meant. */
  readonly misspelled?: readonly (readonly [given: string, meant: string])[];
  /** The request names a terminal that there is not. */
  readonly isOfNoType?: true;
  readonly pan?: string;
  /** Plaintexts, or their beginnings, that the user knows: hex or text. */
  readonly expected?: readonly string[];
  readonly writtenKeys: readonly WrittenKey[];
  /** The terminals that may have sent the payload; default: those of paylens. */
  readonly terminals?: TerminalSet;
  /** Keys of the keyfile. */
  readonly keys: readonly GivenKey[];
}

/** The keys of a search. */
export interface SearchKeys {
  /** Given keys, keys of the keyfile, published keys, in this order. */
  readonly all: readonly GivenKey[];
  readonly written: readonly WrittenKey[];
}

/** All texts of a case together: twice the largest payload, more than any that a terminal sends, escaped. */
export const MAX_DIAGNOSED_CHARS = 131_072;
export const MAX_CIPHERTEXTS = 100;
export const MAX_KEYS = 100;

/** Whether a text is a diagnosis case rather than a payload that happens to be JSON. */
export function isCase(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  const object = attempt(() => parseJsonObject(text));
  if (!object) return /"(?:ciphertexts|keys)"\s*:\s*\[/.test(text);
  const isNamed = 'devicePayload' in object || 'payload' in object || 'ciphertexts' in object;
  return (
    isNamed || Array.isArray(object.keys) || misspelledMember(object, 'devicePayload') !== undefined
  );
}

/**
 * Parses the JSON of a case, or the body of a process-payload request. Throws 2004 if it is not a
 * JSON object, 2005 if a member has the wrong type or form; keys are never repeated in the message.
 */
export function parseCase(text: string, terminals: TerminalSet = KNOWN_TERMINALS): DiagnosisCase {
  const {object, misspelled} = spelledOut(parseJsonObject(text));
  assertKeysNamed(object);
  const type = textOf(object, 'deviceType');
  const given = defined({
    payload: textOf(object, 'devicePayload') ?? textOf(object, 'payload'),
    ksn: textOf(object, 'ksn'),
    iv: textOf(object, 'iv'),
    pan: textOf(object, 'pan'),
    deviceType: terminals.types.find((one) => one === type),
    isOfNoType: type === undefined || terminals.has(type) ? undefined : (true as const),
  });
  const all = [object, ...listOf(object, 'ciphertexts', MAX_CIPHERTEXTS)];
  return {
    ...given,
    misspelled,
    ciphertexts: ciphertextsOf(object),
    expected: all.flatMap((one) => textOf(one, 'expected') ?? []),
    writtenKeys: writtenKeysOf(object),
    keys: [],
  };
}

/** An object whose members have the names of a request, and those that were misspelled: given and meant. */
function spelledOut(given: JsonObject): {
  object: JsonObject;
  misspelled: readonly (readonly [given: string, meant: string])[];
} {
  const misspelled = MEMBERS.flatMap((meant) => {
    const other = Object.hasOwn(given, meant) ? undefined : misspelledMember(given, meant);
    return other === undefined ? [] : [[other, meant] as const];
  });
  const meant = misspelled.map(([other, name]) => [name, given[other]]);
  return {object: {...given, ...Object.fromEntries(meant)}, misspelled};
}

const MEMBERS = ['deviceType', 'devicePayload', 'ksn', 'iv'] as const;

/** The bytes of written keys that have whole bytes; the others are repaired later in the search. */
export function wholeKeys(written: readonly WrittenKey[]): GivenKey[] {
  return written
    .filter(({digits}) => [16, 32, 48, 64, 96, 128].includes(digits.length))
    .map(({kind, digits, source}) => ({
      kind,
      bytes: bytesOfHex(digits),
      source,
      origin: 'given' as const,
    }));
}

/** A key that nobody looks for would be missing in the answer. Throws 2005. */
function assertKeysNamed(object: JsonObject): void {
  const name = Object.keys(object).find(
    (one) => one !== 'keys' && MISNAMED_KEY.test(one) && isKey(object[one]),
  );
  if (name === undefined) return;
  throw new PaylensError(2005, `${name}: expected keys, an array of objects with kind and hex`);
}

const MISNAMED_KEY = /^(?:bdk|ik|ipek|(?:working_?|test_?)?keys?|key_?hex)$/i;

function isKey(value: unknown): boolean {
  return typeof value === 'string' ? /^(?:\s*[\dA-F]){16,}\s*$/i.test(value) : Array.isArray(value);
}

function textOf(object: JsonObject, member: string): string | undefined {
  const value = Object.hasOwn(object, member) ? object[member] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new PaylensError(2005, `${member}: expected a string, found ${kindOf(value)}`);
}

function listOf(object: JsonObject, member: string, most: number): readonly JsonObject[] {
  const value = (Object.hasOwn(object, member) ? object[member] : undefined) ?? [];
  if (!Array.isArray(value)) {
    throw new PaylensError(2005, `${member}: expected an array, found ${kindOf(value)}`);
  }
  if (value.length > most) {
    throw new PaylensError(2005, `${member}: expected at most ${most}, found ${value.length}`);
  }
  return value.map((entry: unknown, i) => {
    if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
      return entry as JsonObject;
    }
    throw new PaylensError(2005, `${member}[${i}]: expected an object, found ${kindOf(entry)}`);
  });
}

function ciphertextsOf(object: JsonObject): GivenCiphertext[] {
  return listOf(object, 'ciphertexts', MAX_CIPHERTEXTS).map((entry, i) => {
    const text = textOf(entry, 'hex') ?? textOf(entry, 'value');
    if (text === undefined) throw new PaylensError(2005, `ciphertexts[${i}].hex: expected hex`);
    const name = entry.name === undefined ? '' : (textOf(entry, 'name') ?? '');
    return {name: name === '' ? `ciphertexts[${i}]` : name.slice(0, 60), text};
  });
}

function writtenKeysOf(object: JsonObject): WrittenKey[] {
  return listOf(object, 'keys', MAX_KEYS).map((entry, i) => {
    const kind = textOf(entry, 'kind') ?? 'unknown';
    const source = `key ${i + 1}`;
    const known = KINDS.find((one) => one === kind.toLowerCase());
    if (!known) throw new PaylensError(2005, `${source}: kind: expected ${KINDS.join(', ')}`);
    // As people write them, without spaces, separators and `0x`.
    const hex = (textOf(entry, 'hex') ?? '').replaceAll(/0x/gi, '');
    const digits = hex.replaceAll(/[\s:,\-_"']/g, '').toUpperCase();
    if (!/^[0-9A-F]{14,130}$/.test(digits)) {
      throw new PaylensError(2005, `${source}: hex: expected the hex digits of a key`);
    }
    return {kind: known, digits, source};
  });
}
