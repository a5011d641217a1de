import type {CardContent} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {hasCheckDigit, isPan} from '../../card/track-data.js';
import {readFilledDigits, readFilledTrack2Equivalent} from '../../card/track2-equivalent.js';
import {CARD_DATA_SETTING, type EncryptedField} from '../../reading.js';

/** A ciphertext in addition to those that give the card. */
interface Beside {
  readonly name: string;
  readonly ciphertext: Uint8Array;
  readonly offset: number;
  readonly ksn?: string | undefined;
}

/** encPAN and C9: the packed card number, checked to be more than random digits. */
export function panWitness(beside: Beside): EncryptedField {
  return witness(beside, (plain) => {
    const pan = readFilledDigits(plain)?.text ?? '';
    if (!isPan(pan) || !hasCheckDigit(pan)) throw notCardData(beside.name, 'no card number');
    return {pan};
  });
}

/** encTrack2Eq: a track 2 equivalent with padding. */
export function track2Witness(beside: Beside): EncryptedField {
  return witness(beside, (plain) => {
    const evidence = new Evidence();
    const track2equivalent = readFilledTrack2Equivalent(plain, evidence);
    if (!track2equivalent) throw notCardData(beside.name, 'no track 2 equivalent');
    evidence.demand(beside.name, 'Its fill');
    return {track2equivalent};
  });
}

function witness(beside: Beside, open: (plain: Uint8Array) => CardContent): EncryptedField {
  return {...beside, setting: CARD_DATA_SETTING, open};
}
