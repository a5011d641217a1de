import type {CardContent} from './card-content.js';
import {notCardData} from './evidence.js';
import {sourcesOf} from './extract.js';
import {TRACK_NAMES} from './lrc.js';
import {parseTrack1, parseTrack2, trackDataOf} from './track-data.js';

/**
 * The characters allowed in text members of a response (EMV Book 4, Annex B;
 * docs/contract.md#text-members).
 */
const MEMBER_FORMS = {
  expiry: {form: /^\d{4}$/, expected: '4 digits'},
  serviceCode: {form: /^\d{3}$/, expected: '3 digits'},
  discretionary: {form: /^[ -~]*$/, expected: 'printable characters'},
  name: {form: /^[ -$&->@-\]_a-z]{0,26}$/, expected: '26 characters of track 1 at most'},
  cvv: {form: /^\d{3,4}$/, expected: '3 or 4 digits'},
  street: {form: /^[ -~]*$/, expected: 'printable characters'},
  zip: {form: /^[\dA-Za-z -]*$/, expected: 'digits, letters, spaces and hyphens'},
} as const;

export type TextMember = keyof typeof MEMBER_FORMS;

/** And in text that is not in a response but must be valid all the same. */
const ALL_FORMS = {
  ...MEMBER_FORMS,
  extendedName: {form: /^[ -$&->@-\]_a-z]{0,45}$/, expected: '45 characters of track 1 at most'},
} as const;

export type CheckedText = keyof typeof ALL_FORMS;

/** Throws 2601 if `text` is not valid for this member. */
export function assertText(field: string, member: CheckedText, text: string): void {
  const {form, expected} = ALL_FORMS[member];
  if (!form.test(text)) throw notCardData(field, `${member}: expected ${expected}`);
}

/**
 * The last check of every response, whichever reader produced it: text members contain only
 * characters of their alphabet, and if a card is found, every track has a card number. Throws 2601.
 */
export function assertReadable(content: CardContent): void {
  // Each by its name: computed names would make this slow.
  const {expiry, serviceCode, discretionary, name, cvv, street, zip} = content;
  assertMember('expiry', expiry);
  assertMember('serviceCode', serviceCode);
  assertMember('discretionary', discretionary);
  assertMember('name', name);
  assertMember('cvv', cvv);
  assertMember('street', street);
  assertMember('zip', zip);
  const {track1, track2, track3} = content;
  const unread = track1 && !trackDataOf(1, track1) ? 1 : track2 && !trackDataOf(2, track2) ? 2 : 0;
  const number = track3 && (parseTrack1(track3.text) ?? parseTrack2(track3.text))?.pan;
  if (number !== undefined && sourcesOf(content).some(({pan}) => number === pan))
    throw notCardData(TRACK_NAMES[3], 'it is a track 1 or 2');
  if (unread === 0 || sourcesOf(content).length === 0) return;
  throw notCardData(TRACK_NAMES[unread], 'no card number in its place, but there is one beside it');
}

function assertMember(member: TextMember, text: string | undefined): void {
  if (text !== undefined) assertText('card data', member, text);
}
