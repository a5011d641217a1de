import {PaylensError} from '../../../contract/paylens-error.js';
import {upperHexOf} from '../../../platform/bytes.js';
import {payloadBytes} from '../../forms/payload-bytes.js';
import {bodyOf} from '../../forms/tlv/tlv-body.js';
import type {Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {messageName} from './message.js';
import {isTvp, readTvp} from './tvp.js';
import {readVipa} from './vipa.js';
import {isBase64Blob, readBase64Blob, readBlob, readE07, refuseClearMessage} from './xpi.js';

export function readVerifone(payload: string, trace: Trace): Reading {
  if (isTvp(payload)) return readTvp(payload, trace);
  const message = messageName(payload);
  if (message === 'E07') return readE07(payload, trace);
  if (message === 'C31' || message === 'C30') return refuseClearMessage(payload, trace);
  if (message !== undefined) throw new PaylensError(2100, 'expected XPI message E07 after STX');
  if (isBase64Blob(payload)) return readBase64Blob(payload, trace);
  const bytes = payloadBytes(payload);
  // XPI's tags begin with DF90.
  if (upperHexOf(bytes.subarray(0, 2)) !== 'DF90') return readVipa(bytes, trace);
  return readBlob('XPI blob', bodyOf(bytes), undefined, trace);
}
