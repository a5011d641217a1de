import {concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {maskMiddle} from '../../card/mask-middle.js';
import {parseTrack1} from '../../card/track-data.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import {schemeOf} from '../../dukpt/ksn.js';
import {CARD_DATA_SETTING} from '../../reading.js';
import {packDigits} from '../shared/chip-data.js';
import type {WriteRequest} from '../writer.js';
import {MEMBERS, type MemberName} from './members.js';
import {encryptTracks, type WrittenTrack} from './swipe-writer.js';
import type {WisepadOptions} from './writer-options.js';

/** A member of the dictionary and its value, in output order. */
type Member = readonly [MemberName, string];

/** The members of a swipe: those needed for decryption, or all that the SDK prints. */
export function swipeMembers(request: WriteRequest, options: WisepadOptions): Member[] {
  const {card, ksn, serial} = request;
  const tracks = encryptTracks(request, options);
  const sent = sentTracks(tracks, options);
  const serialMember = serialOf(serial);
  if (options.members === 'few') {
    return [['formatID', options.format], ['ksn', ksn], ...sent, ...serialMember];
  }
  const name = card.track1 === undefined ? card.name : parseTrack1(card.track1)?.name;
  return [
    ['formatID', options.format],
    ['maskedPAN', maskMiddle(card.pan, 'X')],
    ['pan', ''],
    ['expiryDate', card.expiry],
    ['cardholderName', name ?? ''],
    ['ksn', ksn],
    ['serviceCode', card.serviceCode],
    ...tracks.map(({number, characters}): Member => [`track${number}Length`, `${characters}`]),
    ...sent,
    ...serialMember,
  ];
}

/** The members of keyed entry: the PAN as packed digits, F-filled to the block. */
export function manualMembers({card, ksn, serial, encrypt}: WriteRequest): Member[] {
  const setting = {...CARD_DATA_SETTING, algorithm: schemeOf(ksn)};
  const plain = addFill(packDigits(card.pan), 'ff', blockSizeOf(setting.algorithm));
  return [
    ['encPAN', upperHexOf(encrypt(plain, setting))],
    ['expiryDate', card.expiry],
    ['maskedPAN', maskMiddle(card.pan, 'X')],
    ['ksn', ksn],
    ...serialOf(serial),
  ];
}

/** Writes members in one of the forms of the dictionary. */
export function writeDictionary(form: string, members: readonly Member[]): string {
  return (FORMS[form] ?? writeJson)(members);
}

type Form = (members: readonly Member[]) => string;

const FORMS: Readonly<Record<string, Form>> = {
  ios: (members) =>
    `{\n${members.map(([name, value]) => `    ${name} = ${quoted(value)};\n`).join('')}}`,
  joined: (members) => members.map(([name, value]) => `${name}_${value}`).join(','),
  dump: (members) => `{${members.map(([name, value]) => `${name}=${value}`).join(', ')}}`,
  labels: (members) => members.map(([name, value]) => `${labelOf(name)}: ${value}`).join('\n'),
  lines: (members) => members.map(([name, value]) => `${name}=${value}`).join('\n'),
  query: (members) =>
    members.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&'),
};

function writeJson(members: readonly Member[]): string {
  return JSON.stringify(Object.fromEntries(members));
}

/** As iOS prints a string: in quotes unless it is a word. */
function quoted(value: string): string {
  return /^\w+$/.test(value) ? value : JSON.stringify(value);
}

function labelOf(name: MemberName): string {
  return MEMBERS[name.toLowerCase()]?.label ?? name;
}

function serialOf(serial: string | undefined): Member[] {
  return serial === undefined ? [] : [['serialNumber', serial]];
}

function sentTracks(tracks: readonly WrittenTrack[], {send}: WisepadOptions): Member[] {
  if (send === 'apart') {
    return tracks.map(({number, ciphertext}) => [`encTrack${number}`, upperHexOf(ciphertext)]);
  }
  return [['encTracks', upperHexOf(concatBytes(...tracks.map(({ciphertext}) => ciphertext)))]];
}
