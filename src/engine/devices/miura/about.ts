import {CARD_DATA_SETTING} from '../../reading.js';
import {type About, meanings} from '../about.js';
import {MIURA_TAGS} from './layout.js';

/** Miura Systems terminals. */
export const aboutMiura: About = {
  title: 'Miura Systems terminals',
  summary: 'M006, M007, M010, M020 and Shuttle, which all use MPI: SRED data in a TLV template.',
  evidence: 'verified',
  proof:
    'A swipe and a contactless read with published plaintext. No public read shows an encrypted contact chip or keyed entry: these follow from the tags.',
  format: 'docs/formats/miura.md#miura',
  example: 'miura-sdk-swipe',
  forms: [
    {what: 'hex of the template: E1 (response) or E4 (going online)', evidence: 'verified'},
    {what: 'the same tags without a template', evidence: 'verified'},
    {what: 'link frames (NAD, PCB, LEN, LRC) around it, one or several', evidence: 'seen'},
  ],
  ksn: 'DFAE03 after each DFAE02; without one, `ksn` of the request',
  iv: 'zero; CBC chaining restarts at each DFAE02',
  serial: 'tag 9F1E, unless it is a factory placeholder; else `deviceSerial`, else the KSN',
  keys: [{what: 'SRED data, DFAE02', setting: CARD_DATA_SETTING, evidence: 'verified'}],
  tables: [meanings("Miura's own tags", 'tag', MIURA_TAGS)],
  notes: [
    {what: 'Swipe: 5F21, 5F22 and 5F23 inside; only 5F22 ends in an LRC.', evidence: 'verified'},
    {
      what: 'Contactless: tag 57 alone. One message may contain two blobs of the same content under two KSNs; each decrypts, one is returned.',
      evidence: 'verified',
    },
    {what: 'Contact chip: tags 57, 5A and other card data.', evidence: 'inferred'},
    {what: 'Keyed entry: 5A without 57 and without 9F39.', evidence: 'inferred'},
    {what: 'DFAE57, DFAE5A and DFAE22 prove the key.', evidence: 'verified'},
  ],
  refused: [
    {
      what: 'cleartext 5F21, 5F22, 57 or 5A and no DFAE02: a terminal without SRED keys',
      code: 2110,
    },
    {what: 'no card data; a status word other than 9000', code: 2100},
    {what: 'LRC of a link frame', code: 2101},
    {what: 'shorter than a length indicates', code: 2102},
    {what: 'no DFAE03 and no `ksn` in the request', code: 2400},
    {what: 'a masked copy that contradicts the plaintext', code: 2601},
  ],
  trials: [
    {what: 'a swipe', mode: 'swiped'},
    {what: 'a chip read', mode: 'emv', card: 'amex'},
    {what: 'keyed entry', mode: 'keyed'},
  ],
  sources: [
    'https://developers.bluefin.com/decryptx/docs/miura',
    'https://developers.bluefin.com/decryptx/docs/miura-shuttle',
    'https://cert-parser.decryptx.com/payloads/miura.html',
    'https://github.com/certify-global/OnepayMiura',
    'https://docs.fiserv.dev/public/docs/soap-api-emv-appendix',
  ],
};
