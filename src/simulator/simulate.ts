import {foundHex} from '../contract/found-hex.js';
import {PaylensError, rethrowTerminalFault} from '../contract/paylens-error.js';
import type {Mode, ProcessPayloadRequest} from '../contract/process-payload.js';
import type {BlockCipher} from '../engine/cipher/block-cipher.js';
import {prepareCipher} from '../engine/cipher/modes.js';
import type {KeyRing} from '../engine/dukpt/key-ring.js';
import {dataKeyType} from '../engine/dukpt/key-usage.js';
import {type Ksn, nextKsn, parseKsn} from '../engine/dukpt/ksn.js';
import {type MacKind, macOf, schemeOfMac} from '../engine/dukpt/mac.js';
import {KNOWN_TERMINALS, type TerminalType} from '../engine/families/registry.js';
import type {AnyTerminal} from '../engine/families/terminal.js';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import {processPayload} from '../engine/process-payload.js';
import {readPayload} from '../engine/read-payload.js';
import type {CipherSetting} from '../engine/reading.js';
import type {WriteRequest, Writer, Written} from '../engine/writing.js';
import {bytesFromHex} from '../platform/bytes.js';
import {type CardDetails, composeCard} from './compose-card.js';
import {cutPayload, type Damage, flipByte, withWrongTrackLrc} from './damage.js';

/** Everything that decides a payload: the same simulation gives the same payload. */
export interface Simulation<Type extends string = TerminalType> {
  readonly deviceType: Type;
  /** Default: those of paylens. */
  readonly terminals?: TerminalSet | undefined;
  readonly mode: Mode;
  readonly card: CardDetails;
  /** Hex, of this very transaction. */
  readonly ksn: string;
  readonly keys: KeyRing;
  readonly serial?: string | undefined;
  /** Hex; absent: zero, and the payload carries none. */
  readonly iv?: string | undefined;
  /** The format's own settings (see its writer). */
  readonly options?: Readonly<Record<string, string>>;
  readonly damage?: Damage | undefined;
}

/** The parameters of process-payload without credentials. */
export type SimulatedRequest<Type extends string = TerminalType> = Pick<
  ProcessPayloadRequest<Type>,
  'deviceType' | 'devicePayload' | 'deviceSerial' | 'ksn' | 'iv'
>;

/**
 * Generates what a terminal would send for a card, using the writer of its type. Throws 9001 if the
 * type does not have this mode, an option or the card is unusable, the reader rejects the result,
 * or the format has no LRC to corrupt; 2400 for an invalid KSN, 2602 for an invalid IV, 2600 if no
 * key serves the KSN.
 */
export function simulate<Type extends string>(
  writer: Writer,
  simulation: Simulation<Type>,
): SimulatedRequest<Type> {
  const {deviceType} = simulation;
  assertMode(writer, simulation);
  const request = writeRequest(simulation);
  const intact = writer.write(request);
  assertReadable(intact, simulation);
  return {deviceType, ...damaged(intact, writer, request, simulation)};
}

/**
 * Generates `count` consecutive payloads of one device: its counter advances, unless the damage is
 * a repeated counter. Throws as `simulate` does, and 2400 if the counter is exhausted.
 */
export function* simulateStream<Type extends string>(
  writer: Writer,
  simulation: Simulation<Type>,
  count: number,
): Generator<SimulatedRequest<Type>, void> {
  let {ksn} = simulation;
  for (let made = 0; made < count; made++) {
    if (made > 0 && simulation.damage !== 'repeated-counter') ksn = nextKsn(ksn);
    yield simulate(writer, {...simulation, ksn});
  }
}

/**
 * A payload that its own reader rejects must not be generated, except On-Guard, which is recognised
 * but cannot be decrypted.
 */
function assertReadable(written: Written, {deviceType, terminals, keys}: Simulation<string>): void {
  try {
    processPayload({deviceType, ...written}, keys, {terminals});
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    rethrowTerminalFault(error);
    if (error.code === 2111) return;
    throw new PaylensError(9001, `these options do not give a valid payload: ${error.message}`, {
      hint: `Choose other options or another card. Run \`paylens simulate --device-type ${deviceType} --list-options\` to see the options.`,
      fault: {kind: 'setting', setting: 'options', is: 'wrong'},
    });
  }
}

function damaged(
  intact: Written,
  writer: Writer,
  request: WriteRequest,
  {damage, deviceType, terminals = KNOWN_TERMINALS, ...rest}: Simulation<string>,
): Written {
  if (damage === 'lrc') return withWrongLrc(intact, writer, request);
  if (damage === 'wrong-key')
    return writer.write(writeRequest({deviceType, ...rest}, WRONG_KEY_MASK));
  const {devicePayload: payload} = intact;
  if (damage === 'flipped-byte') return {...intact, devicePayload: flipByte(payload)};
  if (damage !== 'cut') return intact;
  const isWhole = (cut: string) => isReadable(terminals.get(deviceType), cut);
  return {...intact, devicePayload: cutPayload(payload, isWhole)};
}

function isReadable(terminal: AnyTerminal, payload: string): boolean {
  try {
    readPayload(terminal, payload);
    return true;
  } catch (error) {
    rethrowTerminalFault(error);
    return false;
  }
}

function assertMode(writer: Writer, {deviceType, mode}: Simulation<string>): void {
  if (writer.modes.includes(mode)) return;
  const modes = writer.modes.join(' or ');
  throw new PaylensError(9001, `mode of ${deviceType}: expected ${modes}, found ${mode}`);
}

/** `keyMask` changes every byte of the working key. */
function writeRequest(simulation: Simulation<string>, keyMask = 0): WriteRequest {
  const {mode, card, serial, keys, options = {}} = simulation;
  const ksn = parseKsn(simulation.ksn).hex;
  const iv = simulation.iv === undefined ? undefined : ivBytes(simulation.iv);
  return {
    mode,
    card: composeCard(card, mode),
    ksn,
    ...(serial === undefined ? {} : {serial}),
    ...(iv ? {iv} : {}),
    options,
    encrypt: (plain, setting, other = {}) => {
      const cipher = cipherFor(keys, parseKsn(other.ksn ?? ksn), setting, keyMask);
      const encrypted =
        setting.mode === 'cbc' ? cipher.encryptCbc(plain, other.iv) : cipher.encryptEcb(plain);
      cipher.wipe();
      return encrypted;
    },
    hmac: (message, {variant, ksn: other}) => writeMac(keys, parseKsn(other), {variant}, message),
    mac: (message, kind, other) => writeMac(keys, parseKsn(other), kind, message),
  };
}

function writeMac(keys: KeyRing, ksn: Ksn, kind: MacKind, message: Uint8Array): Uint8Array {
  const transaction = keys.transaction(ksn);
  if (transaction.scheme !== schemeOfMac(kind)) {
    throw new PaylensError(9001, `no known terminal computes this MAC under the key of ${ksn.hex}`);
  }
  const mac = macOf(transaction, kind, message);
  transaction.wipe();
  return mac;
}

function ivBytes(hex: string): Uint8Array {
  const bytes = bytesFromHex(hex);
  if (bytes?.length === 8 || bytes?.length === 16) return bytes;
  throw new PaylensError(2602, `expected 16 or 32 hex digits, found ${foundHex(hex)}`);
}

/** Under AES DUKPT the working key is that of data encryption, unless the format names another. */
function cipherFor(
  keys: KeyRing,
  ksn: Ksn,
  {algorithm: usual, variant, selfEncrypted, aes}: CipherSetting,
  keyMask: number,
): BlockCipher {
  const algorithm = keys.algorithm(ksn, usual);
  const type = aes?.type ?? dataKeyType(algorithm, keys.find(ksn)?.secret.length ?? 16);
  const transaction = keys.transaction(ksn);
  const key =
    transaction.scheme === 'aes'
      ? transaction.aesWorkingKey(aes?.usage ?? 'data-encryption', type)
      : transaction.workingKey(variant, selfEncrypted);
  transaction.wipe();
  for (const [i, byte] of key.entries()) key[i] = byte ^ keyMask;
  const cipher = prepareCipher(algorithm, key);
  key.fill(0);
  return cipher;
}

/** Not FF: DES with a complemented key gives complemented results (complementation property). */
const WRONG_KEY_MASK = 0x5a;

/**
 * The writer corrupts the check value of the frame, if it has one; otherwise the LRC of a track is
 * corrupted.
 */
function withWrongLrc(intact: Written, writer: Writer, request: WriteRequest): Written {
  const encrypt: WriteRequest['encrypt'] = (plain, ...rest) =>
    request.encrypt(withWrongTrackLrc(plain), ...rest);
  const attempts = [
    {...request, wrongCheck: true},
    {...request, encrypt},
  ];
  const written = attempts
    .map((attempt) => writer.write(attempt))
    .find(({devicePayload}) => devicePayload !== intact.devicePayload);
  if (written) return written;
  throw new PaylensError(9001, 'this payload has no LRC, checksum or CRC to corrupt');
}
