import {PaylensError} from '../../../contract/paylens-error.js';
import {concatBytes, upperHexOf} from '../../../platform/bytes.js';
import type {WriteRequest, Writer, Written} from '../../writing.js';
import {terminalWriter} from '../writer-options.js';
import {manualMembers, swipeMembers, writeDictionary} from './dictionary-writer.js';
import {writeOnline} from './online-writer.js';
import {encryptTracks} from './swipe-writer.js';
import {type TrackPacking, WISEPAD_OPTIONS, type WisepadOptions} from './writer-options.js';

/**
 * Generates BBPOS payloads (docs/terminals/wisepad.md#accepted-shapes); a WisePad sends track 2 in
 * ASCII.
 */
export const wisepadWriter = writerFor('ascii');

/** Generates payloads of a WisePad 2, which packs track 2. */
export const wisepad2Writer = writerFor('nibbles');

/** Encrypted tracks of BBPOS are known under TDES DUKPT alone. */
function writerFor(packing: TrackPacking): Writer {
  return terminalWriter({
    modes: ['swiped', 'emv', 'keyed'],
    tdesOnly: ['swiped'],
    withoutIv: 'BBPOS',
    options: WISEPAD_OPTIONS,
    write: (request, options) => writePayload(request, options, packing),
  });
}

const DICTIONARY = ['json', 'dump', 'labels', 'lines', 'query'] as const;

/** The forms of each mode, the default one first. */
const FORMS_OF_MODE: Readonly<Record<WriteRequest['mode'], readonly string[]>> = {
  swiped: ['hex', 'tlv', ...DICTIONARY],
  emv: ['tlv'],
  keyed: DICTIONARY,
};

function writePayload(
  request: WriteRequest,
  options: WisepadOptions,
  packing: TrackPacking,
): Written {
  const {mode} = request;
  const [usual = ''] = FORMS_OF_MODE[mode];
  const form = options.form === 'auto' ? usual : options.form;
  if (!FORMS_OF_MODE[mode].includes(form)) {
    const names = ['auto', ...FORMS_OF_MODE[mode]].join(', ');
    throw new PaylensError(9001, `option form: expected ${names} when ${mode}`);
  }
  if (form === 'hex') return writeHex(request, options, packing);
  if (form === 'tlv') return {devicePayload: upperHexOf(writeOnline(request, options))};
  const members =
    mode === 'keyed' ? manualMembers(request) : swipeMembers(request, options, packing);
  return {devicePayload: writeDictionary(form, members)};
}

/** Only the ciphertext: KSN and serial are sent in the request. */
function writeHex(request: WriteRequest, options: WisepadOptions, packing: TrackPacking): Written {
  const {ksn, serial} = request;
  const tracks = encryptTracks(request, options, packing).map(({ciphertext}) => ciphertext);
  return {
    devicePayload: upperHexOf(concatBytes(...tracks)),
    ksn,
    ...(serial === undefined ? {} : {deviceSerial: serial}),
  };
}
