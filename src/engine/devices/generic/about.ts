import {CARD_DATA_SETTING} from '../../reading.js';
import {type About, meanings} from '../about.js';
import {MEMBERS, PADDINGS, VARIANTS} from './layout.js';

/** A list of values described by the caller. */
export const aboutGeneric: About = {
  title: 'any terminal, described by the caller',
  summary:
    'Encrypted values with their KSN, and how they were encrypted: for terminals without a type of their own, and for bare ciphertext.',
  evidence: 'documented',
  proof:
    'The long form is that of a documented public decrypt call. The short forms are defined by this project. The decryption itself is verified on published blocks and tracks.',
  format: 'docs/formats/generic.md#generic',
  example: 'generic-two-tracks',
  forms: [
    {
      what: 'JSON, short form: the members below beside each other',
      evidence: 'inferred',
    },
    {
      what: 'JSON, long form: `decryptionParameters` and a list `encrypted` of `{name, value}`, base64 unless `encoding` is hex',
      evidence: 'documented',
    },
    {
      what: '`key=value` text with the names of the short form, separated by line breaks, `;`, `|` or `&`',
      evidence: 'inferred',
    },
  ],
  ksn: 'member `ksn`, else `ksn` of the request',
  iv: 'member `iv`, else `iv` of the request, else zero; CBC chaining restarts at each value',
  serial: 'member `serial`; else `deviceSerial`, else the KSN',
  keys: [
    {what: 'unless members specify otherwise', setting: CARD_DATA_SETTING, evidence: 'verified'},
    {
      what: 'with `"variant": "pin"`',
      setting: {...CARD_DATA_SETTING, variant: 'pin', selfEncrypted: false},
      evidence: 'verified',
    },
    {
      what: 'with `"mode": "ecb"`',
      setting: {...CARD_DATA_SETTING, mode: 'ecb'},
      evidence: 'documented',
    },
  ],
  tables: [
    meanings('Members, in any case', 'member', MEMBERS),
    {
      title: 'Values of `variant`',
      head: ['value', 'working key', 'self-encrypted'],
      rows: Object.entries(VARIANTS).map(([name, {variant, selfEncrypted}]) => [
        name,
        variant,
        selfEncrypted ? 'yes' : 'no',
      ]),
    },
    {
      title: 'Values of `padding`',
      head: ['value', 'padding of the last block'],
      rows: Object.entries(PADDINGS).map(([name, fills]) => [name, fills.join(', ') || 'nothing']),
    },
  ],
  notes: [
    {
      what: '`track1`, `track2` and `track3` name what a value contains; the content of any other name is detected from its plaintext: a track as text or packed, or a TLV list.',
      evidence: 'inferred',
    },
    {what: 'All values must decrypt, and no track may appear twice.', evidence: 'inferred'},
    {
      what: 'Values in the response are hex, whatever the encoding of the request.',
      evidence: 'inferred',
    },
  ],
  refused: [
    {what: 'neither JSON nor key=value text; an unknown value of a member', code: 2100},
    {what: 'no value, or more than 100; a track twice', code: 2100},
    {what: 'a value that is not whole cipher blocks', code: 2102},
    {what: 'a value that is cleartext card data', code: 2110},
    {what: 'no KSN anywhere', code: 2400},
    {
      what: 'an IV of another length; a track whose first block cannot be recovered without the IV',
      code: 2602,
    },
  ],
  trials: [
    {what: 'two tracks, short form', mode: 'swiped'},
    {what: 'a TLV list, long form in base64', mode: 'emv', options: {form: 'long'}},
    {
      what: 'text, the PIN variant, an IV',
      mode: 'swiped',
      iv: '0123456789ABCDEF',
      options: {form: 'text', variant: 'pin'},
    },
    {what: 'keyed entry', mode: 'keyed'},
  ],
  sources: [
    'https://developers.bluefin.com/decryptx/docs/decrypt-p2pe-data',
    'https://github.com/voxgig-sdk/bluefin-decryptx-sdk',
    'https://www.mercadopago.com.br/developers/pt/docs/secure-payments/responses',
    'https://rubygems.org/gems/dukpt',
  ],
};
