import type {CardContent} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {hasCheckDigit, isPan} from '../../card/track-data.js';
import {readFilledDigits, readFilledTrack2Equivalent} from '../../card/track2-equivalent.js';
import {CARD_DATA_SETTING, type EncryptedField} from '../../reading.js';

/** A ciphertext in addition to those that give the card. */
interface SecondaryCipher {
  readonly name: string;
  readonly ciphertext: Uint8Array;
  readonly offset: number;
  readonly ksn?: string | undefined;
}

/** encPAN and C9: the packed card number, checked to be more than random digits. */
export function secondaryPan(cipher: SecondaryCipher): EncryptedField {
  return secondaryField(cipher, (plain) => {
    const pan = readFilledDigits(plain)?.text ?? '';
    if (!isPan(pan) || !hasCheckDigit(pan)) throw notCardData(cipher.name, 'no card number');
    return {pan};
  });
}

/** encTrack2Eq: a track 2 equivalent with padding. */
export function secondaryTrack2(cipher: SecondaryCipher): EncryptedField {
  return secondaryField(cipher, (plain) => {
    const evidence = new Evidence();
    const track2equivalent = readFilledTrack2Equivalent(plain, evidence);
    if (!track2equivalent) throw notCardData(cipher.name, 'no track 2 equivalent');
    evidence.assertEnough(cipher.name, 'Its fill');
    return {track2equivalent};
  });
}

function secondaryField(
  cipher: SecondaryCipher,
  open: (plain: Uint8Array) => CardContent,
): EncryptedField {
  return {setting: CARD_DATA_SETTING, open, ...cipher};
}
