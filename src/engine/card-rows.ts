import type {ProcessPayloadResult, TrackObject} from '../contract/process-payload.js';
import {maskNumbers, maskPan} from './card/mask.js';

type Row = readonly [string, string];

/**
 * The fields of a decrypted card for people. PAN, service code, discretionary data, CVV and the
 * tracks are masked unless `reveal`.
 */
export function cardRows(result: ProcessPayloadResult, reveal: boolean): Row[] {
  const {meta, tlv, ...rest} = result;
  const rows: (Row | undefined)[] = [
    ['device', meta.device],
    ['serial', meta.serial],
    ['mode', meta.mode],
    ...extractedRows(result, reveal),
    ...TRACKS.map(([member, name]) => trackRow(name, rest[member], reveal)),
    tlv && (['TLV', reveal ? tlv.decrypted : `${tlv.decrypted.length / 2} bytes`] as const),
  ];
  return rows.filter((optionalRow) => optionalRow !== undefined);
}

const TRACKS = [
  ['track1', 'track 1'],
  ['track2', 'track 2'],
  ['track3', 'track 3'],
  ['track2equivalent', 'track 2 equivalent'],
  ['keyed', 'keyed'],
] as const;

function extractedRows({extracted}: ProcessPayloadResult, reveal: boolean): (Row | undefined)[] {
  const {PAN, EXPY, Surname, FirstName, ServiceCode, Discretionary, CVV, street, ZIP} = extracted;
  const asItIs = (text: string) => text;
  const [hide, show] = reveal ? [asItIs, asItIs] : [starsFor, maskNumbers];
  return [
    ['PAN', reveal ? PAN : maskPan(PAN)],
    ['expiry', expiryText(EXPY) ?? hide(EXPY)],
    optionalRow('surname', Surname, show),
    optionalRow('first name', FirstName, show),
    optionalRow('service code', ServiceCode, hide),
    optionalRow('discretionary', Discretionary, hide),
    optionalRow('CVV', CVV, hide),
    optionalRow('street', street, show),
    optionalRow('ZIP', ZIP, show),
  ];
}

/** `12/28` of `1228`, the form of a response; undefined for anything else. */
export function expiryText(expiry: string): string | undefined {
  return /^\d{4}$/.test(expiry) ? `${expiry.slice(0, 2)}/${expiry.slice(2)}` : undefined;
}

function optionalRow(name: string, value: string | undefined, show: (text: string) => string) {
  return value === undefined ? undefined : ([name, show(value)] as const);
}

function trackRow(name: string, track: TrackObject | undefined, reveal: boolean) {
  return track && ([name, reveal ? track.ascii : track.masked] as const);
}

function starsFor(text: string): string {
  return '*'.repeat(text.length);
}
