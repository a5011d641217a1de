import type {Sensitivity} from '../../trace.js';
import type {Maker} from './makers.js';

/** A member of the SDK's `decodeData` dictionary. */
export interface DictionaryMember {
  /** In the SDK's spelling. */
  readonly name: string;
  /** Name in printed `Label: value` lines; empty: it is not printed. */
  readonly label: string;
  readonly meaning: string;
  readonly sensitivity?: Sensitivity | undefined;
  /** The maker whose readers alone send it; absent: those of both. */
  readonly maker?: Maker;
}

type DictionaryRow = readonly [name: string, label: string, meaning: string, kind?: Sensitivity];

/** The members of both makers, in printing order (docs/terminals/wisepad.md#swipe). */
const SHARED_ROWS = [
  ['formatID', 'Format ID', 'format: how the tracks are encrypted and packed'],
  ['maskedPAN', 'Masked PAN', 'PAN, masked'],
  ['pan', 'PAN', 'PAN, clear', 'card'],
  ['expiryDate', 'Expiry Date', 'expiry, YYMM'],
  ['cardholderName', 'Cardholder Name', 'cardholder name'],
  ['ksn', 'KSN', 'KSN', 'harmless'],
  ['serviceCode', 'Service Code', 'service code'],
  ['track1Length', 'Track 1 Length', 'characters of track 1, LRC included'],
  ['track2Length', 'Track 2 Length', 'characters of track 2, LRC included'],
  ['track3Length', 'Track 3 Length', 'characters of track 3, LRC included'],
  ['encTracks', 'Encrypted Tracks', 'tracks encrypted, one after the other', 'opaque'],
  ['encTrack1', 'Encrypted Track 1', 'track 1 encrypted', 'opaque'],
  ['encTrack2', 'Encrypted Track 2', 'track 2 encrypted', 'opaque'],
  ['encTrack3', 'Encrypted Track 3', 'track 3 encrypted', 'opaque'],
  ['encPAN', '', 'PAN encrypted (keyed entry)', 'opaque'],
  ['encCVV', '', 'CVV encrypted (keyed entry): its plaintext form is unknown', 'opaque'],
  ['encTrack2Eq', '', 'track 2 equivalent encrypted', 'opaque'],
  ['track1', '', 'track 1, clear', 'card'],
  ['track2', '', 'track 2, clear', 'card'],
  ['track3', '', 'track 3, clear', 'card'],
  ['track1Status', '', 'track 1 status'],
  ['track2Status', '', 'track 2 status'],
  ['track3Status', '', 'track 3 status'],
  ['partialTrack', '', 'partial track'],
  ['trackEncoding', '', 'track encoding'],
  ['mac', '', 'MAC', 'opaque'],
  ['posEntryMode', '', 'point-of-service entry mode'],
  ['firmwareID', '', 'firmware'],
  ['bootloaderID', '', 'boot loader'],
  ['data', '', 'data'],
] as const satisfies readonly DictionaryRow[];

const BBPOS_ROWS = [
  ['serialNumber', 'Serial Number', 'serial number', 'harmless'],
  ['randomNumber', '', 'random number of the terminal', 'opaque'],
  ['finalMessage', '', 'final message', 'opaque'],
  ['encWorkingKey', '', 'working key encrypted', 'opaque'],
  ['bID', '', 'bID'],
  ['productType', '', 'product type'],
] as const satisfies readonly DictionaryRow[];

/** The members of DSpread alone (docs/terminals/dspread.md#swipe). */
const DSPREAD_ROWS = [
  ['trackksn', 'trackksn', 'KSN', 'harmless'],
  ['pinKsn', 'pinKsn', 'KSN of the PIN block', 'harmless'],
  ['pinBlock', 'pinBlock', 'PIN block, encrypted', 'opaque'],
  ['trackRandomNumber', 'trackRandomNumber', 'random number of the tracks', 'opaque'],
  ['pinRandomNumber', 'pinRandomNumber', 'random number of the PIN block', 'opaque'],
  ['psamNo', 'psamNo', 'number of the PSAM'],
  ['trackblock', '', 'tracks of a national scheme', 'opaque'],
  ['psamId', '', 'number of the PSAM'],
  ['posId', '', 'number of the terminal'],
  ['macblock', '', 'MAC of a national scheme', 'opaque'],
  ['activateCode', '', 'activation code'],
] as const satisfies readonly DictionaryRow[];

/** A name of the dictionary in the SDK's spelling. */
export type DictionaryMemberName = (
  | typeof SHARED_ROWS
  | typeof BBPOS_ROWS
  | typeof DSPREAD_ROWS
)[number][0];

/** The dictionary by lower-case name; printed labels are first converted to these. */
export const DICTIONARY_MEMBERS: Readonly<Record<string, DictionaryMember>> = Object.fromEntries(
  [
    ...declared(SHARED_ROWS),
    ...declared(BBPOS_ROWS, 'BBPOS'),
    ...declared(DSPREAD_ROWS, 'DSpread'),
  ].map((member) => [member.name.toLowerCase(), member]),
);

function declared(rows: readonly DictionaryRow[], maker?: Maker): DictionaryMember[] {
  return rows.map(([name, label, meaning, sensitivity]) => ({
    ...{name, label, meaning, sensitivity},
    ...(maker ? {maker} : {}),
  }));
}

/** The members of one maker's dictionary. */
export function membersOfMaker(own: Maker): DictionaryMember[] {
  return Object.values(DICTIONARY_MEMBERS).filter(({maker = own}) => maker === own);
}
