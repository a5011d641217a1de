import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1, upperHexOf} from '../../../../platform/bytes.js';
import {addFill} from '../../../cipher/padding.js';
import type {WriteRequest, Written} from '../../../writing.js';
import {MAGTEK_SETTING} from '../settings.js';
import {AT, FIELDS, FORMAT_CODE, STATUS_SWIPED} from './string-layout.js';

/**
 * Writes a MagneSafe V5 string as terminals of the interface may send it: without MagnePrint, session and CRC
 * (docs/terminals/magtek.md#borrowed). Throws 9001 if the card has no track, and for a KSN of 12
 * bytes or an IV, which the string cannot contain.
 */
export function writeMagtek(request: WriteRequest): Written {
  const {card, ksn, serial = '', iv} = request;
  const tracks = [card.track1, card.track2, card.track3];
  if (tracks.every((text) => text === undefined)) throw new PaylensError(9001, 'no track');
  if (iv || ksn.length !== 20) throw new PaylensError(9001, 'MagneSafe: no IV, a KSN of 10 bytes');
  const fields: string[] = FIELDS.map(() => '');
  fields[AT.masked] = tracks.map(maskedCopy).join('');
  fields[AT.status] = STATUS_SWIPED;
  for (const [i, text] of tracks.entries()) {
    if (text !== undefined) fields[AT.tracks + i] = encryptTrack(text, request);
  }
  fields[AT.serial] = serial;
  fields[AT.ksn] = ksn;
  fields[AT.format] = FORMAT_CODE;
  return {devicePayload: fields.join('|')};
}

function encryptTrack(text: string, {encrypt}: WriteRequest): string {
  return upperHexOf(encrypt(addFill(bytesFromLatin1(text), 'zero', 8), MAGTEK_SETTING));
}

/** Masks with `0` the middle of the PAN and everything after the expiry date. */
function maskedCopy(text: string | undefined): string {
  const form = /^(%[A-Z]|;|\+)([\d ]+)(=|\^[^^]*\^)(\d{4})?(.*)\?$/;
  const [, lead = '', pan = '', kept = '', expiry = '', rest = ''] = form.exec(text ?? '') ?? [];
  if (pan === '') return '';
  const masked = pan.slice(0, 4) + pan.slice(4, -4).replaceAll(/\d/g, '0') + pan.slice(-4);
  return `${lead}${masked}${kept}${expiry}${rest.replaceAll(/\d/g, '0')}?`;
}
