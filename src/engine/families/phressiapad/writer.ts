import {PaylensError} from '../../../contract/paylens-error.js';
import type {Mode} from '../../../contract/process-payload.js';
import type {WriteRequest, Writer, Written} from '../../writing.js';
import {genericWriter} from '../generic/writer.js';
import {idtechWriter} from '../idtech/writer.js';
import {writeV5String} from '../magtek/swipe/swipe-writer.js';
import {primaWriter} from '../prima/writer.js';
import {writeVipaList} from '../verifone/writer.js';
import {resolveOptions} from '../writer-options.js';

const MODES = ['swiped', 'emv', 'keyed'] as const;

const PAD_OPTIONS = [
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
  modes: MODES,
  options: PAD_OPTIONS,
  write: (request) => {
    const {form} = resolveOptions(PAD_OPTIONS, request.options);
    const {modes, write} = PAD_WRITERS[form as keyof typeof PAD_WRITERS];
    if (modes.includes(request.mode)) return write({...request, options: {}});
    throw new PaylensError(9001, `option form: expected ${modes.join(' or ')} in this form`);
  },
};

interface BorrowedForm {
  readonly modes: readonly Mode[];
  readonly write: (request: WriteRequest) => Written;
}

/** ID TECH's EMV messages begin with ViVO, which the tablet does not send. */
const PAD_WRITERS: Readonly<Record<'json' | 'idtech' | 'prima' | 'magtek' | 'vipa', BorrowedForm>> =
  {
    json: {modes: MODES, write: genericWriter.write},
    idtech: {modes: ['swiped', 'keyed'], write: idtechWriter.write},
    prima: {modes: ['swiped'], write: primaWriter.write},
    magtek: {modes: ['swiped'], write: (request) => ({devicePayload: writeV5String(request)})},
    vipa: {
      modes: MODES,
      write: (request) => ({
        devicePayload: writeVipaList(request),
        ...(request.serial === undefined ? {} : {deviceSerial: request.serial}),
      }),
    },
  };
