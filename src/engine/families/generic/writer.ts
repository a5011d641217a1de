import {
  base64Of,
  bytesFromLatin1,
  bytesOfHex,
  concatBytes,
  upperHexOf,
} from '../../../platform/bytes.js';
import {trackLrc} from '../../card/lrc.js';
import {blockSizeOf, type CipherMode} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import {chosenTracks} from '../../forms/chosen-tracks.js';
import {packDigits} from '../../forms/tlv/chip-data.js';
import {chipList} from '../../forms/tlv/chip-list.js';
import type {CipherSetting} from '../../reading.js';
import {writeTlv} from '../../tlv/ber.js';
import type {CardImage, WriteRequest} from '../../writing.js';
import {type OptionValues, terminalWriter} from '../writer-options.js';
import {CIPHER_MODES, GENERIC_VARIANTS} from './layout.js';

/** Text members of the payload. */
type Text = Readonly<Record<string, string>>;

const GENERIC_OPTIONS = [
  {
    name: 'form',
    values: ['short', 'long', 'text'],
    meaning: 'JSON short or long, or key=value text',
  },
  {name: 'variant', values: Object.keys(GENERIC_VARIANTS), meaning: 'working key'},
  {name: 'mode', values: Object.keys(CIPHER_MODES), meaning: 'cipher mode'},
  {name: 'algorithm', values: ['tdes', 'aes'], meaning: 'TDES, or AES under the TDES DUKPT key'},
  {name: 'ksn', values: ['payload', 'request'], meaning: 'where the KSN is placed'},
] as const;

type GenericOptions = OptionValues<typeof GENERIC_OPTIONS>;

/**
 * Generates the generic forms: tracks or TLV lists, described by the caller
 * (docs/terminals/generic.md#generic-forms).
 */
export const genericWriter = terminalWriter({
  modes: ['swiped', 'emv', 'keyed'],
  options: GENERIC_OPTIONS,
  write: (request, options) => {
    const encode = options.form === 'long' ? base64Of : upperHexOf;
    const values = plaintexts(request).map(
      ([name, plain]) => [name, encode(encryptValue(plain, request, options))] as const,
    );
    const write = GENERIC_FORMS[options.form as keyof typeof GENERIC_FORMS];
    const devicePayload = write(describingMembers(request, options, encode), values);
    return {devicePayload, ...(options.ksn === 'request' ? {ksn: request.ksn} : {})};
  },
});

type Plaintext = readonly [name: string, plain: Uint8Array];

/** The plaintexts and the names of their values. */
function plaintexts({mode, card}: WriteRequest): Plaintext[] {
  if (mode === 'emv') return [['data', chipList('5A,57,5F20,5F24,5F30', card)]];
  if (mode === 'keyed') return [['data', keyedList(card)]];
  return chosenTracks(card, 'all').map(({number, text}) => [
    `track${number}`,
    bytesFromLatin1(text + trackLrc(number, text)),
  ]);
}

/** With POS entry mode 01, amount, currency and country: a short PAN alone could be chance. */
function keyedList({pan, expiry, cvv}: CardImage): Uint8Array {
  const cvvObject = cvv === undefined ? [] : [writeTlv('DFDB02', bytesFromLatin1(cvv))];
  return concatBytes(
    writeTlv('DFDB01', packDigits(pan)),
    ...cvvObject,
    writeTlv('DFDB03', packDigits(expiry)),
    MANUAL_ENTRY,
  );
}

const MANUAL_ENTRY = bytesOfHex('9F3901019F02060000000010005F2A0208409F1A020840');

function encryptValue(
  plain: Uint8Array,
  request: WriteRequest,
  options: GenericOptions,
): Uint8Array {
  const {ksn, iv, encrypt} = request;
  const algorithm = ksn.length === 24 || options.algorithm === 'aes' ? 'aes' : 'tdes';
  const key = GENERIC_VARIANTS[options.variant] ?? {variant: 'data' as const, selfEncrypted: true};
  const setting: CipherSetting = {algorithm, mode: options.mode as CipherMode, ...key};
  return encrypt(addFill(plain, 'zero', blockSizeOf(algorithm)), setting, iv ? {iv} : {});
}

/** The members that describe the decryption, without those that have the default value. */
function describingMembers(
  {serial, ksn, iv}: WriteRequest,
  {variant, mode, algorithm, ksn: place}: GenericOptions,
  encode: (bytes: Uint8Array) => string,
): Text {
  return {
    ...(serial === undefined ? {} : {serial}),
    ...(place === 'request' ? {} : {ksn: encode(bytesOfHex(ksn))}),
    ...(iv ? {iv: encode(iv)} : {}),
    ...(variant === 'data' ? {} : {variant}),
    ...(mode === 'cbc' ? {} : {mode}),
    ...(algorithm === 'tdes' ? {} : {algorithm}),
  };
}

type NamedTexts = readonly (readonly [name: string, value: string])[];

const GENERIC_FORMS: Readonly<
  Record<'short' | 'long' | 'text', (members: Text, values: NamedTexts) => string>
> = {
  short: (members, values) => JSON.stringify({...members, ...Object.fromEntries(values)}),
  long: ({serial, ksn, iv, ...members}, values) =>
    JSON.stringify({
      serial,
      hasCcData: '1',
      decryptionParameters: {sequenceNumber: ksn, cbcVector: iv},
      ...members,
      encrypted: values.map(([name, value]) => ({name, value})),
    }),
  text: (members, values) =>
    [...Object.entries(members), ...values].map(([name, value]) => `${name}=${value}`).join(';'),
};
