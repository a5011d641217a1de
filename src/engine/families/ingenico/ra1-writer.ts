import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, bytesOfHex, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import {terminalWriter} from '../writer-options.js';
import {RA1_SUCCESS} from './layout.js';
import {decimalNoise, pseudoCiphertext} from './record-writer.js';

/**
 * Generates well-formed RA1 responses, which are refused with 2111. On-Guard is not public, so
 * digits are merely replaced by others (docs/terminals/ingenico.md#ra1).
 */
export const ingenicoRa1Writer = terminalWriter({
  modes: ['swiped'],
  options: [],
  write: (request) => {
    if (request.iv) throw new PaylensError(9001, 'Ingenico payloads have no IV');
    const {track1, track2} = request.card;
    const noise = decimalNoise(pseudoCiphertext(request));
    const tracks = [rawCodes(track1, 0x20, noise), rawCodes(track2, 0x30, noise)];
    return upperHexOf(concatBytes(...tracks, bytesOfHex(RA1_SUCCESS)));
  },
});

/** Code 00, the length in big-endian bytes, then the character codes of a track without sentinels. */
function rawCodes(track = '', base: number, noise: string): Uint8Array {
  const text = track
    .slice(1, -1)
    .replaceAll(/\d/g, (_, at: number) => noise.charAt(at % noise.length));
  return concatBytes(
    Uint8Array.of(0, 0, text.length),
    bytesFromLatin1(text).map((code) => code - base),
  );
}
