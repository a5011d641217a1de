import type {Sensitivity} from '../../trace.js';
import type {Maker} from './makers.js';

/** A member of the SDK's `decodeData` dictionary. */
export interface DictionaryMember {
  /** In the SDK's spelling. */
  readonly name: string;
  readonly meaning: string;
  /** Whose readers send it; absent: those of both makers. */
  readonly maker?: Maker;
  /** Name in printed `Label: value` lines; absent: it is not printed. */
  readonly label?: string;
  readonly sensitivity?: Sensitivity;
  /** Of DSpread's members: its value is longer than a KSN or a PIN block. */
  readonly isLong?: true;
}

/** The dictionary in printing order (docs/terminals/wisepad.md#swipe). */
const MEMBER_LIST = [
  {
    name: 'formatID',
    label: 'Format ID',
    meaning: 'format: how the tracks are encrypted and packed',
  },
  {name: 'maskedPAN', label: 'Masked PAN', meaning: 'PAN, masked'},
  {name: 'pan', label: 'PAN', meaning: 'PAN, clear', sensitivity: 'card'},
  {name: 'expiryDate', label: 'Expiry Date', meaning: 'expiry, YYMM'},
  {name: 'cardholderName', label: 'Cardholder Name', meaning: 'cardholder name'},
  {name: 'ksn', label: 'KSN', meaning: 'KSN', sensitivity: 'harmless'},
  {name: 'serviceCode', label: 'Service Code', meaning: 'service code'},
  {name: 'track1Length', label: 'Track 1 Length', meaning: 'characters of track 1, LRC included'},
  {name: 'track2Length', label: 'Track 2 Length', meaning: 'characters of track 2, LRC included'},
  {name: 'track3Length', label: 'Track 3 Length', meaning: 'characters of track 3, LRC included'},
  {
    name: 'encTracks',
    label: 'Encrypted Tracks',
    meaning: 'tracks encrypted, one after the other',
    sensitivity: 'opaque',
  },
  {
    name: 'encTrack1',
    label: 'Encrypted Track 1',
    meaning: 'track 1 encrypted',
    sensitivity: 'opaque',
  },
  {
    name: 'encTrack2',
    label: 'Encrypted Track 2',
    meaning: 'track 2 encrypted',
    sensitivity: 'opaque',
  },
  {
    name: 'encTrack3',
    label: 'Encrypted Track 3',
    meaning: 'track 3 encrypted',
    sensitivity: 'opaque',
  },
  {
    name: 'serialNumber',
    maker: 'BBPOS',
    label: 'Serial Number',
    meaning: 'serial number',
    sensitivity: 'harmless',
  },
  {name: 'encPAN', meaning: 'PAN encrypted (keyed entry)', sensitivity: 'opaque'},
  {
    name: 'encCVV',
    meaning: 'CVV encrypted (keyed entry): its plaintext form is unknown',
    sensitivity: 'opaque',
  },
  {name: 'encTrack2Eq', meaning: 'track 2 equivalent encrypted', sensitivity: 'opaque'},
  {name: 'track1', meaning: 'track 1, clear', sensitivity: 'card'},
  {name: 'track2', meaning: 'track 2, clear', sensitivity: 'card'},
  {name: 'track3', meaning: 'track 3, clear', sensitivity: 'card'},
  {name: 'track1Status', meaning: 'track 1 status'},
  {name: 'track2Status', meaning: 'track 2 status'},
  {name: 'track3Status', meaning: 'track 3 status'},
  {name: 'partialTrack', meaning: 'partial track'},
  {name: 'trackEncoding', meaning: 'track encoding'},
  {
    name: 'randomNumber',
    maker: 'BBPOS',
    meaning: 'random number of the terminal',
    sensitivity: 'opaque',
  },
  {name: 'finalMessage', maker: 'BBPOS', meaning: 'final message', sensitivity: 'opaque'},
  {name: 'encWorkingKey', maker: 'BBPOS', meaning: 'working key encrypted', sensitivity: 'opaque'},
  {name: 'mac', meaning: 'MAC', sensitivity: 'opaque'},
  {name: 'bID', maker: 'BBPOS', meaning: 'bID'},
  {name: 'posEntryMode', meaning: 'point-of-service entry mode'},
  {name: 'firmwareID', meaning: 'firmware'},
  {name: 'bootloaderID', meaning: 'boot loader'},
  {name: 'productType', maker: 'BBPOS', meaning: 'product type'},
  {name: 'data', meaning: 'data'},
] as const satisfies readonly DictionaryMember[];

/** The members that DSpread's dictionary has besides those (docs/terminals/dspread.md#swipe). */
const DSPREAD_MEMBERS = (
  [
    {name: 'trackksn', label: 'trackksn', meaning: 'KSN', sensitivity: 'harmless'},
    {name: 'pinKsn', label: 'pinKsn', meaning: 'KSN of the PIN block', sensitivity: 'harmless'},
    {
      name: 'pinBlock',
      label: 'pinBlock',
      meaning: 'PIN block, encrypted',
      sensitivity: 'opaque',
    },
    {
      name: 'trackRandomNumber',
      label: 'trackRandomNumber',
      meaning: 'random number of the tracks',
      sensitivity: 'opaque',
    },
    {
      name: 'pinRandomNumber',
      label: 'pinRandomNumber',
      meaning: 'random number of the PIN block',
      sensitivity: 'opaque',
    },
    {name: 'psamNo', label: 'psamNo', meaning: 'number of the PSAM'},
    {
      name: 'trackblock',
      meaning: 'tracks of a national scheme',
      sensitivity: 'opaque',
      isLong: true,
    },
    {name: 'psamId', meaning: 'number of the PSAM'},
    {name: 'posId', meaning: 'number of the terminal'},
    {name: 'macblock', meaning: 'MAC of a national scheme', sensitivity: 'opaque'},
    {name: 'activateCode', meaning: 'activation code'},
  ] as const satisfies readonly DictionaryMember[]
).map((member) => ({...member, maker: 'DSpread' as const}));

/** A name of the dictionary in the SDK's spelling. */
export type DictionaryMemberName = (typeof MEMBER_LIST | typeof DSPREAD_MEMBERS)[number]['name'];

/** The dictionary by lower-case name; printed labels are first converted to these. */
export const DICTIONARY_MEMBERS: Readonly<Record<string, DictionaryMember>> = Object.fromEntries(
  [...MEMBER_LIST, ...DSPREAD_MEMBERS].map((member) => [member.name.toLowerCase(), member]),
);

/** The members of one maker's dictionary. */
export function membersOfMaker(own: Maker): DictionaryMember[] {
  return Object.values(DICTIONARY_MEMBERS).filter(({maker = own}) => maker === own);
}
