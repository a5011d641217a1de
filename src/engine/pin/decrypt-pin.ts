import {PaylensError} from '../../contract/paylens-error.js';
import {bytesOfHex, upperHexOf} from '../../platform/bytes.js';
import {Evidence, type Fact, REQUIRED_BITS} from '../card/evidence.js';
import type {Algorithm, BlockCipher} from '../cipher/block-cipher.js';
import {prepareCipher} from '../cipher/modes.js';
import type {KeyRing, TransactionKey} from '../dukpt/key-ring.js';
import {dataKeyType} from '../dukpt/key-usage.js';
import {keySetId, parseKsn} from '../dukpt/ksn.js';
import {type RingKey, workingAlgorithm} from '../dukpt/ring-key.js';
import type {OpenedCard} from '../pipeline.js';
import type {Plan, PlannedField} from '../plan.js';
import type {CipherSetting, PinBlock, PinFormat} from '../reading.js';
import {type ClearPin, panField4, panFieldFormat0, readClearPin} from './clear-pin.js';

/** A PIN, and what is said of it without its digits. */
export interface Pin {
  readonly digits: string;
  /** Of ISO 9564-1. */
  readonly format: PinFormat;
  /** How the block was decrypted. */
  readonly planned: PlannedField;
  readonly facts: readonly Fact[];
}

/** PIN blocks are one block under a key of their own (docs/terminals/common.md#pin-blocks). */
const PIN_SETTING: Omit<CipherSetting, 'algorithm'> = {
  mode: 'ecb',
  variant: 'pin',
  selfEncrypted: false,
  aes: {usage: 'pin'},
};

/**
 * Decrypts the PIN block of a payload whose card data was decrypted, with that card's number.
 *
 * A block of format 0 or 4 proves itself by control nibble, length, fill and card number. Formats 1
 * and 3, and PINs whose fill proves too little, must be stated: by the payload, or by `stated`. The
 * key of the card data proves nothing about the PIN block, which many terminals encrypt under another.
 *
 * Throws 9050 if there is no PIN block, 2100 if there are several, 9051 if it is not a PIN of the
 * stated format, or of format 0 or 4, for this card, 2400 for its KSN, 2600 without a key for it,
 * 9015 for one of another cipher.
 */
export function decryptPin({plan, pan}: OpenedCard, keys: KeyRing, stated?: PinFormat): Pin {
  const block = onlyBlock(plan.reading.pins ?? []);
  const format = stated ?? block.format;
  if (format !== undefined && block.format !== undefined && format !== block.format)
    throw notOpened(block, `the payload states format ${block.format}, --pin-format ${format}`);
  const planned = planPin(block, plan, keys);
  const clear = openPinBlock(planned, pan.replaceAll(/\D/g, ''), keys);
  if (!clear || clear.format !== (format ?? clear.format)) {
    const expected = format === undefined ? '0, 1, 3 or 4' : String(format);
    throw notOpened(block, `the plaintext is not a PIN of format ${expected} for this card number`);
  }
  const evidence = new Evidence();
  const form = `PIN block of format ${clear.format}: control nibbles, digits, fill`;
  evidence.add('grammar', form, clear.bits);
  if (format !== undefined) evidence.add('agreement', 'the stated format', REQUIRED_BITS);
  if (
    evidence.bits < REQUIRED_BITS ||
    (format === undefined && !SELF_PROVING.includes(clear.format))
  ) {
    throw notOpened(block, 'too little in it distinguishes a PIN from random bytes', STATE_FORMAT);
  }
  return {digits: clear.digits, format: clear.format, planned, facts: evidence.facts};
}

/** Formats with a fixed fill and the card number in them. */
const SELF_PROVING: readonly PinFormat[] = [0, 4];
const STATE_FORMAT = 'If the terminal states the format of its PIN blocks, give it: --pin-format.';

/** Throws 9050 if there is none, 2100 if there are several. */
function onlyBlock(blocks: readonly PinBlock[]): PinBlock {
  const [first, ...others] = blocks;
  if (!first) throw new PaylensError(9050);
  const key = ({ciphertext, ksn}: PinBlock) => `${upperHexOf(ciphertext)} ${ksn}`;
  const other = others.find((block) => key(block) !== key(first));
  if (!other) return first;
  throw new PaylensError(
    2100,
    `${first.name} at ${first.offset} and ${other.name} at ${other.offset}: two PIN blocks or two KSNs of it`,
  );
}

function notOpened({name, offset}: PinBlock, why: string, hint?: string): PaylensError {
  return new PaylensError(9051, `${name} at ${offset}: ${why}`, hint === undefined ? {} : {hint});
}

/** A block of 8 bytes is TDES, one of 16 AES. Throws 9051 for another length, 2400, 2600, 9015. */
function planPin(block: PinBlock, plan: Plan, keys: KeyRing): PlannedField {
  const algorithm = PIN_ALGORITHMS[block.ciphertext.length];
  if (!algorithm) {
    const found = block.ciphertext.length;
    throw notOpened(block, `expected 8 bytes (TDES) or 16 (AES), found ${found}`);
  }
  const ksn = block.ksn === undefined ? plan.candidates[0]?.[0]?.ksn : parseKsn(block.ksn);
  assertKey(`${block.name} at ${block.offset}`, keys.find(ksn), {ksn, algorithm});
  const setting = {...PIN_SETTING, algorithm};
  return {field: {...block, setting, open: () => ({})}, ksn, algorithm};
}

const PIN_ALGORITHMS: Readonly<Partial<Record<number, Algorithm>>> = {8: 'tdes', 16: 'aes'};

/** Throws 2600 if there is no key, 9015 for a working key of another cipher. */
function assertKey(
  where: string,
  key: RingKey | undefined,
  {ksn, algorithm}: Pick<PlannedField, 'ksn' | 'algorithm'>,
): void {
  if (!key) {
    const detail = `${where}: ${ksn ? `key set ${keySetId(ksn)}` : 'data without a KSN'}`;
    throw new PaylensError(2600, detail);
  }
  const {length} = key.secret;
  if (key.kind !== 'working') return;
  if (workingAlgorithm(key, algorithm) === algorithm && length !== 8) return;
  const found = `${key.name ?? 'the working key'} of ${length} bytes`;
  const detail = `${where}: expected a key of ${algorithm.toUpperCase()}, found ${found}`;
  throw new PaylensError(9015, detail);
}

function openPinBlock(
  {field, ksn, algorithm}: PlannedField,
  pan: string,
  keys: KeyRing,
): ClearPin | undefined {
  const transaction = keys.transaction(ksn);
  const key = pinKey(transaction, algorithm, keys.find(ksn)?.secret.length ?? 16);
  const cipher = prepareCipher(algorithm, key);
  try {
    return algorithm === 'aes'
      ? openFormat4(field.ciphertext, pan, cipher)
      : openShort(cipher.decryptEcb(field.ciphertext), pan);
  } finally {
    key.fill(0);
    cipher.wipe();
    transaction.wipe();
  }
}

function pinKey(
  transaction: TransactionKey,
  algorithm: 'tdes' | 'aes',
  length: number,
): Uint8Array {
  if (transaction.scheme !== 'aes') return transaction.workingKey('pin', false);
  return transaction.aesWorkingKey('pin', dataKeyType(algorithm, length));
}

/** Format 1 has no card number in it. */
function openShort(plain: Uint8Array, pan: string): ClearPin | undefined {
  const format = (plain[0] ?? 0) >> 4;
  const clear = format === 1 ? plain : xor(plain, bytesOfHex(panFieldFormat0(pan)));
  return readIf(clear, [0, 1, 3]);
}

/** The PIN is encrypted, the card number added, and the sum encrypted again (ISO 9564-1, 9.5). */
function openFormat4(block: Uint8Array, pan: string, cipher: BlockCipher): ClearPin | undefined {
  const sum = cipher.decryptEcb(block);
  return readIf(cipher.decryptEcb(xor(sum, bytesOfHex(panField4(pan)))), [4]);
}

function readIf(clear: Uint8Array, formats: readonly PinFormat[]): ClearPin | undefined {
  const found = readClearPin(clear[0] ?? 0, upperHexOf(clear).slice(2));
  clear.fill(0);
  return found && formats.includes(found.format) ? found : undefined;
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, i) => byte ^ (b[i] ?? 0));
}
