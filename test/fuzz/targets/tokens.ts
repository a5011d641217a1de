import type {TerminalType} from '../../../src/engine/families/registry.js';

/** Words of any format. */
const USUAL = ['=', '^', '%B', ';', '?', 'DFEE12', 'FFEE12', 'DFEF4D', 'FF8105', '5669564F'];

const DSPREAD = ['C0', 'C1', 'C2', 'C407', 'C708', 'D010', '7082', 'formatID: 30', 'trackksn', ','];
const FORWARDED = ['"track1":', '"track2":', '"ksn":', '"poiType":', '"KSN"', 'D', '0A', 'F'];

/** Words of one terminal's formats: what random changes do not come upon. */
const OWN: Readonly<Partial<Record<TerminalType, readonly string[]>>> = {
  magtek: [
    '|',
    '~',
    'AA0081',
    'F9',
    'FA',
    'F8',
    'FC',
    'DFDF54',
    'DFDF56',
    'DFDF57',
    'DFDF59',
  ].concat(
    ['DFDF58', 'FF42', 'DFDFDF37', 'F4', 'DFDF50', 'M001|', '0~IPAD', '0600', '0000', '%E?', ';E?'],
    ['Track1.Encrypted=', 'KSN=', 'FD', 'FE'],
  ),
  ifsf: ['de127', '"127":', 'DE-53: ', 'ksn', 'iv', '230025', '020010', '0E0004', '80', 'D', '\n'],
  nexo: [
    '<Rcpt>',
    '</Rcpt>',
    '<KEK>',
    '<NcrptdData>',
    'DKP9',
    'DKPT',
    'DA12',
    'E3DC',
    'EA2C',
  ].concat(
    ['<!DOCTYPE a>', '<![CDATA[', ']]>', '&#x41;', '&lt;', ' xmlns:a="b"', '<a:', '/>', 'Rspn'],
    ['"EnvelopedData":', '"Recipient":[', '"encryptedData":', 'DUKPT2009', '"p2pe":', 'NULG'],
  ),
  dspread: DSPREAD,
  wisepad: DSPREAD,
  newland: FORWARDED,
  bbpos: FORWARDED,
  poynt: [...FORWARDED, '"0x57":', '"0x1F8102":', '"track2data":', '"card":{'],
  spire: [...FORWARDED, 'thor-posmate-chip', '"dataEncryptionParams":{', 'pkcs'],
  abecs: [
    '"SPE_MTHDDAT":"51"',
    '"SPE_OPNDIG":"8"',
    '"PP_TRACK2":',
    '"PP_TRK2INC":',
    '"PP_KSN":',
  ].concat(
    ['47544B303030', '00030002', '00080001', '8042', '8044', '8045', '8048', '804A0', '"trilha2":'],
    ['"maskedPan":', '3583272001672245=', 'B1CCE9197C5C6E3FF^', 'A/B^2512101', 'E', 'FFF', '\n'],
  ),
};

/** The words that a fuzzer puts into payloads of a terminal. */
export function tokensOf(type: TerminalType): readonly string[] {
  return [...USUAL, ...(OWN[type] ?? [])];
}
