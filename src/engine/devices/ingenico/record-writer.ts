import {bytesFromLatin1, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import {schemeOf} from '../../dukpt/ksn.js';
import type {CipherSetting} from '../../reading.js';
import {chipList} from '../shared/chip-list.js';
import type {CardImage, WriteRequest} from '../writer.js';
import {
  ON_GUARD_ENCRYPTED,
  ON_GUARD_HEAD,
  RECORD_SETTINGS,
  type RecordField,
  SEPARATORS,
} from './layout.js';
import type {RbaOptions} from './rba-writer-options.js';

/** Writes `<KSN>:<indicator>:<length>:<ciphertext>` (docs/formats/ingenico.md#track-3-record). */
export function writeSdeRecord(request: WriteRequest, options: RbaOptions): string {
  const {indicator, plain} = PLAINTEXTS[request.mode](request.card, options);
  const block = blockSizeOf(schemeOf(request.ksn));
  const ciphertext = request.encrypt(addFill(plain, 'zero', block), settingOf(request, options));
  const digits = upperHexOf(ciphertext);
  return [request.ksn, indicator, String(digits.length).padStart(4, '0'), digits].join(':');
}

function settingOf({ksn}: WriteRequest, {variant}: RbaOptions): CipherSetting {
  const index = ['data', 'pin', 'data-plain'].indexOf(variant);
  const setting = RECORD_SETTINGS[index] as CipherSetting;
  return ksn.length === 24 ? {...setting, algorithm: 'aes'} : setting;
}

interface Plaintext {
  readonly indicator: number;
  readonly plain: Uint8Array;
}

const PLAINTEXTS: Readonly<
  Record<WriteRequest['mode'], (card: CardImage, options: RbaOptions) => Plaintext>
> = {
  swiped: swipePlaintext,
  emv: (card) => ({indicator: 2, plain: chipList('5A,57,5F20,5F24', card)}),
  keyed: ({pan, expiry, cvv = ''}, options) => ({
    indicator: 3,
    plain: bytesFromLatin1([pan, expiry, cvv].join(separatorOf(options))),
  }),
};

function swipePlaintext(card: CardImage, options: RbaOptions): Plaintext {
  const {first, second} = chosenTracks(card, options);
  const sent = [first, second].flatMap((track) => track ?? []);
  const texts = sent.map((text) => (options.sentinels === 'on' ? text : text.slice(1, -1)));
  const plain = bytesFromLatin1(texts.join(separatorOf(options)));
  return {indicator: first && second ? 4 : first ? 1 : 2, plain};
}

/** The tracks selected by the option, of those that the card has. */
export function chosenTracks({track1, track2}: CardImage, {tracks}: RbaOptions) {
  const wanted = tracks === 'all' ? '12' : tracks;
  return {
    first: wanted.includes('1') ? track1 : undefined,
    second: wanted.includes('2') ? track2 : undefined,
  };
}

function separatorOf({between}: RbaOptions): string {
  return SEPARATORS.find((separator) => separator === between) ?? '\0';
}

/**
 * Writes a well-formed On-Guard record; its encryption is not public
 * (docs/formats/ingenico.md#on-guard-record).
 */
export function writeOnGuard(request: WriteRequest, options: RbaOptions): string {
  const {pan, expiry, serviceCode, name = ''} = request.card;
  const byHand = request.mode === 'keyed';
  const noise = noiseOf(request);
  const head = [pan.slice(0, 6), pan.slice(-4), twoDigits(pan.length), '1', expiry, serviceCode];
  const encrypted = [
    options.encryptionFormat,
    request.ksn.slice(-20),
    options.extension,
    options.ic || `${digitsOf(noise.subarray(0, 16))}=${digitsOf(noise.subarray(16, 32))}`,
    options.aesPan || upperHexOf(noise.subarray(32, 48)),
    options.ls || upperHexOf(noise.subarray(48, 96)),
    options.extendedLanguage,
  ];
  return (
    joinFields(ON_GUARD_HEAD, [...head, options.language, name, '1'], byHand) +
    joinFields(ON_GUARD_ENCRYPTED, encrypted, byHand)
  );
}

function joinFields(
  fields: readonly RecordField[],
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
export function noiseOf({card, encrypt}: WriteRequest): Uint8Array {
  const [setting] = RECORD_SETTINGS;
  const text = bytesFromLatin1(card.pan.padEnd(32, '0'));
  return encrypt(concatBytes(text, text, text), setting as CipherSetting);
}

function digitsOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte % 10).join('');
}
