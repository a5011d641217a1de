import {concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {parseTrack1} from '../../card/track-data.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import {schemeOf} from '../../dukpt/ksn.js';
import {packDigits} from '../../forms/tlv/chip-data.js';
import {CARD_DATA_SETTING} from '../../reading.js';
import type {WriteRequest} from '../../writing.js';
import {DICTIONARY_MEMBERS, type DictionaryMemberName} from './members.js';
import {encryptTracks} from './swipe-writer.js';
import type {TrackPacking, WisepadOptions} from './writer-options.js';

/** A member of the dictionary and its value, in output order. */
type WrittenMember = readonly [DictionaryMemberName, string];

/** The members of a swipe, as the SDK prints them. */
export function swipeMembers(
  request: WriteRequest,
  options: WisepadOptions,
  packing: TrackPacking,
): WrittenMember[] {
  const {card, ksn, serial} = request;
  const tracks = encryptTracks(request, options, packing);
  const ciphertext = concatBytes(...tracks.map((track) => track.ciphertext));
  const name = card.track1 === undefined ? card.name : parseTrack1(card.track1)?.name;
  return [
    ['formatID', options.format],
    ['maskedPAN', maskMiddle(card.pan, 'X')],
    ['pan', ''],
    ['expiryDate', card.expiry],
    ['cardholderName', name ?? ''],
    ['ksn', ksn],
    ['serviceCode', card.serviceCode],
    ...tracks.map(
      ({number, characters}): WrittenMember => [`track${number}Length`, `${characters}`],
    ),
    ['encTracks', upperHexOf(ciphertext)],
    ...serialMember(serial),
  ];
}

/** The members of keyed entry: the PAN as packed digits, F-filled to the block. */
export function manualMembers({card, ksn, serial, encrypt}: WriteRequest): WrittenMember[] {
  const setting = {...CARD_DATA_SETTING, algorithm: schemeOf(ksn)};
  const plain = addFill(packDigits(card.pan), 'ff', blockSizeOf(setting.algorithm));
  return [
    ['encPAN', upperHexOf(encrypt(plain, setting))],
    ['expiryDate', card.expiry],
    ['maskedPAN', maskMiddle(card.pan, 'X')],
    ['ksn', ksn],
    ...serialMember(serial),
  ];
}

/** Writes members in one of the forms of the dictionary, or as JSON. */
export function writeDictionary(form: string, members: readonly WrittenMember[]): string {
  const write = DICTIONARY_FORMS[form];
  return write ? write(members) : JSON.stringify(Object.fromEntries(members));
}

type WriteForm = (members: readonly WrittenMember[]) => string;

const DICTIONARY_FORMS: Readonly<Record<string, WriteForm>> = {
  ios: (members) =>
    `{\n${members.map(([name, value]) => `    ${name} = ${quoted(value)};\n`).join('')}}`,
  joined: (members) => members.map(([name, value]) => `${name}_${value}`).join(','),
  dump: (members) => `{${members.map(([name, value]) => `${name}=${value}`).join(', ')}}`,
  labels: (members) => members.map(([name, value]) => `${printedLabel(name)}: ${value}`).join('\n'),
  lines: (members) => members.map(([name, value]) => `${name}=${value}`).join('\n'),
  query: (members) =>
    members.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&'),
};

/** As iOS prints a string: in quotes unless it is a word. */
function quoted(value: string): string {
  return /^\w+$/.test(value) ? value : JSON.stringify(value);
}

function printedLabel(name: DictionaryMemberName): string {
  return DICTIONARY_MEMBERS[name.toLowerCase()]?.label || name;
}

function serialMember(serial: string | undefined): WrittenMember[] {
  return serial === undefined ? [] : [['serialNumber', serial]];
}
