import {PaylensError} from '../../../contract/paylens-error.js';
import {concatBytes, upperHexOf} from '../../../platform/bytes.js';
import type {WriteRequest, Writer, Written} from '../writer.js';
import {demandKsnLength} from '../writer-options.js';
import {manualMembers, swipeMembers, writeDictionary} from './dictionary-writer.js';
import {writeOnline} from './online-writer.js';
import {encryptTracks} from './swipe-writer.js';
import {WISEPAD_OPTIONS, type WisepadOptions, wisepadOptions} from './writer-options.js';

/** Encrypted tracks of BBPOS are known under TDES DUKPT alone. */
const TDES_ONLY = ['swiped'] as const;

/**
 * Generates BBPOS payloads (docs/formats/wisepad.md#accepted-shapes); a WisePad sends track 2 in
 * ASCII.
 */
export const wisepadWriter: Writer = writerFor('ascii');

/** Generates payloads of a WisePad 2, which packs track 2. */
export const wisepad2Writer: Writer = writerFor('nibbles');

function writerFor(usualPacking: string): Writer {
  return {
    modes: ['swiped', 'emv', 'keyed'],
    tdesOnly: TDES_ONLY,
    options: WISEPAD_OPTIONS,
    write: (request) => {
      demandKsnLength({tdesOnly: TDES_ONLY}, request);
      if (request.iv) throw new PaylensError(9001, 'BBPOS payloads have no IV');
      const options = wisepadOptions(request.options);
      const packing = options.packing === 'auto' ? usualPacking : options.packing;
      return writePayload(request, {...options, packing});
    },
  };
}

type Form = (request: WriteRequest, options: WisepadOptions) => Written;

/** The default form of each mode, and its other forms. */
const FORMS: Readonly<Record<WriteRequest['mode'], Readonly<Record<string, Form>>>> = {
  swiped: {auto: writeHex, hex: writeHex, tlv: writeTlvForm, ...dictionaryForms(swipeMembers)},
  emv: {auto: writeTlvForm, tlv: writeTlvForm},
  keyed: {...dictionaryForms(manualMembers)},
};

function writePayload(request: WriteRequest, options: WisepadOptions): Written {
  const forms = FORMS[request.mode];
  const write = forms[options.form] ?? (options.form === 'auto' ? forms.json : undefined);
  if (write) return write(request, options);
  const names = Object.keys(forms).join(', ');
  throw new PaylensError(9001, `option form: expected ${names} when ${request.mode}`);
}

/** Only the ciphertext: KSN and serial are sent in the request. */
function writeHex(request: WriteRequest, options: WisepadOptions): Written {
  const tracks = encryptTracks(request, options).map(({ciphertext}) => ciphertext);
  const {ksn, serial} = request;
  return {
    devicePayload: upperHexOf(concatBytes(...tracks)),
    ksn,
    ...(serial === undefined ? {} : {deviceSerial: serial}),
  };
}

function writeTlvForm(request: WriteRequest, options: WisepadOptions): Written {
  return {devicePayload: upperHexOf(writeOnline(request, options))};
}

function dictionaryForms(members: typeof swipeMembers): Readonly<Record<string, Form>> {
  const forms = ['json', 'dump', 'labels', 'lines', 'query'];
  return Object.fromEntries(
    forms.map((form) => [
      form,
      (request, options) => ({devicePayload: writeDictionary(form, members(request, options))}),
    ]),
  );
}
