import {
  COUNTRIES,
  CURRENCIES,
  ENTRY_MODES,
  RESPONSE_CODES,
  SCHEMES,
  SERVICE_CODE,
  TRANSACTION_TYPES,
} from './iso-codes.js';

/** For each byte the meanings of its bits from bit 8 down; a dash, or none: reserved. */
export type BitTable = readonly string[];

/** A part of a value whose meaning a table has. */
export interface CodeField {
  readonly name: string;
  /** First byte, from 0, and number of bytes; absent: 1. */
  readonly at: number;
  readonly size?: number;
  /** The bits of the first byte that count. */
  readonly mask?: number;
  /** Entries of code (hex digits, or text) and meaning; absent: a number. */
  readonly codes?: string;
  /** The table has the usual codes only: what is not in it is not reserved. */
  readonly isOpen?: true;
  /** A bit of the first byte that adds to the meaning. */
  readonly flag?: {readonly bit: number; readonly words: string};
}

/** How the value of a tag is read. Entries are separated by semicolons or line feeds. */
interface ValueLayout {
  /** Number of bytes, or the least and the most; absent: as many as `bits` has. */
  readonly size?: readonly number[];
  /** The first byte that the value must have. */
  readonly begins?: number;
  /** RIDs of the schemes that give the tag this meaning; absent: all. */
  readonly schemes?: readonly string[];
  readonly bits?: BitTable;
  readonly fields?: readonly CodeField[];
  /** What is repeated after the least size to the end of the value. */
  readonly items?: {
    readonly name: string;
    readonly size: number;
    readonly fields: readonly CodeField[];
  };
}

/** EMV Book 3, Annex C5. */
const TVR: BitTable = [
  `offline data authentication was not performed; SDA failed; ICC data missing
    card appears on the terminal exception file; DDA failed; CDA failed; SDA selected`,
  `card and terminal have different application versions; expired application
    application not yet effective; requested service not allowed for the card product; new card`,
  `cardholder verification was not successful; unrecognised CVM; PIN try limit exceeded
    PIN entry required, PIN pad absent or not working
    PIN entry required, PIN pad present, PIN not entered; online PIN entered`,
  `transaction exceeds the floor limit; lower consecutive offline limit exceeded
    upper consecutive offline limit exceeded; selected at random for online processing
    merchant forced the transaction online`,
  `default TDOL used; issuer authentication failed
    script processing failed before the final GENERATE AC
    script processing failed after the final GENERATE AC`,
];

/** EMV Book 3, Annex C6. */
const TSI: BitTable = [
  `offline data authentication was performed; cardholder verification was performed
    card risk management was performed; issuer authentication was performed
    terminal risk management was performed; script processing was performed`,
  '',
];

/** EMV Book 3, Annex C1. */
const AIP: BitTable = [
  `-; SDA supported; DDA supported; cardholder verification supported
    terminal risk management to be performed; issuer authentication supported; -; CDA supported`,
  '',
];

/** EMV Book 3, Annex C2. */
const APPLICATION_USAGE: BitTable = [
  `valid for domestic cash transactions; valid for international cash transactions
    valid for domestic goods; valid for international goods; valid for domestic services
    valid for international services; valid at ATMs; valid at terminals other than ATMs`,
  'domestic cashback allowed; international cashback allowed',
];

/** EMV Book 4, Annex A2. */
const TERMINAL_CAPABILITIES: BitTable = [
  'manual key entry; magnetic stripe; IC with contacts',
  `plaintext PIN for ICC verification; enciphered PIN for online verification
    signature on paper; enciphered PIN for offline verification; no CVM required`,
  'SDA; DDA; card capture; -; CDA',
];

/** EMV Book 4, Annex A3. The code tables are parts of ISO/IEC 8859. */
const ADDITIONAL_CAPABILITIES: BitTable = [
  'cash; goods; services; cashback; inquiry; transfer; payment; administrative transactions',
  'cash deposit',
  'numeric keys; alphabetic and special keys; command keys; function keys',
  `print for the attendant; print for the cardholder; display for the attendant
    display for the cardholder; -; -; code table 10; code table 9`,
  `code table 8; code table 7; code table 6; code table 5; code table 4; code table 3
    code table 2; code table 1`,
];

/** EMV Contactless Book A, 5.7; byte 3 bit 4 Book C-6, Annex D; byte 4 Book C-7, 3.2.2. */
const TTQ: BitTable = [
  `magstripe mode supported; -; EMV mode supported; EMV contact chip supported
    offline-only reader; online PIN supported; signature supported
    offline data authentication for online authorisations supported`,
  'online cryptogram required; CVM required; offline PIN supported (contact chip)',
  `issuer update processing supported; consumer device CVM supported; -; -
    consumer device CVM required`,
  'fDDA version 1.0 supported',
];

/** EMV Contactless Book C-3, Annex A.2, and Book C-7, Annex A. */
const CTQ: BitTable = [
  `online PIN required; signature required
    go online if offline data authentication fails and the reader can
    switch interface if offline data authentication fails and the reader supports the contact chip
    go online if the application has expired; switch interface for cash
    switch interface for cashback; not valid for contactless ATM transactions`,
  'consumer device CVM performed; card supports issuer update processing',
];

/** EMV Book 3, 6.5.5.4. The meaning of bits 6 and 5 is the payment system's. */
const CRYPTOGRAM_INFORMATION: readonly CodeField[] = [
  {
    name: 'cryptogram',
    at: 0,
    mask: 0xc0,
    codes: '00 AAC: declined; 40 TC: approved offline; 80 ARQC: online authorisation requested',
  },
  {name: 'advice', at: 0, mask: 0x08, codes: '00 not required; 08 required'},
  {
    name: 'reason',
    at: 0,
    mask: 0x07,
    codes: `00 no information given; 01 service not allowed; 02 PIN try limit exceeded
      03 issuer authentication failed`,
  },
];

/** EMV Book 3, Annex C3: the method, and when it applies. */
const CVM_RULE: readonly CodeField[] = [
  {
    name: 'CVM',
    at: 0,
    mask: 0x3f,
    flag: {bit: 0x40, words: ', if it fails the next one'},
    codes: `00 fail CVM processing
      01 plaintext PIN verified by the card
      02 enciphered PIN verified online
      03 plaintext PIN verified by the card, and signature
      04 enciphered PIN verified by the card
      05 enciphered PIN verified by the card, and signature
      06 face verified by the card; 07 face verified online
      08 finger verified by the card; 09 finger verified online
      0A palm verified by the card; 0B palm verified online
      0C iris verified by the card; 0D iris verified online
      0E voice verified by the card; 0F voice verified online
      1E signature on paper
      1F no CVM required
      3F no CVM performed`,
  },
  {
    name: 'condition',
    at: 1,
    codes: `00 always
      01 if unattended cash
      02 if neither cash nor purchase with cashback
      03 if the terminal supports the CVM
      04 if manual cash
      05 if purchase with cashback
      06 if in the application currency and under amount X
      07 if in the application currency and over amount X
      08 if in the application currency and under amount Y
      09 if in the application currency and over amount Y`,
  },
];

/** EMV Book 4, Annex A4. */
const CVM_RESULTS: readonly CodeField[] = [
  ...CVM_RULE,
  {name: 'result', at: 2, codes: '00 unknown; 01 failed; 02 successful'},
];

/** EMV Book 4, Annex A1: who controls the terminal, and its surroundings. */
const TERMINAL_TYPE: readonly CodeField[] = [
  {
    name: 'terminal',
    at: 0,
    codes: `11 financial institution, attended, online only
      12 financial institution, attended, offline with online capability
      13 financial institution, attended, offline only
      14 financial institution, unattended, online only
      15 financial institution, unattended, offline with online capability
      16 financial institution, unattended, offline only
      21 merchant, attended, online only; 22 merchant, attended, offline with online capability
      23 merchant, attended, offline only; 24 merchant, unattended, online only
      25 merchant, unattended, offline with online capability
      26 merchant, unattended, offline only; 34 cardholder, unattended, online only
      35 cardholder, unattended, offline with online capability
      36 cardholder, unattended, offline only`,
  },
];

/** EMV Book 3, Annex C9: the format of CCD, which byte 1 shows; others are not public. */
const CCD_ISSUER_DATA: readonly CodeField[] = [
  {name: 'bytes of the payment system', at: 0},
  {name: 'format', at: 1, mask: 0xf0, codes: 'A0 CCD'},
  {name: 'cryptogram version', at: 1, mask: 0x0f, codes: '05 TDES; 06 AES'},
  {name: 'derivation key index', at: 2},
];

const CURRENCY: readonly CodeField[] = [
  {name: 'currency', at: 0, size: 2, codes: CURRENCIES, isOpen: true},
];
const COUNTRY: readonly CodeField[] = [
  {name: 'country', at: 0, size: 2, codes: COUNTRIES, isOpen: true},
];
const AID = {
  size: [5, 16],
  fields: [{name: 'scheme', at: 0, size: 5, codes: SCHEMES, isOpen: true}],
} as const;

/** How the value of each tag is read (upper-case hex). Others are shown as bytes. */
export const EMV_VALUES: Readonly<Record<string, ValueLayout>> = {
  '4F': AID,
  '5F28': {size: [2], fields: COUNTRY},
  '5F2A': {size: [2], fields: CURRENCY},
  '5F30': {size: [2], fields: SERVICE_CODE},
  '82': {bits: AIP},
  '84': AID,
  '8A': {
    size: [2],
    fields: [{name: 'response', at: 0, size: 2, codes: RESPONSE_CODES, isOpen: true}],
  },
  '8E': {
    size: [8, 252],
    fields: [
      {name: 'amount X', at: 0, size: 4},
      {name: 'amount Y', at: 4, size: 4},
    ],
    items: {name: 'rule', size: 2, fields: CVM_RULE},
  },
  '95': {bits: TVR},
  '9B': {bits: TSI},
  '9C': {size: [1], fields: [{name: 'transaction', at: 0, codes: TRANSACTION_TYPES, isOpen: true}]},
  '9F06': AID,
  '9F07': {bits: APPLICATION_USAGE},
  '9F10': {size: [32], begins: 0x0f, fields: CCD_ISSUER_DATA},
  '9F1A': {size: [2], fields: COUNTRY},
  '9F27': {size: [1], fields: CRYPTOGRAM_INFORMATION},
  '9F33': {bits: TERMINAL_CAPABILITIES},
  '9F34': {size: [3], fields: CVM_RESULTS},
  '9F35': {size: [1], fields: TERMINAL_TYPE},
  '9F39': {size: [1], fields: [{name: 'entry mode', at: 0, codes: ENTRY_MODES, isOpen: true}]},
  '9F3C': {size: [2], fields: CURRENCY},
  '9F40': {bits: ADDITIONAL_CAPABILITIES},
  '9F42': {size: [2], fields: CURRENCY},
  '9F66': {bits: TTQ},
  '9F6C': {bits: CTQ, schemes: ['A000000003', 'A000000333']},
};
