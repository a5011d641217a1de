import {bytesFromLatin1, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import {schemeOf} from '../../dukpt/ksn.js';
import {chipList} from '../../forms/tlv/chip-list.js';
import type {CipherSetting} from '../../reading.js';
import type {CardImage, WriteRequest} from '../../writing.js';
import {
  ON_GUARD_ENCRYPTED,
  ON_GUARD_HEAD,
  type OnGuardField,
  RECORD_SETTINGS,
  SEPARATORS,
} from './layout.js';

/**
 * Writes `<KSN>:<indicator>:<length>:<ciphertext>` under the working key `variant`
 * (docs/terminals/ingenico.md#track-3-record).
 */
export function writeSdeRecord(request: WriteRequest, variant: string): string {
  const {ksn, mode, card, encrypt} = request;
  const {indicator, plain} = PLAINTEXTS[mode](card);
  const index = ['data', 'pin', 'data-plain'].indexOf(variant);
  const algorithm = schemeOf(ksn);
  const setting = {...RECORD_SETTINGS[index], algorithm} as CipherSetting;
  const digits = upperHexOf(encrypt(addFill(plain, 'zero', blockSizeOf(algorithm)), setting));
  return [ksn, indicator, String(digits.length).padStart(4, '0'), digits].join(':');
}

interface RecordPlaintext {
  readonly indicator: number;
  readonly plain: Uint8Array;
}

const PLAINTEXTS: Readonly<Record<WriteRequest['mode'], (card: CardImage) => RecordPlaintext>> = {
  swiped: ({track1, track2}) => {
    const tracks = [track1, track2].flatMap((track) => track?.slice(1, -1) ?? []);
    const plain = bytesFromLatin1(tracks.join(SEPARATORS[0]));
    return {indicator: track1 && track2 ? 4 : track1 ? 1 : 2, plain};
  },
  emv: (card) => ({indicator: 2, plain: chipList('5A,57,5F20,5F24', card)}),
  keyed: ({pan, expiry, cvv = ''}) => ({
    indicator: 3,
    plain: bytesFromLatin1([pan, expiry, cvv].join(SEPARATORS[0])),
  }),
};

/**
 * Writes a well-formed On-Guard record; its encryption is not public
 * (docs/terminals/ingenico.md#on-guard-record).
 */
export function writeOnGuard(request: WriteRequest): string {
  const {pan, expiry, serviceCode, name = ''} = request.card;
  const byHand = request.mode === 'keyed';
  const noise = pseudoCiphertext(request);
  const head = [pan.slice(0, 6), pan.slice(-4), twoDigits(pan.length), '1', expiry, serviceCode];
  const encrypted = [
    'B',
    request.ksn.slice(-20),
    '0114',
    `${decimalNoise(noise.subarray(0, 16))}=${decimalNoise(noise.subarray(16, 32))}`,
    upperHexOf(noise.subarray(32, 48)),
    upperHexOf(noise.subarray(48, 96)),
    '8',
  ];
  return (
    joinFields(ON_GUARD_HEAD, [...head, '9', name, '1'], byHand) +
    joinFields(ON_GUARD_ENCRYPTED, encrypted, byHand)
  );
}

function joinFields(
  fields: readonly OnGuardField[],
  values: readonly string[],
  byHand: boolean,
): string {
  const written = fields.map(({width, swipeOnly}, i) => {
    const value = values[i] ?? '';
    if (byHand && swipeOnly) return '';
    return width === undefined ? twoDigits(value.length) + value : value;
  });
  return written.join('');
}

function twoDigits(length: number): string {
  return String(length).padStart(2, '0');
}

/** Bytes that look encrypted, always the same for one card and KSN. */
export function pseudoCiphertext({card, encrypt}: WriteRequest): Uint8Array {
  const [setting] = RECORD_SETTINGS;
  const text = bytesFromLatin1(card.pan.padEnd(32, '0'));
  return encrypt(concatBytes(text, text, text), setting as CipherSetting);
}

/** A digit for each byte. */
export function decimalNoise(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte % 10).join('');
}
