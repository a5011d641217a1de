import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, upperHexOf} from '../../../platform/bytes.js';
import {FrameBuilder} from '../idtech/frame/frame-builder.js';
import {type Slot, swipeSlots, writeRecord} from '../idtech/frame/swipe-writer.js';
import {type IdtechOptions, idtechOptions} from '../idtech/writer-options.js';
import type {WriteRequest, Writer} from '../writer.js';
import {demandKsnLength, resolveOptions} from '../writer-options.js';
import {PAYMENT_CARD} from './layout.js';

const OPTIONS = [
  {
    name: 'tracks',
    values: ['all'],
    form: /^1?2?3?$/,
    meaning: 'tracks that were read: 12, 2, ...',
  },
  {name: 'hash', values: ['sha1', 'null'], meaning: 'hashes of the tracks: real, or all zeros'},
  {
    name: 'letter',
    values: ['shown', 'masked'],
    meaning: 'format letter in the masked track 1: as sent by this reader, or by ID TECH readers',
  },
] as const;

/** Generates the record of the Prima M in ID TECH mode (docs/formats/prima.md#the-record). */
export const primaWriter: Writer = {
  modes: ['swiped'],
  tdesOnly: ['swiped'],
  options: OPTIONS,
  write: (request) => {
    if (request.iv) throw new PaylensError(9001, 'prima payloads have no IV');
    demandKsnLength(primaWriter, request);
    const {tracks, hash, letter} = resolveOptions(OPTIONS, request.options);
    const options = idtechOptions({...request, options: {tracks, hash, track3: 'clear'}});
    const {serial} = request;
    return {
      devicePayload: writePrima(request, options, letter === 'shown'),
      ...(serial === undefined ? {} : {deviceSerial: serial}),
    };
  },
};

function writePrima(request: WriteRequest, options: IdtechOptions, showsLetter: boolean): string {
  const slots = swipeSlots(request, options);
  if (!slots.some(({encrypted}) => encrypted)) {
    throw new PaylensError(9001, 'option tracks: track 3 is never encrypted; add track 1 or 2');
  }
  const builder = new FrameBuilder('binary').byte(PAYMENT_CARD).byte(trackFlags(slots));
  const sent = showsLetter ? slots.map(withLetter) : slots;
  writeRecord(builder, sent, request, options);
  return upperHexOf(bytesFromLatin1(builder.cardData));
}

/** Bits 0 to 2: decoded; bits 3 to 5: sampled. */
function trackFlags(slots: readonly Slot[]): number {
  return slots.reduce((bits, {number}) => bits | (0x09 << (number - 1)), 0);
}

function withLetter(slot: Slot): Slot {
  if (slot.number !== 1 || slot.copy === undefined) return slot;
  return {...slot, copy: slot.plain.slice(0, 2) + slot.copy.slice(2)};
}
