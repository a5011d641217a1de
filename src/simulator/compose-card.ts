import {PaylensError} from '../contract/paylens-error.js';
import type {Mode} from '../contract/process-payload.js';
import type {CardImage} from '../engine/writing.js';

/** The data of a card; tracks that are given are used unchanged. */
export interface CardDetails {
  /** 12 to 19 digits. */
  readonly pan: string;
  /** YYMM. */
  readonly expiry: string;
  readonly serviceCode: string;
  /** `SURNAME/FIRST`, at most 26 characters. */
  readonly name: string;
  /** Digits; absent: as many zeros as a track 2 has room for, after a PIN verification value. */
  readonly discretionary?: string;
  readonly cvv?: string;
  readonly track1?: string;
  readonly track2?: string;
  readonly track3?: string;
}

/** Characters of a track with its LRC (ISO/IEC 7811-6:2018, 7813:2006, clause 5). */
const MAX_TRACK_CHARS = {track1: 79, track2: 40, track3: 107} as const;

/**
 * The image of a card, with its tracks composed according to ISO/IEC 7813: canonical text without
 * LRC. In EMV mode a name that track 1 cannot contain leaves the card without a track 1, as is
 * possible for a chip.
 *
 * Throws 9001 if a member is malformed, or a track would contain a character outside its alphabet
 * (track 1: 20 to 5F; tracks 2 and 3: digits) or would be too long.
 */
export function composeCard(card: CardDetails, mode: Mode): CardImage {
  assertDetails(card);
  const withTrack1 = mode !== 'emv' || TRACK_1_NAME.test(card.name);
  const image: CardImage = {
    pan: card.pan,
    expiry: card.expiry,
    serviceCode: card.serviceCode,
    name: card.name,
    ...(card.cvv === undefined ? {} : {cvv: card.cvv}),
    ...(withTrack1 ? {track1: card.track1 ?? composeTrack1(card)} : {}),
    track2: card.track2 ?? composeTrack2(card),
    ...(card.track3 === undefined ? {} : {track3: card.track3}),
  };
  assertTrack(
    'track1',
    image.track1,
    /^%[A-Z][ -_]+\?$/,
    'characters from 20 to 5F: no lower case',
  );
  assertTrack('track2', image.track2, /^;[0-9:;<=>]+\?$/, 'digits and = only');
  assertTrack('track3', image.track3, /^[;+][0-9:;<=>]+\?$/, 'digits and = only');
  return image;
}

const TRACK_1_NAME = /^[ -$&->@-\]_]{1,26}$/;

const FORMS = {
  pan: {form: /^\d{12,19}$/, expected: '12 to 19 digits'},
  expiry: {form: /^\d{4}$/, expected: 'YYMM'},
  serviceCode: {form: /^\d{3}$/, expected: '3 digits'},
  name: {
    form: /^[ -$&->@-\]_a-z]{1,26}$/,
    expected: '1 to 26 letters, digits and characters of track 1',
  },
  discretionary: {form: /^\d*$/, expected: 'digits'},
  cvv: {form: /^\d{3,4}$/, expected: '3 or 4 digits'},
} as const;

function assertDetails(card: CardDetails): void {
  for (const [member, {form, expected}] of Object.entries(FORMS)) {
    const value = card[member as keyof typeof FORMS];
    if (value !== undefined && !form.test(value)) throw refusal(member, expected);
  }
}

function composeTrack1({pan, name, expiry, serviceCode, discretionary}: CardDetails): string {
  if (!TRACK_1_NAME.test(name)) {
    throw refusal('name', "characters of track 1's alphabet: 20 to 5F without %, ^ and ?");
  }
  const head = `%B${pan}^${name}^${expiry}${serviceCode}`;
  return `${head}${discretionary ?? filler(MAX_TRACK_CHARS.track1, head)}?`;
}

function composeTrack2({pan, expiry, serviceCode, discretionary}: CardDetails): string {
  const head = `;${pan}=${expiry}${serviceCode}`;
  return `${head}${discretionary ?? filler(MAX_TRACK_CHARS.track2, head)}?`;
}

/** A PIN verification value, then zeros up to the room that end sentinel and LRC leave. */
function filler(longest: number, head: string): string {
  return '1234567'.padEnd(longest - 2 - head.length, '0').slice(0, longest - 2 - head.length);
}

function assertTrack(
  track: keyof typeof MAX_TRACK_CHARS,
  text: string | undefined,
  form: RegExp,
  expected: string,
): void {
  if (text === undefined) return;
  if (!form.test(text)) throw refusal(track, expected);
  if (text.length < MAX_TRACK_CHARS[track]) return;
  throw refusal(track, `at most ${MAX_TRACK_CHARS[track] - 1} characters, found ${text.length}`);
}

function refusal(member: string, expected: string): PaylensError {
  return new PaylensError(9001, `card, ${member}: expected ${expected}`);
}
