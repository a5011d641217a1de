import {bytesFromLatin1, bytesOfHex} from '../../../../platform/bytes.js';
import type {WriteRequest} from '../../../writing.js';
import {type MagtekOptions, typedSetting} from '../writer-options.js';
import {REPORT_AT, REPORT_BYTES, REPORT_TRACK_BYTES} from './report.js';
import {encryptTrack, tracksToSend} from './sent-swipe.js';

const STATUS = {pin: 0x06, data: 0x0806} as const;
/** Also for a keyed entry: the report has no type of its own for it. */
const ISO_CARD = 0;

/** Writes an HID report without MagnePrint (docs/terminals/magtek.md#the-hid-report). Throws 9001. */
export function writeReport(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const {type, setting} = typedSetting(options.type, '81', request.ksn);
  const report = new Uint8Array(REPORT_BYTES);
  report[REPORT_AT.cardType] = ISO_CARD;
  for (const {number, text, masked} of tracksToSend(request, options)) {
    const i = number - 1;
    const sent = number === 3 ? text.replace('+', ';') : text;
    const ciphertext = encryptTrack(sent, request, setting);
    const copy = bytesFromLatin1(number === 3 ? masked.replace('+', ';') : masked);
    report[REPORT_AT.lengths + i] = ciphertext.length;
    report.set(ciphertext, REPORT_AT.tracks + i * REPORT_TRACK_BYTES);
    report[REPORT_AT.maskedLengths + i] = copy.length;
    report.set(copy, REPORT_AT.masked + i * REPORT_TRACK_BYTES);
    report[REPORT_AT.absoluteLengths + i] = sent.length;
  }
  const status = type === '80' ? STATUS.data : STATUS.pin;
  report.set([status >> 8, status & 0xff], REPORT_AT.status);
  report.set(bytesFromLatin1((request.serial ?? '').slice(0, 16)), REPORT_AT.serial);
  report.set(bytesOfHex(request.ksn), REPORT_AT.ksn);
  return report;
}
