import type {
  Encoding,
  Extracted,
  Mode,
  ProcessPayloadResult,
  TrackObject,
} from '../contract/process-payload.js';
import {base64Of, hexOf} from '../platform/bytes.js';
import {type CardContent, modeOf} from './card/card-content.js';
import {maskKeyed, maskTrack1, maskTrack2, maskTrack2Equivalent, maskTrack3} from './card/mask.js';
import type {Track, TrackData} from './card/track-data.js';
import type {Reading} from './reading.js';

interface ResultParts {
  readonly manufacturer: string;
  readonly serial: string;
  readonly reading: Reading;
  readonly content: CardContent;
  readonly extracted: Extracted;
}

/**
 * Composes the process-payload response from the data found
 * (docs/contract.md#process-payload-response).
 */
export function composeResult({
  manufacturer,
  serial,
  reading,
  content,
  extracted,
}: ResultParts): ProcessPayloadResult {
  const {track1, track2, track3, tlv, track2equivalent, keyed} = content;
  const encoding = reading.encoding ?? 'hex';
  const track = ({bytes, text, data}: Track, mask: Mask) =>
    trackObject(bytes, text, mask(text, data), encoding);
  return {
    meta: {device: manufacturer, serial, mode: modeFor(reading, content)},
    ...(track1 && {track1: track(track1, maskTrack1)}),
    ...(track2 && {track2: track(track2, maskTrack2)}),
    ...(track3 && {track3: track(track3, maskTrack3)}),
    ...(tlv && {tlv: {decrypted: tlv.map((list) => hexOf(list.bytes)).join('')}}),
    ...(track2equivalent && {track2equivalent: equivalent(track2equivalent)}),
    ...(keyed && {keyed: trackObject(keyed.bytes, keyed.text, maskKeyed(keyed))}),
    extracted,
  };
}

type Mask = (text: string, data?: TrackData) => string;

function trackObject(
  bytes: Uint8Array,
  ascii: string,
  masked: string,
  encoding: Encoding = 'hex',
): TrackObject {
  const decrypted = encoding === 'base64' ? base64Of(bytes) : hexOf(bytes);
  return {decrypted, ascii, encoding, length: ascii.length, masked};
}

function equivalent({bytes, text}: Track): TrackObject {
  return trackObject(bytes, text, maskTrack2Equivalent(text));
}

function modeFor({mode}: Reading, content: CardContent): Mode {
  return typeof mode === 'function' ? mode(content) : (mode ?? modeOf(content));
}
