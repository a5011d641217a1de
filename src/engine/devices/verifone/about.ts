import {CARD_DATA_SETTING} from '../../reading.js';
import {type About, meanings} from '../about.js';
import {DATA_TYPES, ENCRYPTIONS, STATUSES, VERIFONE_TAGS} from './layout.js';

/** Verifone XPI and VIPA. */
export const aboutVerifone: About = {
  title: 'Verifone terminals (XPI, VIPA)',
  summary:
    'Two families: XPI responses E07 with a base64 blob, VIPA (P200, P400, Ux300, VX) responses with TLV in link frames. Both carry KSN and IV.',
  evidence: 'verified',
  proof:
    'One XPI chip read and ten VIPA reads decrypt under the public test key. No XPI swipe or keyed blob is public: their content is expected to be as in VIPA.',
  format: 'docs/formats/verifone.md#verifone',
  example: 'verifone-xpi-emv-base64',
  forms: [
    {what: 'XPI: the base64 blob alone', evidence: 'verified'},
    {
      what: 'XPI: message E07 with its header, FS as a byte or spelt `[FS]` or `<FS>`, with or without STX, ETX and LRC',
      evidence: 'documented',
    },
    {what: 'XPI: the blob as hex', evidence: 'inferred'},
    {what: 'VIPA: one link frame, or several that belong together', evidence: 'verified'},
    {
      what: 'VIPA: the TLV list, with or without FF7F and an enclosing template',
      evidence: 'verified',
    },
    {what: 'VIPA: text `TVP|iv:...|ksn:...|vipa:...`', evidence: 'seen'},
  ],
  ksn: 'in the payload: DF9021 or DFDF11',
  iv: 'in the payload: DF9022 or DFDF12; if absent, `iv` of the request, else zero',
  serial: 'not in the payload: `deviceSerial`, else the KSN',
  keys: [
    {what: 'XPI and VIPA', setting: CARD_DATA_SETTING, evidence: 'verified'},
    {
      what: 'VIPA without an IV, when CBC gives no card',
      setting: {...CARD_DATA_SETTING, mode: 'ecb'},
      evidence: 'documented',
    },
  ],
  tables: [
    meanings("Verifone's own tags", 'tag', VERIFONE_TAGS),
    meanings('Status of E07', 'value', STATUSES),
    meanings('Encryption type of E07', 'value', ENCRYPTIONS),
    meanings('Data type of E07', 'value', DATA_TYPES),
  ],
  notes: [
    {
      what: 'VIPA: chip 57 and 5A, swipe DFDB05 and DFDB06, keyed DFDB01 to DFDB03; or the tracks as text.',
      evidence: 'verified',
    },
    {what: 'DFDB03, the keyed expiry, is YYMM.', evidence: 'verified'},
    {
      what: 'VIPA padding is ISO 7816-4 (usual), PKCS#7 or X9.23; XPI pads with zeros.',
      evidence: 'documented',
    },
    {
      what: 'Masked 57, 5A, DFDB05 and DFDB06 outside FF7F prove the key; the hidden digits are A.',
      evidence: 'verified',
    },
    {
      what: 'FF7E, a second cryptogram of the PAN alone, is used if DFDF10 is missing.',
      evidence: 'seen',
    },
    {what: 'An XPI blob in base64 gives `decrypted` in base64.', evidence: 'inferred'},
  ],
  refused: [
    {what: 'LRC of a frame or of E07; trailing bytes after the last frame', code: 2101},
    {what: 'shorter than LEN indicates', code: 2102},
    {what: 'E07 with status 02 or 99; DFDB0F other than zero; no card data', code: 2100},
    {what: 'E07 with status 01 or encryption 00; cleartext card tags and no DFDF10', code: 2110},
    {what: 'VSP, PKI (RSA), TransArmor, Voltage, by name', code: 2111},
    {what: 'an IV that is not 8 bytes long', code: 2602},
  ],
  trials: [
    {what: 'a swipe in VIPA frames', mode: 'swiped', iv: 'A79DDD0FF736B32B'},
    {
      what: 'a chip read of XPI in base64',
      mode: 'emv',
      iv: 'DB1E263826651F30',
      options: {form: 'base64'},
    },
    {what: 'keyed entry', mode: 'keyed', iv: 'A79DDD0FF736B32B'},
  ],
  sources: [
    'https://developers.bluefin.com/decryptx/docs/verifone-devices',
    'https://developers.bluefin.com/decryptx/docs/verifone-xpi',
    'https://developers.bluefin.com/decryptx/docs/verifone-vipa',
    'https://github.com/web-projects/DEVICE_DECRYPTOR_TOOL',
    'https://github.com/web-projects/MSR_TRACK_DECRYPTOR',
    'https://github.com/web-projects/VIPA_PARSER',
    'https://github.com/mannypp/ReactVerifone',
  ],
};
