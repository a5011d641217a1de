import {PaylensError} from '../../../../contract/paylens-error.js';
import {upperHexOf} from '../../../../platform/bytes.js';
import type {CipherSetting} from '../../../reading.js';
import type {WriteRequest} from '../../../writing.js';
import {type MagtekOptions, typedSetting} from '../writer-options.js';
import {OPERATION_KEYED} from './ipad.js';
import {KEY_INFO, M001, M001_AT, M001_FIELDS} from './m001.js';
import {LABELS} from './members.js';
import {encryptTrack, type TrackToSend, tracksToSend} from './sent-swipe.js';
import {crcOf} from './string.js';
import {AT, FIELDS, FORMAT_CODE, STATUS_SWIPED} from './string-layout.js';

/** A swipe with everything encrypted, in hex. */
interface Sent {
  readonly request: WriteRequest;
  readonly options: MagtekOptions;
  readonly type: string;
  readonly tracks: readonly (TrackToSend & {readonly hex: string})[];
}

/** Writes a swipe or manual entry in one of the forms in text. */
export function writeText(
  request: WriteRequest,
  options: MagtekOptions,
  form: keyof typeof FORMS,
): string {
  const {type, setting} = typedSetting(options.type, form === 'm001' ? '80' : '81', request.ksn);
  assertTypeOfForm(form, type);
  const tracks = encrypted(request, options, setting);
  return FORMS[form]({request, options, type, tracks});
}

function encrypted(request: WriteRequest, options: MagtekOptions, setting: CipherSetting) {
  return tracksToSend(request, options).map((track) => ({
    ...track,
    hex: upperHexOf(encryptTrack(track.text, request, setting)),
  }));
}

/** Only M001 says how it is encrypted; the others have the PIN variant, or that of data. */
function assertTypeOfForm(form: keyof typeof FORMS, type: string): void {
  if (form === 'm001' ? type !== '83' : type === '80' || type === '81') return;
  throw new PaylensError(9001, `option form: ${form} has no room for encryption type ${type}`);
}

const DATA_VARIANT = '0608';

const FORMS = {string: v5String, ipad, labels, sdk, gateway, m001} as const;

export type TextFormName = keyof typeof FORMS;

function v5String({request, type, tracks}: Sent): string {
  const fields: string[] = FIELDS.slice(0, AT.ksn + 1).map(() => '');
  fields[AT.masked] = tracks.map(({masked}) => masked).join('');
  fields[AT.status] = type === '80' ? DATA_VARIANT : STATUS_SWIPED;
  for (const {number, hex} of tracks) fields[AT.tracks + number - 1] = hex;
  fields[AT.serial] = request.serial ?? '';
  fields[AT.ksn] = request.ksn;
  const head = `${fields.join('|')}|`;
  return `${head}${crcOf(head, request.wrongCheck ? 1 : 0)}||${FORMAT_CODE}`;
}

function ipad({request: {mode, serial = '', ksn}, tracks}: Sent): string {
  const at = (number: number) => tracks.find((track) => track.number === number);
  const members = {
    ...{'0~': 'IPAD100KB', '24~': serial, '1~': mode === 'keyed' ? OPERATION_KEYED : '11'},
    ...{'2~': at(1)?.hex, '3~': at(2)?.hex, '4~': at(3)?.hex, '5~': ''},
    ...{'6~': at(1)?.masked, '7~': at(2)?.masked, '8~': at(3)?.masked, '9~': '00000000'},
    ...{'10~': [1, 2, 3].map((number) => (at(number) ? '00' : '01')).join('')},
    ...{'11~': ksn, '12~': '00002200'},
  };
  return Object.entries(members)
    .map(([name, value = '']) => `${name}${value}|`)
    .join('');
}

function labels({request: {serial = '', ksn}, tracks}: Sent): string {
  const spaced = (hex: string) => hex.replaceAll(/../g, '$& ');
  const lines = [
    [LABELS.type, 'ISO'],
    [LABELS.ksn, ksn],
    ...tracks.map(({number, hex}) => [LABELS.track[number - 1], spaced(hex)]),
    [LABELS.serial, serial],
    ...tracks.map(({number, masked}) => [LABELS.masked[number - 1], masked]),
  ];
  return lines.map((line) => `${line.join(' = ')}\r\n\r\n`).join('');
}

function sdk({request: {serial = '', ksn}, type, tracks}: Sent): string {
  const of = (member: 'hex' | 'masked', name: string) =>
    Object.fromEntries(
      [1, 2, 3].map((number) => [
        `Track${number}.${name}`,
        tracks.find((track) => track.number === number)?.[member] ?? '',
      ]),
    );
  return JSON.stringify({
    'Tracks.Masked': tracks.map(({masked}) => masked).join(''),
    ...of('hex', 'Encrypted'),
    ...of('masked', 'Masked'),
    'Device.Serial': serial,
    KSN: ksn,
    'Encryption.Status': type === '80' ? '0806' : '0006',
  });
}

function gateway({request: {mode, serial = '', ksn}, tracks}: Sent): string {
  const second = tracks.find(({number}) => number === 2);
  if (!second || mode === 'keyed') {
    throw new PaylensError(9001, 'option form: gateway has only track 2 of a swipe');
  }
  return JSON.stringify({
    SecurePaymentAccountData: second.hex,
    EncryptionKeyId: ksn,
    DeviceSerialNumber: serial,
  });
}

const KEY_INFOS: Readonly<Record<string, string>> = {
  ...{'80': 'FF02', '81': 'FF00', '9B': '3000', '9C': '3001', '9D': '3002'},
};

function m001({request: {serial = '', ksn}, type, tracks}: Sent): string {
  const fields = M001_FIELDS.map(() => '');
  const usage = KEY_INFOS[type] ?? '';
  const algorithm = KEY_INFO[usage]?.algorithm === 'aes' ? '000202000080' : '000201000080';
  fields[0] = M001;
  for (const {number, hex, masked} of tracks) {
    fields[M001_AT.masked + number - 1] = masked;
    fields[M001_AT.tracks + number - 1] = hex;
  }
  fields[M001_AT.ksn] = ksn;
  fields[M001_AT.key] = algorithm + usage;
  fields[M001_AT.serial] = serial;
  return fields.join('|');
}
