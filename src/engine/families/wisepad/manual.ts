import {PaylensError} from '../../../contract/paylens-error.js';
import {type CardContent, withEvidence} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {assertMaskedPans, maskedText} from '../../card/masked-pans.js';
import {readFilledDigits} from '../../card/track2-equivalent.js';
import {assertBlocks} from '../../cipher/block-cipher.js';
import {CARD_DATA_SETTING, type EncryptedField} from '../../reading.js';
import type {Dictionary} from './dictionary.js';

/**
 * Reads keyed entry: `encPAN` as packed digits, the expiry in cleartext beside it
 * (docs/terminals/wisepad.md#manual-entry). Throws 2100 without an expiry, 2102 if the ciphertext is
 * not whole blocks.
 */
export function manualField(dictionary: Dictionary, ksn: string | undefined): EncryptedField {
  const {bytes, offset} = dictionary.bytes('encpan') ?? {bytes: new Uint8Array(), offset: 0};
  assertBlocks('encPAN', bytes);
  const expiry = dictionary.text('expirydate');
  if (expiry === undefined || !/^\d{4}$/.test(expiry)) {
    throw new PaylensError(2100, 'encPAN: expected expiryDate (YYMM) beside it');
  }
  const masked = dictionary.text('maskedpan');
  return {
    name: 'encPAN',
    offset,
    ciphertext: bytes,
    setting: CARD_DATA_SETTING,
    ...(ksn === undefined ? {} : {ksn}),
    open: (plain) => openKeyedPan(plain, expiry, masked),
  };
}

/** Sixteen digits alone prove too little: random bytes are digits once in 2^11. */
function openKeyedPan(plain: Uint8Array, expiry: string, masked: string | undefined): CardContent {
  const evidence = new Evidence();
  const found = readFilledDigits(plain);
  if (!found) throw notCardData('encPAN', 'expected packed digits, then only padding');
  const {bytes, text: pan} = found;
  if (masked === undefined) {
    const detail = 'encPAN: not enough evidence to distinguish a PAN from random bytes';
    throw new PaylensError(2601, detail, {hint: 'Send maskedPAN with encPAN to confirm it.'});
  }
  assertMaskedPans('encPAN', maskedText('maskedPAN', masked), {pan}, evidence);
  evidence.add('grammar', 'PAN of digits', pan.length * 0.67);
  const fillNibbles = 2 * plain.length - pan.length;
  if (fillNibbles > 0) evidence.add('other', 'filler of encPAN', Math.min(fillNibbles, 16) * 4);
  evidence.assertEnough('encPAN', 'A maskedPAN with more visible digits');
  return withEvidence({keyed: {bytes, text: `${pan}=${expiry}`, pan}}, evidence);
}
