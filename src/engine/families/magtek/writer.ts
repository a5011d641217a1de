import {PaylensError} from '../../../contract/paylens-error.js';
import {upperHexOf} from '../../../platform/bytes.js';
import {schemeOf} from '../../dukpt/ksn.js';
import type {WriteRequest} from '../../writing.js';
import {terminalWriter} from '../writer-options.js';
import {
  writeContainer,
  writeMms,
  writeOriginalContainer,
  writeScra,
} from './emv/container-writer.js';
import {isSwipeForm, writeSwipeForm} from './swipe/swipe-writer.js';
import {MAGTEK_OPTIONS, type MagtekOptions} from './writer-options.js';

/** Generates what MagTek readers send: swipes, keyed entries and EMV containers. */
export const magtekWriter = terminalWriter({
  modes: ['swiped', 'emv', 'keyed'],
  options: MAGTEK_OPTIONS,
  write: (request, options) => {
    const form = options.form === 'auto' ? usualForm(request) : options.form;
    if (request.mode === 'emv' && (isSwipeForm(form) || form === 'scra'))
      throw new PaylensError(9001, `option form: ${form} has no emv mode`);
    if (isSwipeForm(form)) return {devicePayload: writeSwipeForm(request, options, form)};
    const write = CONTAINER_FORMS[form] ?? writeContainer;
    return {devicePayload: upperHexOf(write(request, options))};
  },
});

function usualForm({mode, ksn}: WriteRequest): string {
  if (mode === 'emv') return 'container';
  if (schemeOf(ksn) === 'aes') return 'm001';
  return mode === 'keyed' ? 'ipad' : 'string';
}

const CONTAINER_FORMS: Readonly<
  Record<string, (request: WriteRequest, options: MagtekOptions) => Uint8Array>
> = {scra: writeScra, container: writeContainer, original: writeOriginalContainer, mms: writeMms};
