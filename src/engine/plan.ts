import {foundHex} from '../contract/found-hex.js';
import {PaylensError} from '../contract/paylens-error.js';
import {bytesFromHex} from '../platform/bytes.js';
import type {Algorithm, CipherMode} from './cipher/block-cipher.js';
import {assertBlocks, blockSizeOf} from './cipher/block-cipher.js';
import type {KeyRing} from './dukpt/key-ring.js';
import {type AesKeyUsage, dataAlgorithm} from './dukpt/key-usage.js';
import {type Ksn, parseKsn} from './dukpt/ksn.js';
import type {AnyRequest} from './families/terminal-set.js';
import type {EncryptedField, Reading} from './reading.js';

/** An encrypted field with the KSN and IV that payload and request agree on. */
export interface PlannedField {
  readonly field: EncryptedField;
  /** Absent only if a working key serves data without a KSN. */
  readonly ksn: Ksn | undefined;
  /** As the format states; always AES under a KSN of 12 bytes; a working key may have its own. */
  readonly algorithm: Algorithm;
  /** Absent: zero, as most terminals use. */
  readonly iv?: Uint8Array | undefined;
}

/** How a field may be encrypted under a key, as far as its setting leaves that open. */
export interface Way {
  /** Of an AES DUKPT key; TDES DUKPT uses the variant of the setting. */
  readonly usage?: AesKeyUsage;
  /** Absent: that of the setting. */
  readonly mode?: CipherMode;
}

/** The fields to decrypt, before any key is used. */
export interface Plan {
  readonly serial: string;
  readonly candidates: readonly (readonly PlannedField[])[];
  readonly reading: Reading;
}

/**
 * Reconciles serial, KSNs and IVs of payload and request
 * (docs/contract.md#process-payload-response, docs/terminals/common.md#ksn,
 * docs/terminals/common.md#modes-and-ivs).
 *
 * Throws 2103 if the serials differ, 2400 if a KSN is missing, malformed or contradicts the
 * payload, 2602 if an IV is not one cipher block or contradicts the payload. `keys` may hold working
 * keys, which need no KSN.
 */
export function planDecryption(reading: Reading, request: AnyRequest, keys?: KeyRing): Plan {
  const serial = agreedSerial(reading.serial, request.deviceSerial);
  const planned = plannedFields(reading, agreedKsns(reading, request.ksn, keys), keys);
  const candidates = agreedIvs(planned, request.iv);
  const first = candidates[0]?.[0]?.ksn;
  return {serial: serial ?? serialFromKsn(first), candidates, reading};
}

/**
 * The serial that payload and request agree on, as the payload spells it; leading zeros and case do
 * not matter. Throws 2103 if they differ.
 */
export function agreedSerial(
  fromPayload: string | undefined,
  fromRequest: string | undefined,
): string | undefined {
  const given = fromRequest === '' ? undefined : fromRequest;
  if (fromPayload === undefined || given === undefined) return fromPayload ?? given;
  if (comparable(fromPayload) === comparable(given)) return fromPayload;
  throw new PaylensError(2103, `expected ${fromPayload} as in the payload, found ${given}`);
}

function comparable(serial: string): string {
  return serial.trim().replace(/^0+/, '').toUpperCase();
}

/** The part of the KSN that identifies the device: 14 digits, or 16 of a 12-byte KSN. */
function serialFromKsn(ksn: Ksn | undefined): string {
  return ksn?.hex.slice(0, ksn.scheme === 'aes' ? 16 : 14) ?? '';
}

type Ksns = (field: EncryptedField) => Ksn | undefined;

function agreedKsns(reading: Reading, given: string | undefined, keys?: KeyRing): Ksns {
  const parsed = new Map<string | undefined, Ksn>();
  let isMissing = false;
  for (const fields of reading.candidates) {
    for (const {ksn} of fields) {
      isMissing ||= ksn === undefined;
      if (ksn !== undefined && !parsed.has(ksn)) parsed.set(ksn, parseKsn(ksn));
    }
  }
  if (given !== undefined && given !== '') {
    const own = isMissing ? [] : [...parsed.values()];
    parsed.set(undefined, agreedKsn(parseKsn(given), own, furtherKsns(reading)));
  }
  const servesAny = keys?.find(undefined) !== undefined;
  return (field) => parsed.get(field.ksn) ?? (servesAny ? undefined : missingKsn(field, reading));
}

/** KSNs that encrypt no card data: of a PIN, of a MAC, of a message that is absent. */
function furtherKsns({ksns = [], macs = []}: Reading): string[] {
  return [...ksns, ...macs.map(({ksn}) => ksn)];
}

/** The request's KSN must be one of the payload's, unless the payload has none. */
function agreedKsn(given: Ksn, own: readonly Ksn[], further: readonly string[]): Ksn {
  if (own.length === 0 || own.some((ksn) => ksn.hex === given.hex)) return given;
  if (further.includes(given.hex)) return given;
  const expected = own.map((ksn) => ksn.hex).join(' or ');
  throw new PaylensError(2400, `expected ${expected} as in the payload, found ${given.hex}`);
}

function missingKsn(field: EncryptedField, {doubt}: Reading): never {
  // A clear card number is reported before a missing key.
  if (doubt?.code === 2110) throw doubt;
  throw new PaylensError(2400, `${field.name} has no KSN, and neither does the request`);
}

type FieldWithoutIv = Omit<PlannedField, 'iv'> & {iv: Uint8Array | undefined};

function plannedFields(reading: Reading, ksns: Ksns, keys?: KeyRing): FieldWithoutIv[][] {
  return reading.candidates.map((fields) =>
    fields.map((field) => {
      const ksn = ksns(field);
      const format = field.setting.algorithm;
      const algorithm = keys ? keys.algorithm(ksn, format) : dataAlgorithm(ksn, format);
      // The readers use the block size of the format; with this KSN the blocks may be longer.
      if (field.ciphertext.length > 0)
        assertBlocks(field.name, field.ciphertext, blockSizeOf(algorithm));
      return {field, ksn, algorithm, iv: undefined};
    }),
  );
}

function agreedIvs(planned: FieldWithoutIv[][], given: string | undefined): PlannedField[][] {
  const iv = given === undefined || given === '' ? undefined : given;
  const usable = iv === undefined ? planned : thatFit(iv, planned);
  for (const fields of usable)
    for (const one of fields) one.iv = agreedIv(one.field, iv, blockSizeOf(one.algorithm));
  return usable;
}

/** An IV in the request rules out alternatives whose cipher has another block size. */
function thatFit<F extends {readonly algorithm: Algorithm}>(iv: string, planned: F[][]): F[][] {
  const sizes = new Set(planned.flat().map(({algorithm}) => blockSizeOf(algorithm)));
  if (sizes.size === 1) return planned;
  const fitting = planned.filter((fields) =>
    fields.every(({algorithm}) => iv.length === 2 * blockSizeOf(algorithm)),
  );
  if (fitting.length === 0) assertIv(iv, Math.min(...sizes), 'the request');
  return fitting;
}

function agreedIv(field: EncryptedField, given: string | undefined, size: number) {
  const own = field.iv === undefined ? undefined : assertIv(field.iv, size, field.name);
  const other = given === undefined ? undefined : assertIv(given, size, 'the request');
  if (own && other && own.some((byte, i) => byte !== other[i])) {
    throw new PaylensError(2602, `iv in the request differs from the IV of ${field.name}`);
  }
  return own ?? other;
}

function assertIv(iv: string | undefined, size: number, where: string): Uint8Array {
  const compact = (iv ?? '').replaceAll(/\s/g, '');
  const bytes = bytesFromHex(compact);
  if (bytes?.length === size) return bytes;
  const detail = `${where}: expected ${2 * size} hex digits, found ${foundHex(compact)}`;
  throw new PaylensError(2602, detail);
}
