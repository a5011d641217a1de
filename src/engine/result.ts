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
import type {Track} from './card/track-data.js';
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
  // Member by member: a literal with a spread for each takes three times as long.
  const result: Partial<WritableResult> = {};
  result.meta = {device: manufacturer, serial, mode: modeFor(reading, content)};
  if (track1) result.track1 = trackObject(track1, maskTrack1(track1.text, track1.data), encoding);
  if (track2) result.track2 = trackObject(track2, maskTrack2(track2.text, track2.data), encoding);
  if (track3) result.track3 = trackObject(track3, maskTrack3(track3.text), encoding);
  if (tlv) result.tlv = {decrypted: tlv.map((list) => hexOf(list.bytes)).join('')};
  if (track2equivalent) {
    const masked = maskTrack2Equivalent(track2equivalent.text);
    result.track2equivalent = trackObject(track2equivalent, masked);
  }
  if (keyed) result.keyed = trackObject(keyed, maskKeyed(keyed));
  result.extracted = extracted;
  return result as ProcessPayloadResult;
}

type WritableResult = {-readonly [M in keyof ProcessPayloadResult]: ProcessPayloadResult[M]};

function trackObject(
  {bytes, text: ascii}: Pick<Track, 'bytes' | 'text'>,
  masked: string,
  encoding: Encoding = 'hex',
): TrackObject {
  const decrypted = encoding === 'base64' ? base64Of(bytes) : hexOf(bytes);
  return {decrypted, ascii, encoding, length: ascii.length, masked};
}

function modeFor({mode}: Reading, content: CardContent): Mode {
  return typeof mode === 'function' ? mode(content) : (mode ?? modeOf(content));
}
