import {PaylensError} from '../../../../contract/paylens-error.js';
import {latin1Of} from '../../../../platform/bytes.js';
import {onlyObject} from '../../../forms/one-read.js';
import {pinsIn} from '../../../forms/tlv/pins-in.js';
import type {CipherSetting, Reading} from '../../../reading.js';
import {flatten, type TlvObject} from '../../../tlv/ber.js';
import type {Trace} from '../../../trace.js';
import {assertKsnScheme, settingOfType} from '../settings.js';
import {hexOfTag, MAGTEK, PIN_TAGS, readSerial, readTemplate, TAG} from '../tags.js';
import type {Kind} from './open-track.js';
import {type CipherTrack, swipeReading} from './swipe.js';

/**
 * Reads the SCRA TLV of the SDKs: the serial number, and a template with the tracks
 * (docs/terminals/magtek.md#scra-tlv). Throws 2100 if it has no template, 2102 if it ends too early.
 */
export function readScra(bytes: Uint8Array, trace: Trace): Reading {
  const reading = readSwipeTemplate('SCRA TLV', flatten(readTemplate(bytes, 0, trace)));
  if (reading) return reading;
  throw new PaylensError(2100, `expected tag ${TAG.swipe}, found none`);
}

/** The swipe of a message in a template of its own; undefined if it has none. */
export function readSwipeTemplate(form: string, all: readonly TlvObject[]): Reading | undefined {
  if (!onlyObject(all, TAG.swipe)) return undefined;
  const type = hexOfTag(all, TAG.cardType);
  const kind = type === '' ? undefined : kindOfCardType(type);
  const [serial, masked] = [readSerial(all), maskedTracksOf(all)];
  const reading = swipeReading({form, serial, masked, kind, ...tracksOf(all)});
  return {pins: pinsIn(all, PIN_TAGS), ...reading};
}

/** The tracks of a template, their KSN, and their setting if an encryption type states it. */
export function tracksOf(all: readonly TlvObject[]): {
  readonly tracks: readonly CipherTrack[];
  readonly ksn: string | undefined;
  readonly setting: CipherSetting | undefined;
} {
  const tracks = TAG.tracks.map((tag, i): CipherTrack => {
    const track = onlyObject(all, tag);
    const number = (i + 1) as CipherTrack['number'];
    if (!track) return {number, bytes: new Uint8Array(), offset: 0};
    return {number, bytes: track.value, offset: track.offset + track.headerLength};
  });
  const ksn = hexOfTag(all, TAG.swipeKsn);
  const type = onlyObject(all, TAG.swipeType)?.value[0];
  const setting = type === undefined ? undefined : settingOfType(type, `tag ${TAG.swipeType}`);
  if (setting) assertKsnScheme(setting.algorithm, ksn, `tag ${TAG.swipeKsn}`);
  return {tracks, ksn: ksn || undefined, setting};
}

/** Masked tracks 1 and 2 of a message, or the one made of the chip's data. */
export function maskedTracksOf(all: readonly TlvObject[]): string {
  return all
    .filter(({tag}) => MAGTEK.tags['masked-text'].has(tag))
    .map(({value}) => latin1Of(value))
    .join('');
}

/** The kind of entry by the value of DFDF52. */
export function kindOfCardType(type: string): Kind {
  return type === '03' ? 'keyed' : 'swiped';
}
