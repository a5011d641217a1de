import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, upperHexOf} from '../../../platform/bytes.js';
import type {WriteRequest, Writer} from '../../writing.js';
import {FrameBuilder} from '../idtech/frame/frame-builder.js';
import {type Slot, swipeSlots, writeRecord} from '../idtech/frame/swipe-writer.js';
import {idtechOptions} from '../idtech/writer-options.js';
import {assertTdesKsn, resolveOptions, TRACKS_OPTION} from '../writer-options.js';
import {PAYMENT_CARD} from './reader.js';

const PRIMA_OPTIONS = [
  TRACKS_OPTION,
  {name: 'hash', values: ['sha1', 'null'], meaning: 'hashes of the tracks: real, or all zeros'},
] as const;

/** Generates the record of the Prima M in ID TECH mode (docs/terminals/prima.md#the-record). */
export const primaWriter: Writer = {
  modes: ['swiped'],
  tdesOnly: ['swiped'],
  options: PRIMA_OPTIONS,
  write: (request) => {
    if (request.iv) throw new PaylensError(9001, 'prima payloads have no IV');
    assertTdesKsn(primaWriter, request);
    const {serial} = request;
    return {
      devicePayload: writePrima(request),
      ...(serial === undefined ? {} : {deviceSerial: serial}),
    };
  },
};

function writePrima(request: WriteRequest): string {
  const options = idtechOptions({
    ...request,
    options: resolveOptions(PRIMA_OPTIONS, request.options),
  });
  const slots = swipeSlots(request, options);
  const builder = new FrameBuilder('binary').byte(PAYMENT_CARD);
  // Bits 0 to 2: decoded; bits 3 to 5: sampled.
  const flags = slots.reduce((bits, {number}) => bits | (0x09 << (number - 1)), 0);
  writeRecord(builder, flags, slots.map(withLetter), request, options);
  return upperHexOf(bytesFromLatin1(builder.cardData));
}

/** This reader shows the format letter in the masked track 1, which ID TECH readers hide. */
function withLetter(slot: Slot): Slot {
  if (slot.number !== 1 || slot.copy === undefined) return slot;
  return {...slot, copy: slot.plain.slice(0, 2) + slot.copy.slice(2)};
}
