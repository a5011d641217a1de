import {PaylensError} from '../../../../contract/paylens-error.js';
import {latin1Of} from '../../../../platform/bytes.js';
import {isClearTrack} from '../../../card/is-clear-card.js';
import type {TrackNumber} from '../../../card/lrc.js';
import type {MaskedPan} from '../../../card/masked-pans.js';
import {assertBlocks, blockSizeOf} from '../../../cipher/block-cipher.js';
import {schemeOf} from '../../../dukpt/ksn.js';
import {hexValue} from '../../../forms/payload-bytes.js';
import type {CipherSetting, EncryptedField, Reading} from '../../../reading.js';
import {tdesSetting} from '../settings.js';
import {
  assertSameCvv,
  type Kind,
  maskedCopies,
  type TrackContext,
  trackOpener,
} from './open-track.js';
import {BIT, hasBit, STATUS_BITS} from './status.js';
import {NO_FIELD, type TextField} from './string-layout.js';

/** An encrypted track as a form sent it; without bytes: none. */
export interface CipherTrack {
  readonly number: TrackNumber;
  readonly bytes: Uint8Array;
  /** Offset in units of the trace. */
  readonly offset: number;
  /** Length of the plaintext, if the form states it. */
  readonly length?: number;
}

/** The data of a swipe or a keyed entry, common to all forms. */
export interface Swipe {
  readonly form: string;
  readonly tracks: readonly CipherTrack[];
  /**
   * The masked tracks, concatenated. Track 3 is left out where it has a field of its own: it may
   * look like track 2.
   */
  readonly masked: string;
  readonly ksn: string | undefined;
  readonly serial: string | undefined;
  readonly status?: number | undefined;
  /** As the form states; absent: by the status. */
  readonly setting?: CipherSetting | undefined;
  /** Stated by the form; absent: by the format letter of track 1. */
  readonly kind?: Kind | undefined;
  readonly doubt?: PaylensError | undefined;
}

/** The tracks of a text, in hex. Throws 2100 if one is not hex, 2102 on half a byte. */
export function textTracks(find: (number: TrackNumber) => TextField | undefined): CipherTrack[] {
  return ([1, 2, 3] as const).map((number) => {
    const {text, offset} = find(number) ?? NO_FIELD;
    const where = `track ${number} at character ${offset}`;
    return {number, offset, bytes: hexValue(text, where, 'expected hex')};
  });
}

/**
 * The reading of a swipe, whichever form it had. Throws 2100 if no track was read, 2102 if one is
 * not whole blocks.
 */
export function swipeReading(swipe: Swipe): Reading {
  const {form, masked, serial, doubt} = swipe;
  const copies = maskedCopies(masked);
  const refusal = clearRefusal(swipe);
  return {
    form,
    mode: ({keyed}) => (keyed ? 'keyed' : 'swiped'),
    ...(serial ? {serial} : {}),
    candidates: refusal ? [] : candidatesOf(swipe, copies),
    masked: copies,
    agree: assertSameCvv,
    ...(refusal ? {refusal} : {}),
    ...(doubt ? {doubt} : {}),
  };
}

/** Without keys a reader sends the tracks themselves, as hex. */
function clearRefusal({tracks, status, masked}: Swipe): PaylensError | undefined {
  const clear = tracks.find(({bytes}) => isClearTrack(latin1Of(bytes.subarray(0, 40))));
  if (clear) {
    const where = `track ${clear.number} at ${clear.offset}`;
    return new PaylensError(2110, `${where} is in cleartext: the reader does not encrypt`);
  }
  const encrypts = hasBit(status, BIT.injected) && hasBit(status, BIT.enabled);
  const isSent = tracks.some(({bytes}) => bytes.length > 0);
  if (isSent || status === undefined || encrypts || !isClearTrack(masked)) return undefined;
  return new PaylensError(2110, 'the reader does not encrypt, and no track is encrypted');
}

function candidatesOf(swipe: Swipe, copies: readonly MaskedPan[]): EncryptedField[][] {
  if (!swipe.tracks.some((track) => isTrackRead(track, swipe))) throw noTrack(swipe);
  const kinds = kindsOf(swipe);
  const open = {mayBeKeyed: kinds.length > 1};
  return settingsOf(swipe).flatMap((setting) =>
    kinds.map((kind) => swipeFields(Object.assign({}, swipe, open, {setting, kind}), copies)),
  );
}

/** The tracks that were read, as fields. Throws 2102 if one is not whole blocks. */
export function swipeFields(
  swipe: Pick<Swipe, 'tracks' | 'ksn' | 'setting' | 'kind'> & Pick<TrackContext, 'mayBeKeyed'>,
  copies: readonly MaskedPan[],
): EncryptedField[] {
  const {ksn, setting = tdesSetting('data'), kind} = swipe;
  const tracks = swipe.tracks.filter((track) => isTrackRead(track, swipe));
  const hasSecond = tracks.some(({number}) => number === 2);
  const mayBeKeyed = swipe.mayBeKeyed === true && !tracks.some(({number}) => number === 1);
  return tracks.map(({number, bytes, offset, length}) => {
    const name = `track ${number}`;
    assertBlocks(`${name} at ${offset}`, bytes, blockSizeOf(setting.algorithm));
    const sent = {number, copies, length, isSecond: number === 1 && hasSecond, mayBeKeyed};
    return {name, offset, ciphertext: bytes, ksn, setting, open: trackOpener(sent, kind)};
  });
}

/** A track that could not be decoded is one block of ciphertext. */
function isTrackRead({bytes}: CipherTrack, {ksn}: Pick<Swipe, 'ksn'>): boolean {
  return bytes.length > blockSizeOf(ksn ? schemeOf(ksn) : 'tdes');
}

/** The variant that the status states, then the other: both occur under one status. */
function settingsOf({setting, status}: Swipe): CipherSetting[] {
  if (setting) return [setting];
  const both = [tdesSetting('pin'), tdesSetting('data')];
  return hasBit(status, BIT.dataVariant) ? both.reverse() : both;
}

function kindsOf({kind, masked}: Swipe): Kind[] {
  if (kind) return [kind];
  const [, letter] = /%([A-Z])\d/.exec(masked) ?? [];
  if (letter === undefined) return ['swiped', 'keyed'];
  return [letter === 'M' ? 'keyed' : 'swiped'];
}

/** The error (2100) of a read without a track: what its status says, if anything. */
function noTrack({status, masked}: Swipe): PaylensError {
  const bit = [BIT.exhausted, BIT.expired].find((one) => hasBit(status, one));
  if (bit !== undefined) {
    return new PaylensError(2100, `no track: status bit ${bit}, ${STATUS_BITS[bit]}`);
  }
  const failed = /[%;+#&@]E\?/.test(masked) ? ': the reader could not decode the card' : '';
  return new PaylensError(2100, `no encrypted track${failed}`);
}
