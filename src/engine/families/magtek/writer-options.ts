import {PaylensError} from '../../../contract/paylens-error.js';
import {schemeOf} from '../../dukpt/ksn.js';
import type {CipherSetting} from '../../reading.js';
import type {WriteRequest} from '../../writing.js';
import {settingOfType} from './settings.js';

/** The settings of MagTek readers that show in what they send (docs/simulate.md#options). */
export const MAGTEK_OPTIONS = [
  {
    name: 'form',
    values: [
      ...(['auto', 'string', 'ipad', 'report', 'sdk', 'm001', 'scra'] as const),
      ...(['container', 'original', 'mms'] as const),
    ],
    meaning:
      'V5 string, IPAD string, HID report, JSON of an SDK, M001 text, SCRA TLV, DynaPro container ' +
      'with its length and MAC, original container, MMS notification; auto: the container for emv, ' +
      'M001 under a KSN of 12 bytes, the IPAD string for keyed, else the V5 string',
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
  {
    name: 'message',
    values: ['request', 'batch'],
    meaning: 'containers: authorisation request or batch data',
  },
] as const;

/** Every option with its value. */
export type MagtekOptions = Readonly<Record<(typeof MAGTEK_OPTIONS)[number]['name'], string>>;

/** An encryption type in hex, and its cipher setting. */
export interface TypedSetting {
  readonly type: string;
  readonly setting: CipherSetting;
}

/**
 * The encryption type of the options; `usual`: that of the form under TDES. Throws 9001 if the KSN
 * is of the other algorithm, and for an IV.
 */
export function typedSetting(
  option: string,
  usual: '80' | '81',
  {ksn, iv}: Pick<WriteRequest, 'ksn' | 'iv'>,
): TypedSetting {
  if (iv) throw new PaylensError(9001, 'magtek payloads have no IV');
  const scheme = schemeOf(ksn);
  const type = option === 'auto' ? (scheme === 'aes' ? '9D' : usual) : option;
  const setting = settingOfType(Number.parseInt(type, 16), 'option type');
  if (setting.algorithm === scheme) return {type, setting};
  const bytes = setting.algorithm === 'aes' ? 12 : 10;
  throw new PaylensError(9001, `option type: ${type} requires a KSN of ${bytes} bytes`);
}
