import {PaylensError} from '../../../contract/paylens-error.js';
import type {WriteRequest, Writer, Written} from '../../writing.js';
import {genericWriter} from '../generic/writer.js';
import {idtechWriter} from '../idtech/writer.js';
import {magtekWriter} from '../magtek/writer.js';
import {primaWriter} from '../prima/writer.js';
import {writeVipaList} from '../verifone/writer.js';
import {resolveOptions} from '../writer-options.js';

const OPTIONS = [
  {
    name: 'form',
    values: ['json', 'idtech', 'prima', 'magtek', 'vipa'],
    meaning:
      'format sent by the tablet, all inferred: generic JSON, an ID TECH frame, a Prima M record, a MagneSafe string, VIPA tags',
  },
] as const;

/**
 * Generates payloads in the forms that the tablet is inferred to send
 * (docs/terminals/phressiapad.md#phressiapad-forms).
 */
export const phressiapadWriter: Writer = {
  modes: ['swiped', 'emv', 'keyed'],
  options: OPTIONS,
  write: (request) => {
    const {form} = resolveOptions(OPTIONS, request.options);
    return WRITERS[form as keyof typeof WRITERS](request);
  },
};

type Write = (request: WriteRequest) => Written;

const WRITERS: Readonly<Record<'json' | 'idtech' | 'prima' | 'magtek' | 'vipa', Write>> = {
  json: (request) => genericWriter.write({...request, options: {}}),
  idtech: swipedOrKeyed((request) => idtechWriter.write({...request, options: {}})),
  prima: swipedOnly((request) => primaWriter.write({...request, options: {}})),
  magtek: swipedOnly((request) =>
    magtekWriter.write({...request, options: {form: 'string', type: '81'}}),
  ),
  vipa: (request) => ({
    devicePayload: writeVipaList(request),
    ...(request.serial === undefined ? {} : {deviceSerial: request.serial}),
  }),
};

/** ID TECH's EMV messages begin with ViVO, which the tablet does not send. */
function swipedOrKeyed(write: Write): Write {
  return (request) => {
    if (request.mode !== 'emv') return write(request);
    throw new PaylensError(9001, 'option form: this form has no emv mode');
  };
}

function swipedOnly(write: Write): Write {
  return (request) => {
    if (request.mode === 'swiped') return write(request);
    throw new PaylensError(9001, 'option form: this form supports only swiped');
  };
}
