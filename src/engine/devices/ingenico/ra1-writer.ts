import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, bytesFromLatin1, concatBytes, upperHexOf} from '../../../platform/bytes.js';
import type {Writer, WriterOption} from '../writer.js';
import {resolveOptions} from '../writer-options.js';
import {RA1_SUCCESS, RA1_TRACKS} from './layout.js';
import {noiseOf} from './record-writer.js';

const OPTIONS = [
  {
    name: 'track1',
    values: [''],
    form: /^[ -_]{1,79}$/,
    meaning: 'the encrypted track 1 as text; else similar text',
  },
  {
    name: 'track2',
    values: [''],
    form: /^[0-9:;<=>?]{1,40}$/,
    meaning: 'the encrypted track 2 as text; else similar text',
  },
] as const satisfies readonly WriterOption[];

/**
 * Generates well-formed RA1 responses, which are refused with 2111. On-Guard is not public, so
 * digits and letters are merely replaced by others (docs/formats/ingenico.md#ra1).
 */
export const ingenicoRa1Writer: Writer = {
  modes: ['swiped'],
  options: OPTIONS,
  write: (request) => {
    if (request.iv) throw new PaylensError(9001, 'Ingenico payloads have no IV');
    const options = resolveOptions(OPTIONS, request.options);
    const noise = noiseOf(request);
    const {track1 = '', track2 = ''} = request.card;
    const tracks = [
      writeTrack(0, options.track1 || disguise(track1, noise), 0x20),
      writeTrack(1, options.track2 || disguise(track2, noise), 0x30),
    ];
    const status = bytesFromHex(RA1_SUCCESS) ?? new Uint8Array();
    const {ksn, serial} = request;
    return {
      devicePayload: upperHexOf(concatBytes(...tracks, status)),
      ksn,
      ...(serial === undefined ? {} : {deviceSerial: serial}),
    };
  },
};

/** Code 00, the length in big-endian bytes, then raw character codes. */
function writeTrack(index: number, text: string, base: number): Uint8Array {
  const codes = bytesFromLatin1(text).map((code) => code - base);
  const highest = RA1_TRACKS[index]?.highest ?? 0;
  if (codes.some((code) => code > highest)) {
    throw new PaylensError(9001, `track ${index + 1}: expected characters of its alphabet`);
  }
  return concatBytes(Uint8Array.of(0, codes.length >> 8, codes.length & 0xff), codes);
}

/**
 * Replaces the characters of a track without sentinels; the format letter and the separators stay.
 */
function disguise(track: string, noise: Uint8Array): string {
  let at = 0;
  return track.slice(1, -1).replaceAll(/\d/g, () => String((noise[at++ % noise.length] ?? 0) % 10));
}
