import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1, bytesOfHex, upperHexOf} from '../../../../platform/bytes.js';
import {schemeOf} from '../../../dukpt/ksn.js';
import type {WriteRequest} from '../../../writing.js';
import {type MagtekOptions, typedSetting} from '../writer-options.js';
import {OPERATION_KEYED} from './ipad.js';
import {KEY_USAGES, M001, M001_AT, M001_FIELDS} from './m001.js';
import {REPORT_AT, REPORT_BYTES, REPORT_TRACK_BYTES} from './report.js';
import {sendTracks, type TrackToSend} from './sent-tracks.js';
import {crcOf} from './string.js';
import {AT, FIELDS, FORMAT_CODE, STATUS_SWIPED} from './string-layout.js';

/** A swipe or keyed entry with its tracks encrypted. */
interface SentSwipe {
  readonly request: WriteRequest;
  /** The encryption type. */
  readonly type: string;
  readonly tracks: readonly TrackToSend[];
}

const SWIPE_FORMS = {string: v5String, ipad, report, sdk, m001} as const;

/** The forms of a swipe: all but SCRA TLV, which is that of containers. */
export type SwipeForm = keyof typeof SWIPE_FORMS;

/** True for the name of one of them. */
export function isSwipeForm(form: string): form is SwipeForm {
  return Object.hasOwn(SWIPE_FORMS, form);
}

/** Writes a swipe or keyed entry; bytes in hex. Throws 9001 for what the form cannot contain. */
export function writeSwipeForm(
  request: WriteRequest,
  options: MagtekOptions,
  form: SwipeForm,
): string {
  const {type, setting} = typedSetting(options.type, form === 'm001' ? '80' : '81', request);
  // M001 says how it is encrypted; the others have the PIN variant, or that of data.
  if (form === 'm001' ? type === '83' : type !== '80' && type !== '81')
    throw new PaylensError(9001, `option form: ${form} has no room for encryption type ${type}`);
  const tracks = sendTracks(request, options, setting, form === 'report' ? ';' : '+');
  return SWIPE_FORMS[form]({request, type, tracks});
}

/** A V5 string of every track, as the readers send it that others borrow. Throws 9001 under AES. */
export function writeV5String(request: WriteRequest): string {
  const {type, setting} = typedSetting('81', '81', request);
  const options = {tracks: 'all', masked: 'on'};
  return v5String({request, type, tracks: sendTracks(request, options, setting, '+')});
}

function v5String({request, type, tracks}: SentSwipe): string {
  const fields: string[] = FIELDS.slice(0, AT.crc).map(() => '');
  fields[AT.masked] = tracks.map(({masked}) => masked).join('');
  fields[AT.status] = type === '80' ? '0608' : STATUS_SWIPED;
  for (const {number, ciphertext} of tracks)
    fields[AT.tracks + number - 1] = upperHexOf(ciphertext);
  fields[AT.serial] = request.serial ?? '';
  fields[AT.ksn] = request.ksn;
  const head = `${fields.join('|')}|`;
  return `${head}${crcOf(head, request.wrongCheck ? 1 : 0)}||${FORMAT_CODE}`;
}

function ipad({request: {mode, serial = '', ksn}, tracks}: SentSwipe): string {
  const members = Array.from({length: 13}, () => '');
  // Member 24 comes second.
  members[0] = `IPAD100KB|24~${serial}`;
  members[1] = mode === 'keyed' ? OPERATION_KEYED : '11';
  members[9] = '00000000';
  const isRead = (number: number) => tracks.some((one) => one.number === number);
  members[10] = [1, 2, 3].map((number) => (isRead(number) ? '00' : '01')).join('');
  members[11] = ksn;
  members[12] = '00002200';
  for (const {number, ciphertext, masked} of tracks) {
    members[number + 1] = upperHexOf(ciphertext);
    members[number + 5] = masked;
  }
  return members.map((value, number) => `${number}~${value}|`).join('');
}

function sdk({request: {serial = '', ksn}, type, tracks}: SentSwipe): string {
  const perTrack = (name: string, value: (track: TrackToSend) => string) =>
    [1, 2, 3].map((number) => {
      const track = tracks.find((one) => one.number === number);
      return [`Track${number}.${name}`, track ? value(track) : ''] as const;
    });
  return JSON.stringify({
    'Tracks.Masked': tracks.map(({masked}) => masked).join(''),
    ...Object.fromEntries(perTrack('Encrypted', ({ciphertext}) => upperHexOf(ciphertext))),
    ...Object.fromEntries(perTrack('Masked', ({masked}) => masked)),
    'Device.Serial': serial,
    KSN: ksn,
    'Encryption.Status': type === '80' ? '0806' : '0006',
  });
}

/** The key usage of each encryption type. */
const USAGE_OF_TYPE: Readonly<Record<string, string>> = {
  ...{'80': 'FF02', '81': 'FF00', '9B': '3000', '9C': '3001', '9D': '3002'},
};

function m001({request: {serial = '', ksn}, type, tracks}: SentSwipe): string {
  const fields = M001_FIELDS.map(() => '');
  const usage = USAGE_OF_TYPE[type] ?? '';
  const algorithm = KEY_USAGES[usage]?.algorithm === 'aes' ? '000202000080' : '000201000080';
  fields[0] = M001;
  for (const {number, ciphertext, masked} of tracks) {
    fields[M001_AT.masked + number - 1] = masked;
    fields[M001_AT.tracks + number - 1] = upperHexOf(ciphertext);
  }
  fields[M001_AT.ksn] = ksn;
  fields[M001_AT.key] = algorithm + usage;
  fields[M001_AT.serial] = serial;
  return fields.join('|');
}

/** An HID report without MagnePrint (docs/terminals/magtek.md#the-hid-report), also of a keyed entry. */
function report({request: {ksn, serial = ''}, type, tracks}: SentSwipe): string {
  if (schemeOf(ksn) === 'aes')
    throw new PaylensError(9001, 'option form: report has a KSN of 10 bytes');
  const bytes = new Uint8Array(REPORT_BYTES);
  for (const {number, text, masked, ciphertext} of tracks) {
    const i = number - 1;
    bytes[REPORT_AT.lengths + i] = ciphertext.length;
    bytes.set(ciphertext, REPORT_AT.tracks + i * REPORT_TRACK_BYTES);
    bytes[REPORT_AT.maskedLengths + i] = masked.length;
    bytes.set(bytesFromLatin1(masked), REPORT_AT.masked + i * REPORT_TRACK_BYTES);
    bytes[REPORT_AT.absoluteLengths + i] = text.length;
  }
  bytes.set(type === '80' ? [0x08, 0x06] : [0x00, 0x06], REPORT_AT.status);
  bytes.set(bytesFromLatin1(serial.slice(0, 16)), REPORT_AT.serial);
  bytes.set(bytesOfHex(ksn), REPORT_AT.ksn);
  return upperHexOf(bytes);
}
