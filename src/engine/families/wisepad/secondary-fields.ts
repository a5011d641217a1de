import {Evidence, notCardData} from '../../card/evidence.js';
import {hasCheckDigit, isPan} from '../../card/track-data.js';
import {readFilledDigits, readFilledTrack2Equivalent} from '../../card/track2-equivalent.js';
import {CARD_DATA_SETTING, type EncryptedField} from '../../reading.js';

/** A ciphertext in addition to those that give the card. */
type SecondaryCipher = Pick<EncryptedField, 'name' | 'ciphertext' | 'offset' | 'ksn'>;

/** encPAN and C9: the packed card number, checked to be more than random digits. */
export function secondaryPan(cipher: SecondaryCipher): EncryptedField {
  const open = (plain: Uint8Array) => {
    const pan = readFilledDigits(plain)?.text ?? '';
    if (!isPan(pan) || !hasCheckDigit(pan)) throw notCardData(cipher.name, 'no card number');
    return {pan};
  };
  return {setting: CARD_DATA_SETTING, open, ...cipher};
}

/** encTrack2Eq: a track 2 equivalent with padding. */
export function secondaryTrack2(cipher: SecondaryCipher): EncryptedField {
  const open = (plain: Uint8Array) => {
    const evidence = new Evidence();
    const track2equivalent = readFilledTrack2Equivalent(plain, evidence);
    if (!track2equivalent) throw notCardData(cipher.name, 'no track 2 equivalent');
    evidence.assertEnough(cipher.name, 'Its fill');
    return {track2equivalent};
  };
  return {setting: CARD_DATA_SETTING, open, ...cipher};
}
