import {hexOf} from '../bytes.js';
import type {Track2Equivalent} from './card-content.js';
import {isPan} from './track-data.js';

/** The data elements of a track 2 equivalent (EMV Book 3, Annex A, tag 57). */
export interface Track2EquivalentData {
  readonly pan: string;
  /** YYMM. */
  readonly expiry?: string;
  readonly serviceCode?: string;
  readonly discretionary?: string;
}

/** Reads packed BCD with `D` as separator; undefined when it has no such form. */
export function readTrack2Equivalent(bytes: Uint8Array): Track2Equivalent | undefined {
  const text = hexOf(bytes).replace(/f+$/, '');
  return /^\d+d\d*$/.test(text) ? {bytes, text} : undefined;
}

/** Finds the data elements; undefined when the digits before `d` are no PAN. */
export function parseTrack2Equivalent(text: string): Track2EquivalentData | undefined {
  const match = /^(\d+)d(\d{4})?(\d{3})?(\d*)$/.exec(text);
  const [, pan = '', expiry, serviceCode, discretionary] = match ?? [];
  if (!isPan(pan)) return undefined;
  return {
    pan,
    ...(expiry ? {expiry} : {}),
    ...(serviceCode ? {serviceCode} : {}),
    ...(discretionary ? {discretionary} : {}),
  };
}

/** Reads `F`-filled packed BCD, as tag 5A; undefined when there is anything but digits. */
export function readPackedDigits(bytes: Uint8Array): string | undefined {
  const digits = hexOf(bytes).replace(/f+$/, '');
  return /^\d+$/.test(digits) ? digits : undefined;
}
