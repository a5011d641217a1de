import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {schemeOf} from '../../dukpt/ksn.js';
import {writeTlv} from '../../tlv/ber.js';
import type {WriteRequest, Writer} from '../../writing.js';
import {innerSwipe, writeContainer, writeOriginal} from './emv/container-writer.js';
import {writeMms, writeNotification, writePackets} from './emv/message-writer.js';
import {writeReport} from './swipe/report-writer.js';
import {type TextFormName, writeText} from './swipe/text-writer.js';
import {TAG} from './tags.js';
import {MAGTEK_OPTIONS, type MagtekOptions, magtekOptions} from './writer-options.js';

/** Generates what MagTek readers send: swipes, keyed entries and EMV containers. */
export const magtekWriter: Writer = {
  modes: ['swiped', 'emv', 'keyed'],
  options: MAGTEK_OPTIONS,
  write: (request) => {
    if (request.iv) throw new PaylensError(9001, 'magtek payloads have no IV');
    const options = magtekOptions(request);
    const form = options.form === 'auto' ? usualForm(request) : options.form;
    const write = BINARY_FORMS[form];
    if (write) return {devicePayload: upperHexOf(write(request, options))};
    assertSwipeMode(request, form);
    return {devicePayload: writeText(request, options, form as TextFormName)};
  },
};

function usualForm({mode, ksn}: WriteRequest): string {
  if (mode === 'emv') return 'container';
  if (schemeOf(ksn) === 'aes') return 'm001';
  return mode === 'keyed' ? 'ipad' : 'string';
}

type Write = (request: WriteRequest, options: MagtekOptions) => Uint8Array;

const BINARY_FORMS: Readonly<Record<string, Write>> = {
  report: (request, options) => {
    assertSwipeMode(request, 'report');
    if (schemeOf(request.ksn) === 'tdes') return writeReport(request, options);
    throw new PaylensError(9001, 'option form: report has a KSN of 10 bytes');
  },
  scra: (request, options) => {
    assertSwipeMode(request, 'scra');
    return scra(request, options);
  },
  container: writeContainer,
  bare: (request, options) => writeContainer(request, options, true),
  original: writeOriginal,
  mms: (request, options) => writeMms(writeContainer(request, options), request),
  packets: (request, options) => writePackets(writeMms(writeContainer(request, options), request)),
  notification: (request, options) => writeNotification(writeContainer(request, options)),
};

function assertSwipeMode({mode}: WriteRequest, form: string): void {
  if (mode !== 'emv') return;
  throw new PaylensError(9001, `option form: ${form} has no emv mode`);
}

function scra(request: WriteRequest, options: MagtekOptions): Uint8Array {
  const {serial = ''} = request;
  const own = serial === '' ? [] : [writeTlv(TAG.serial, bytesFromLatin1(serial))];
  return writeTlv(TAG.transaction, concatBytes(...own, innerSwipe(request, options)));
}
