import {PaylensError} from '../../../contract/paylens-error.js';
import {schemeOf} from '../../dukpt/ksn.js';
import type {CipherSetting} from '../../reading.js';
import type {WriteRequest} from '../writer.js';
import {resolveOptions} from '../writer-options.js';
import {settingOfType} from './settings.js';

/** The settings of MagTek readers that change what they send. */
export const MAGTEK_OPTIONS = [
  {
    name: 'form',
    values: [
      ...(['auto', 'string', 'ipad', 'report', 'labels', 'sdk', 'gateway', 'm001'] as const),
      ...(['scra', 'container', 'bare', 'original', 'mms', 'packets', 'notification'] as const),
    ],
    meaning:
      'V5 string, IPAD string, HID report, label lines, JSON of an SDK or of a gateway, M001 text, ' +
      'SCRA TLV, DynaPro container with its length and MAC or F9 alone, original container, MMS ' +
      'notification, its USB packets, notification of older EMV readers; auto: the container for ' +
      'emv, M001 under a KSN of 12 bytes, the IPAD string for keyed, else the V5 string',
  },
  {name: 'tracks', values: ['all'], form: /^1?2?3?$/, meaning: 'tracks that were read: 12, 2, ...'},
  {
    name: 'type',
    values: ['auto', '80', '81', '83', '9B', '9C', '9D'],
    meaning:
      'encryption type: data, PIN or data response variant, AES usage 3000, 3001 or 3002; auto: 81 ' +
      'for swipes, 80 for containers, 9D under a KSN of 12 bytes',
  },
  {name: 'masked', values: ['on', 'off'], meaning: 'with masked tracks'},
  {name: 'crc', values: ['on', 'off'], meaning: 'V5 string: with a CRC'},
  {
    name: 'counter',
    values: [''],
    form: /^[0-9A-F]{6}$/,
    meaning: 'V5 string: encryption counter, format code 0001',
  },
  {
    name: 'report',
    values: ['856', '931'],
    meaning: 'HID report: bytes, with the fields of later readers or without',
  },
  {
    name: 'reportId',
    values: [''],
    form: /^0[01]$/,
    meaning: 'HID report: byte before it',
  },
  {
    name: 'message',
    values: ['request', 'batch'],
    meaning: 'containers: authorisation request or batch data',
  },
  {
    name: 'content',
    values: ['encrypted', 'clear'],
    meaning: 'swipes in a container: tracks encrypted again inside it, or as they are',
  },
  {
    name: 'swipeKsn',
    values: [''],
    form: /^[0-9A-F]{20}$/,
    meaning: 'swipes in a container: KSN of the tracks inside; absent: that of the data',
  },
  {
    name: 'tags',
    values: ['57,5A,5F20,5F24,5F30'],
    form: /^[0-9A-F]{2,6}(?:,[0-9A-F]{2,6})*$/,
    meaning: 'emv: tags of the card that are encrypted',
  },
  {name: 'mac', values: ['on', 'off'], meaning: 'containers: with a MAC, or zeros in its place'},
  {
    name: 'selectableKsn',
    values: [''],
    form: /^(?:[0-9A-F]{20}|[0-9A-F]{24})$/,
    meaning: 'containers: KSN of selectable card data in FF42; absent: none',
  },
] as const;

export type MagtekOptions = Readonly<Record<(typeof MAGTEK_OPTIONS)[number]['name'], string>>;

/** The options of `request` with defaults. Throws 9001 for an unknown option. */
export function magtekOptions(request: WriteRequest): MagtekOptions {
  return resolveOptions(MAGTEK_OPTIONS, request.options);
}

/** An encryption type in hex, and what it means. */
export interface TypedSetting {
  readonly type: string;
  readonly setting: CipherSetting;
}

/**
 * The encryption type of the options; `usual`: that of the form under TDES. Throws 9001 if the KSN
 * is of the other algorithm.
 */
export function typedSetting(option: string, usual: '80' | '81', ksn: string): TypedSetting {
  const scheme = schemeOf(ksn);
  const type = option === 'auto' ? (scheme === 'aes' ? '9D' : usual) : option;
  const setting = settingOfType(Number.parseInt(type, 16), 'option type');
  if (setting.algorithm === scheme) return {type, setting};
  const bytes = setting.algorithm === 'aes' ? 12 : 10;
  throw new PaylensError(9001, `option type: ${type} requires a KSN of ${bytes} bytes`);
}
