import {createHash, createHmac} from 'node:crypto';
import {bytesOf, type Encryption, encrypt, lrcOf, tlv, workingKey} from '../terminal.js';

/** The frames of 80000502-001, built only from their description. */

export type Form = 'hex' | 'binary' | 'keyboard';

export const KSN = 'FFFF9876543210E00123';

export const T1 = '%B4012888888881881^SAMPLE/CARD^28012010000000000000?';
export const T2 = ';4012888888881881=28012010000000000000?';
export const T3 = ';011234567890123456=000000000000?';

/** A field of a frame: bytes, or characters that keyboard text contains unchanged. */
type Piece = Buffer | {readonly literal: string};

export interface TrackSpec {
  /** The complete plaintext, LRC included. */
  readonly plain: string;
  /** Absent: no copy is sent. */
  readonly copy?: string;
  /** Absent: no hash; `null`: zeros; else the bytes. */
  readonly hash?: Buffer | null;
  /** Whether it is encrypted; default true. */
  readonly encrypted?: boolean;
}

export interface EnhancedSpec {
  readonly type?: number;
  readonly tracks: readonly (TrackSpec | undefined)[];
  readonly additional?: string;
  readonly serial?: string;
  /** `undefined` as a value: no KSN field. */
  readonly ksn?: string | undefined;
  readonly ksnForKey?: string;
  readonly session?: Buffer;
  readonly mask?: number;
  readonly optional?: Buffer;
  readonly mac?: {readonly ksn: string; readonly key?: Buffer; readonly bytes?: Buffer};
  readonly setting?: Partial<Encryption>;
  readonly form?: Form;
}

/** A track with LRC, masked copy and hash. */
export function track(text: string, options: Partial<TrackSpec> = {}): TrackSpec {
  const plain = text + lrcOf(text);
  return {plain, copy: masked(plain), hash: sha1(plain), ...options};
}

/** First and last four digits visible, everything else hidden except sentinels and separators. */
function masked(plain: string): string {
  const at = /\d{12,19}/.exec(plain)?.index ?? 0;
  const pan = /\d{12,19}/.exec(plain)?.[0] ?? '';
  const shown = (i: number) =>
    (i >= at && i < at + 4) || (i >= at + pan.length - 4 && i < at + pan.length);
  const star = (c: string, i: number) => (/[%;^=?]/.test(c) || shown(i) ? c : '*');
  return `${[...plain.slice(0, -1)].map(star).join('')}*`;
}

export function sha1(plain: string): Buffer {
  return createHash('sha1').update(plain, 'latin1').digest();
}

export function sha256(plain: string): Buffer {
  return createHash('sha256').update(plain, 'latin1').digest();
}

/** A frame of the enhanced layout. */
export function enhanced(spec: EnhancedSpec): string {
  return frame(enhancedPieces(spec), spec.form);
}

export function enhancedPieces(spec: EnhancedSpec): Piece[] {
  const ksn = 'ksn' in spec ? spec.ksn : KSN;
  const three = [0, 1, 2].map((i) => spec.tracks[i]);
  const encryption = {ksn: ksn ?? spec.ksnForKey ?? KSN, ...spec.setting};
  const bits = (test: (track: TrackSpec) => boolean) =>
    three.reduce((sum, t, i) => sum | (t && test(t) ? 1 << i : 0), 0);
  const mask =
    bits((t) => t.copy !== undefined) |
    (spec.additional === undefined ? 0 : 4) |
    (spec.serial === undefined ? 0 : 0x80) |
    (spec.setting?.algorithm === 'aes' ? 0x10 : 0) |
    (spec.setting?.variant === 'pin' ? 0x40 : 0) |
    (spec.mask ?? 0);
  const sent =
    bits((t) => t.encrypted !== false) |
    (bits((t) => t.hash !== undefined) << 3) |
    (spec.session ? 0x40 : 0) |
    (ksn === undefined ? 0 : 0x80);
  const lengths = three.map((t) => t?.plain.length ?? 0);
  if (spec.additional !== undefined) lengths[2] = spec.additional.length;
  const pieces: Piece[] = [
    Buffer.from([spec.type ?? 0x80, spec.optional ? 0x5f : 0x1f, ...lengths, mask, sent]),
    ...(spec.optional ? [Buffer.from([spec.optional.length]), spec.optional] : []),
    ...three.flatMap((t) => (t?.copy === undefined ? [] : [{literal: t.copy}])),
    ...(spec.additional === undefined ? [] : [{literal: spec.additional}]),
    ...three.flatMap((t) => (t && t.encrypted !== false ? [encrypt(t.plain, encryption)] : [])),
    ...(spec.session ? [spec.session] : []),
    ...three.flatMap((t) => (t?.hash === undefined ? [] : [t.hash ?? Buffer.alloc(20)])),
    ...(spec.serial === undefined ? [] : [bytesOf(spec.serial)]),
    ...(ksn === undefined ? [] : [Buffer.from(ksn, 'hex')]),
  ];
  return spec.mac ? [...pieces, ...macOf(pieces, spec.mac, spec.form)] : pieces;
}

/** HMAC-SHA256 under the transaction key without a variant mask, over the card data as sent. */
function macOf(
  pieces: readonly Piece[],
  {ksn, key, bytes}: NonNullable<EnhancedSpec['mac']>,
  form?: Form,
): Piece[] {
  const length = Buffer.from([32, 0]);
  const message = Buffer.from(join([...pieces, length], form === 'keyboard'), 'latin1');
  const secret = key ?? workingKey({ksn, variant: 'none'});
  const mac = bytes ?? createHmac('sha256', secret).update(message).digest();
  return [length, mac, Buffer.from(ksn, 'hex')];
}

export interface OriginalSpec {
  readonly type?: number;
  readonly t1?: string;
  readonly t2?: string;
  readonly t3?: string;
  readonly t3Inside?: boolean;
  readonly hashes?: boolean;
  readonly algorithm?: 'tdes' | 'aes';
  readonly form?: Form;
}

/** A frame of the original layout: tracks 1 and 2 in one ciphertext. */
export function original({type = 0, t1 = '', t2 = '', t3 = '', ...rest}: OriginalSpec): string {
  const joined = t1 + t2 + (rest.t3Inside ? t3 : '');
  const hash = (text: string) =>
    text === '' ? [] : [rest.hashes === false ? Buffer.alloc(20) : sha1(text)];
  return frame(
    [
      Buffer.from([type, 0x3f, t1.length, t2.length, t3.length]),
      {literal: t1 && masked(t1)},
      {literal: t2 && masked(t2)},
      ...(rest.t3Inside ? [] : [{literal: t3}]),
      encrypt(joined, {ksn: KSN, algorithm: rest.algorithm ?? 'tdes'}),
      ...hash(t1),
      ...hash(t2),
      Buffer.from(KSN, 'hex'),
    ],
    rest.form,
  );
}

export interface KeyedOriginalSpec {
  readonly ksn?: string;
  readonly plain: string;
  readonly exp?: string;
  readonly adr?: string;
  readonly zip?: string;
  readonly hash?: Buffer;
  readonly form?: Form;
}

/** Keyed entry of type 85: hex pairs throughout, in keyboard text as well. */
export function keyedOriginal({
  plain,
  exp,
  adr,
  zip,
  hash,
  form,
  ksn = KSN,
}: KeyedOriginalSpec): string {
  const counted = (text?: string) =>
    text === undefined ? [] : [Buffer.concat([Buffer.from([text.length]), bytesOf(text)])];
  const status =
    (zip === undefined ? 0 : 1) | (adr === undefined ? 0 : 2) | (exp === undefined ? 0 : 4);
  return frame(
    [
      Buffer.from([0x85, 0, 0, 0, 0, status, plain.length]),
      encrypt(plain, {ksn}),
      hash ?? sha1(plain),
      ...counted(exp),
      ...counted(adr),
      ...counted(zip),
      Buffer.from(ksn, 'hex'),
    ],
    form,
  );
}

/** STX, length, card data, LRC, CheckSum, ETX. */
export function frame(pieces: readonly Piece[], form: Form = 'hex'): string {
  const data = join(pieces, form === 'keyboard');
  const codes = [...data].map((c) => c.charCodeAt(0));
  const lrc = codes.reduce((a, b) => a ^ b, 0);
  const sum = codes.reduce((a, b) => a + b, 0);
  const head = Buffer.from([2, codes.length & 255, codes.length >> 8]);
  const tail = Buffer.from([lrc & 255, sum & 255, 3]);
  if (form === 'keyboard') return upper(head) + data + upper(tail);
  const bytes = Buffer.concat([head, Buffer.from(data, 'latin1'), tail]);
  return form === 'hex' ? upper(bytes) : bytes.toString('latin1');
}

function join(pieces: readonly Piece[], keyboard: boolean): string {
  const text = (piece: Piece) =>
    'literal' in piece ? piece.literal : keyboard ? upper(piece) : piece.toString('latin1');
  return pieces.map(text).join('');
}

function upper(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

/** A ViVOtech2 or ViVOpayV3 message in hex; the CRC of a command is little-endian. */
export function vivo(
  data: Uint8Array,
  options: {v3?: boolean; status?: number; command?: boolean; lead?: string} = {},
): string {
  const {v3 = false, status = 0, command = false, lead = 'E8'} = options;
  const body = Buffer.concat([Buffer.from(lead, 'hex'), data]);
  const head = v3 ? [0x02, 0x06, status] : [0x02, status];
  const all = Buffer.concat([
    Buffer.from(v3 ? 'ViVOpayV3\0' : 'ViVOtech2\0', 'latin1'),
    Buffer.from([...head, body.length >> 8, body.length & 255]),
    body,
  ]);
  const crc = crc16(all);
  return upper(
    Buffer.concat([all, Buffer.from(command ? [crc & 255, crc >> 8] : [crc >> 8, crc & 255])]),
  );
}

function crc16(bytes: Buffer): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const top = (crc >> 15) & 1;
      crc = (crc << 1) & 0xffff;
      if ((top ^ ((byte >> bit) & 1)) === 1) crc ^= 0x1021;
    }
  }
  return crc;
}

/** An object with ID TECH's length flags: `A1 nn` masked, `C1 nn` encrypted. */
export function flagged(tag: string, flag: 'A1' | 'C1', value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'hex') : Buffer.from(value);
  return Buffer.concat([Buffer.from(tag + flag, 'hex'), Buffer.from([bytes.length]), bytes]);
}

/** The ciphertext of a complete TLV object. */
export function sealed(tag: string, value: string | Uint8Array, setting: Partial<Encryption> = {}) {
  return encrypt(tlv(tag, value), {ksn: KSN, ...setting});
}
