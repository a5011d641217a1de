import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, bytesOfHex, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import type {Writer} from '../../writing.js';
import {resolveOptions} from '../writer-options.js';
import {RA1_SUCCESS} from './layout.js';
import {pseudoCiphertext} from './record-writer.js';

/**
 * Generates well-formed RA1 responses, which are refused with 2111. On-Guard is not public, so
 * digits are merely replaced by others (docs/terminals/ingenico.md#ra1).
 */
export const ingenicoRa1Writer: Writer = {
  modes: ['swiped'],
  options: [],
  write: (request) => {
    if (request.iv) throw new PaylensError(9001, 'Ingenico payloads have no IV');
    resolveOptions([], request.options);
    const {card, ksn, serial} = request;
    const noise = pseudoCiphertext(request);
    const tracks = [
      ra1TrackBytes(disguise(card.track1, noise), 0x20),
      ra1TrackBytes(disguise(card.track2, noise), 0x30),
    ];
    return {
      devicePayload: upperHexOf(concatBytes(...tracks, bytesOfHex(RA1_SUCCESS))),
      ksn,
      ...(serial === undefined ? {} : {deviceSerial: serial}),
    };
  },
};

/** Code 00, the length in big-endian bytes, then raw character codes. */
function ra1TrackBytes(text: string, base: number): Uint8Array {
  const codes = bytesFromLatin1(text).map((code) => code - base);
  return concatBytes(Uint8Array.of(0, codes.length >> 8, codes.length & 0xff), codes);
}

/** A track without sentinels and with other digits; the format letter and the separators stay. */
function disguise(track = '', noise: Uint8Array): string {
  let at = 0;
  return track.slice(1, -1).replaceAll(/\d/g, () => String((noise[at++ % noise.length] ?? 0) % 10));
}
