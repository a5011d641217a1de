import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, upperHexOf} from '../../../platform/bytes.js';
import type {WriteRequest} from '../../writing.js';
import {terminalWriter} from '../writer-options.js';
import {writeKeyedEnhanced, writeKeyedOriginal} from './frame/keyed-writer.js';
import {writeEnhanced, writeOriginal} from './frame/swipe-writer.js';
import {writeMessage} from './vivopay/message-writer.js';
import {IDTECH_OPTIONS, type IdtechOptions} from './writer-options.js';

/**
 * Generates ID TECH swipe and keyed frames, alone or in ViVOpay messages, and messages of EMV tags.
 */
export const idtechWriter = terminalWriter({
  modes: ['swiped', 'keyed', 'emv'],
  options: IDTECH_OPTIONS,
  write: (request, options) => {
    const {iv, mode, serial} = request;
    if (iv) throw new PaylensError(9001, 'idtech payloads have no IV');
    const isUsual = options.message === 'auto' || (mode === 'emv' && options.message === 'none');
    const usual = mode === 'emv' ? 'vivotech2' : 'none';
    const message = isUsual ? usual : options.message;
    if (message !== 'none' && options.form === 'keyboard') {
      throw new PaylensError(9001, 'option form: ViVOpay messages have no keyboard-emulation form');
    }
    const frame = mode === 'emv' ? undefined : writeFrame(request, options);
    const text =
      message === 'none' ? (frame ?? '') : writeMessage(request, options, message, frame);
    const devicePayload = options.form === 'hex' ? upperHexOf(bytesFromLatin1(text)) : text;
    // The original layouts do not contain the serial number.
    const isOutside = mode !== 'emv' && options.layout === 'original' && serial !== undefined;
    return {devicePayload, ...(isOutside ? {deviceSerial: serial} : {})};
  },
});

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
