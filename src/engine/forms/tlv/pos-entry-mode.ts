import type {Mode} from '../../../contract/process-payload.js';
import {upperHexOf} from '../../../platform/bytes.js';
import type {TlvObject} from '../../tlv/ber.js';

/** Contactless magstripe mode (91) and swipes (90, 80) that come as an EMV message. */
const SWIPED_ENTRY_MODES = new Set(['91', '90', '80']);

/** The mode given by tag 9F39, in the first of the lists that has one; EMV without it. */
export function posEntryMode(...lists: readonly (readonly TlvObject[])[]): Mode {
  const entry = lists.flat().find(({tag, value}) => tag === '9F39' && value.length > 0);
  return entry && SWIPED_ENTRY_MODES.has(upperHexOf(entry.value)) ? 'swiped' : 'emv';
}
