import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, upperHexOf} from '../../../platform/bytes.js';
import type {WriteRequest, Writer, Written} from '../../writing.js';
import {writeKeyedEnhanced, writeKeyedOriginal} from './frame/keyed-writer.js';
import {writeEnhanced, writeOriginal} from './frame/swipe-writer.js';
import {writeMessage} from './vivopay/message-writer.js';
import {IDTECH_OPTIONS, type IdtechOptions, idtechOptions} from './writer-options.js';

/**
 * Generates ID TECH swipe and keyed frames, alone or in ViVOpay messages, and messages of EMV tags.
 */
export const idtechWriter: Writer = {
  modes: ['swiped', 'keyed', 'emv'],
  options: IDTECH_OPTIONS,
  write: (request) => {
    const options = idtechOptions(request);
    if (request.iv) throw new PaylensError(9001, 'idtech payloads have no IV');
    const message = messageOf(request, options);
    if (message !== 'none' && options.form === 'keyboard') {
      throw new PaylensError(9001, 'option form: ViVOpay messages have no keyboard-emulation form');
    }
    const frame = request.mode === 'emv' ? undefined : writeFrame(request, options);
    const text =
      message === 'none' ? (frame ?? '') : writeMessage(request, options, message, frame);
    return {devicePayload: inForm(text, options), ...outside(request, options)};
  },
};

function messageOf({mode}: WriteRequest, {message}: IdtechOptions) {
  if (mode === 'emv' && (message === 'auto' || message === 'none')) return 'vivotech2';
  return message === 'auto' ? 'none' : message;
}

function writeFrame(request: WriteRequest, options: IdtechOptions): string {
  const original = options.layout === 'original';
  if (original && request.ksn.length === AES_KSN_DIGITS)
    throw new PaylensError(9001, 'option layout: the original layout requires a 10-byte KSN');
  if (request.mode === 'keyed') {
    return original ? writeKeyedOriginal(request, options) : writeKeyedEnhanced(request, options);
  }
  return original ? writeOriginal(request, options) : writeEnhanced(request, options);
}

const AES_KSN_DIGITS = 24;

function inForm(text: string, {form}: IdtechOptions): string {
  return form === 'hex' ? upperHexOf(bytesFromLatin1(text)) : text;
}

/** The serial number, which the original layouts do not contain. */
function outside({mode, serial}: WriteRequest, {layout}: IdtechOptions): Partial<Written> {
  return mode !== 'emv' && layout === 'original' && serial !== undefined
    ? {deviceSerial: serial}
    : {};
}
