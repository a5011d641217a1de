import {bytesFromHex, bytesFromLatin1} from '../../../platform/bytes.js';
import type {CardImage} from '../../writing.js';

/** Hex digits as bytes, `F`-filled to a whole byte, as in tags 57 and 5A (EMV Book 3, 4.3). */
export function packDigits(digits: string): Uint8Array {
  return bytesFromHex(digits.length % 2 === 0 ? digits : `${digits}F`) ?? new Uint8Array();
}

/** The track 2 equivalent (tag 57) of a card as upper-case hex digits, without filler. */
export function track2EquivalentOf(card: CardImage): string {
  const track2 = card.track2 ?? `;${card.pan}=${card.expiry}${card.serviceCode}?`;
  return track2.slice(1, -1).replaceAll('=', 'D');
}

/** The value of a chip data object that depends on the card; undefined for any other tag. */
export function chipValue(tag: string, card: CardImage): Uint8Array | undefined {
  return VALUES[tag]?.(card);
}

const VALUES: Readonly<Record<string, (card: CardImage) => Uint8Array>> = {
  '57': (card) => packDigits(track2EquivalentOf(card)),
  '5A': ({pan}) => packDigits(pan),
  '5F20': ({name = ''}) => bytesFromLatin1(name),
  '5F24': ({expiry}) => packDigits(`${expiry}${lastDay(expiry)}`),
  '5F30': ({serviceCode}) => packDigits(`0${serviceCode}`),
  '4F': ({pan}) => applicationId(pan),
  '84': ({pan}) => applicationId(pan),
};

/** The expiry day of a card with this YYMM. */
function lastDay(expiry: string): string {
  const month = Number(expiry.slice(2));
  if (month === 2) return '28';
  return [4, 6, 9, 11].includes(month) ? '30' : '31';
}

/** Application identifiers by PAN prefix (EMVCo, registered application providers). */
const APPLICATIONS: readonly (readonly [prefix: RegExp, aid: string])[] = [
  [/^4/, 'A0000000031010'],
  [/^(?:5[1-5]|2[2-7])/, 'A0000000041010'],
  [/^3[47]/, 'A000000025010402'],
  [/^(?:6011|64|65|30|36|38)/, 'A0000001523010'],
  [/^35/, 'A0000000651010'],
  [/^62/, 'A000000333010101'],
];
const MAESTRO = 'A0000000043060';

function applicationId(pan: string): Uint8Array {
  const known = APPLICATIONS.find(([prefix]) => prefix.test(pan));
  return packDigits(known?.[1] ?? MAESTRO);
}
