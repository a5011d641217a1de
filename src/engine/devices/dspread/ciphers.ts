import {bytesOfHex} from '../../../platform/bytes.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';
import {DSPREAD_SETTINGS} from '../wisepad/layout.js';
import type {WriteRequest} from '../writer.js';
import type {DspreadOptions} from './writer-options.js';

const FIRMWARE = ['new', 'old', 'ecb'];

/** How a firmware encrypts card data. */
export function settingOf(firmware: string): CipherSetting {
  return DSPREAD_SETTINGS[FIRMWARE.indexOf(firmware)] ?? CARD_DATA_SETTING;
}

/** One block under the PIN variant (docs/formats/dspread.md#keys). */
const PIN_SETTING: CipherSetting = {
  ...CARD_DATA_SETTING,
  mode: 'ecb',
  variant: 'pin',
  selfEncrypted: false,
};
const PIN_FIELD = '041234FFFFFFFFFF';

/** A PIN block of ISO 9564-1, format 0, with the PIN 1234, and its KSN. */
export function writePinBlock(
  {card, ksn: own, encrypt}: WriteRequest,
  {pinKsn}: DspreadOptions,
): {readonly ksn: string; readonly block: Uint8Array} {
  const ksn = pinKsn || own;
  const pan = bytesOfHex(card.pan.slice(-13, -1).padStart(12, '0').padStart(16, '0'));
  const plain = bytesOfHex(PIN_FIELD).map((byte, i) => byte ^ (pan[i] ?? 0));
  return {ksn, block: encrypt(plain, PIN_SETTING, {ksn})};
}
