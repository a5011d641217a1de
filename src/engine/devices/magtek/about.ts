import {type About, meanings} from '../about.js';
import {MESSAGE_TYPES} from './emv/message.js';
import {ORIGINAL_TAGS} from './emv/original.js';
import {aesSetting, MAGTEK_SETTING, tdesSetting, typeMeaning} from './settings.js';
import {IPAD_MEMBERS} from './swipe/ipad.js';
import {M001_FIELDS} from './swipe/m001.js';
import {REPORT_FIELDS} from './swipe/report.js';
import {STATUS_BITS} from './swipe/status.js';
import {FIELDS} from './swipe/string-layout.js';
import {CARD_TYPES, MAGTEK_TAGS} from './tags.js';

const DATA_TYPES = [0x80, 0x81, 0x83, 0x9b, 0x9c, 0x9d, 0xab, 0xac, 0xad];

/** MagTek readers. */
export const aboutMagtek: About = {
  title: 'MagTek readers',
  summary:
    'Dynamag, iDynamo, eDynamo, tDynamo, DynaPro, DynaFlex, IPAD and their relatives: swipes and keyed entries of MagneSafe V5, and EMV data in containers.',
  evidence: 'verified',
  proof:
    'Published swipes in strings, labelled lines, gateway members and the HID report decrypt under published test keys, as do the selectable data of a DynaFlex. No read is public of M001, of the original container, of a swipe inside a container, and of card data under AES-256 or encryption types 81 and 83: these follow the manuals.',
  format: 'docs/formats/magtek.md#magtek',
  example: 'magtek-v5-format1000',
  forms: [
    {what: 'MagneSafe V5 string: fields between `|`', evidence: 'verified'},
    {what: 'IPAD keyboard string: number, `~`, value, `|`', evidence: 'verified'},
    {what: 'HID report of 856 bytes or more, with a report id or without', evidence: 'verified'},
    {what: 'label lines of the demonstration program', evidence: 'verified'},
    {what: 'card data of an SDK: JSON, or `name=value` lines', evidence: 'seen'},
    {
      what: "members of a gateway's request; without one for the MagnePrint, with `--device-type` only",
      evidence: 'verified',
    },
    {what: 'text M001 of iDynamo 5 Gen III', evidence: 'documented'},
    {what: 'SCRA TLV: FA with F4', evidence: 'seen'},
    {what: 'container F9 of the DynaPro format, request or batch', evidence: 'verified'},
    {what: 'container FD or FE of the original format', evidence: 'documented'},
    {what: 'MMS notification around F9, in USB packets or not', evidence: 'verified'},
    {what: 'notification 02 0303 of older EMV readers around a container', evidence: 'seen'},
  ],
  ksn: 'field of the string or report, DFDF50, DFDF56 and DFDFDF38 of a container; else `ksn` of the request',
  iv: 'zero; CBC chaining restarts at each track and each tag',
  serial:
    'as the form carries it: a field, or DFDF25 (text, or else hex); else `deviceSerial`, else the KSN',
  keys: [
    {what: 'swipes without an encryption type', setting: MAGTEK_SETTING, evidence: 'verified'},
    {
      what: 'swipes with status bit 11, M001 with FF02; tried second for any swipe without a type',
      setting: tdesSetting('data'),
      evidence: 'documented',
    },
    {what: 'containers, encryption type 80', setting: tdesSetting('data'), evidence: 'verified'},
    {what: 'encryption type 83', setting: tdesSetting('data-response'), evidence: 'inferred'},
    {
      what: 'encryption type 9D: AES-128 DUKPT, usage 3002',
      setting: aesSetting('data'),
      evidence: 'verified',
    },
  ],
  tables: [
    {
      title: 'Encryption types for data',
      head: ['type', 'meaning'],
      rows: DATA_TYPES.map((type) => [type.toString(16).toUpperCase(), typeMeaning(type)]),
    },
    {
      title: 'Fields of a V5 string, between `|`',
      head: ['field', 'meaning'],
      rows: FIELDS.map(({name}, i) => [String(i + 1), name]),
    },
    meanings('Bits of the reader status', 'bit', bitNames()),
    {
      title: 'Members of an IPAD string',
      head: ['number', 'meaning'],
      rows: Object.entries(IPAD_MEMBERS).map(([number, {name}]) => [number, name]),
    },
    {
      title: 'Fields of M001, between `|`',
      head: ['field', 'meaning'],
      rows: M001_FIELDS.map(({name}, i) => [String(i + 1), name]),
    },
    {title: 'Fields of an HID report', head: ['offset', 'bytes', 'meaning'], rows: reportRows()},
    meanings("MagTek's own tags", 'tag', MAGTEK_TAGS),
    meanings('Card types (DFDF52)', 'value', CARD_TYPES),
    meanings('Encrypted tags of the original format', 'tag', ORIGINAL_TAGS),
    meanings('Messages (MMS)', 'type', MESSAGE_TYPES),
  ],
  notes: [
    {
      what: 'A track goes from start to end sentinel, without LRC, filled with `00`.',
      evidence: 'verified',
    },
    {
      what: 'A masked track shows the first and last four digits; one hidden digit may be wrong so that Luhn holds. Names and expiry dates of masked tracks are not compared.',
      evidence: 'verified',
    },
    {
      what: 'A CRC that does not match is an error only if the tracks do not open: web pages collapse the spaces of the masked name.',
      evidence: 'verified',
    },
    {
      what: 'Keyed entry comes as tracks with format letter M: the CVV is among zeros after the expiry date.',
      evidence: 'verified',
    },
    {
      what: 'DFDF59 contains FC with its length, then as many zeros as DFDF58 says. A swipe inside it is encrypted once more under DFDF50 and DFDF51.',
      evidence: 'documented',
    },
    {
      what: 'FF42 is decrypted if there is a key for its KSN, and left out if not.',
      evidence: 'verified',
    },
    {
      what: 'The MAC of a container is checked if there is a key for DFDF54: retail MAC under TDES, CMAC under AES. MagneSafe EMV readers send zeros.',
      evidence: 'verified',
    },
    {
      what: 'MagnePrint, session ID and PIN blocks are named and stay encrypted.',
      evidence: 'documented',
    },
  ],
  refused: [
    {what: 'tracks or tags of the card in cleartext', code: 2110},
    {what: 'keys or counter exhausted, no track decoded; M002, Q001 to Q003, C101', code: 2100},
    {what: 'an MMS message without card data', code: 2100},
    {
      what: 'an encryption type for a fixed key, of an unknown algorithm, or not for data',
      code: 2111,
    },
    {what: "a gateway's block of On-Guard (EncryptedFormat 3), by name", code: 2111},
    {what: 'a KSN of 12 bytes under TDES, or of 10 under AES', code: 2400},
    {
      what: 'a CRC that does not match and tracks that do not open; a MAC that does not match',
      code: 2101,
    },
    {what: 'shorter than a length indicates', code: 2102},
    {what: 'a masked copy that contradicts the plaintext', code: 2601},
  ],
  trials: [
    {what: 'a swipe', mode: 'swiped'},
    {what: 'an EMV container', mode: 'emv'},
    {what: 'a keyed entry', mode: 'keyed'},
    {what: 'an HID report', mode: 'swiped', options: {form: 'report'}},
    {what: 'a swipe inside an MMS message', mode: 'swiped', options: {form: 'mms'}},
  ],
  sources: [
    'https://github.com/MagTek-PaulDeignan/MagTekDocs',
    'https://github.com/MagTek-PaulDeignan/WebHID_Public',
    'https://www.manualsdir.com/manuals/413692/magtek-magnesafe-v5.html?page=22',
    'https://www.manualslib.com/manual/2079776/Magtek-Edynamo.html?page=43',
    'https://manualshive.com/en/manual/magtek/dynapro-mini/3645629?page=28',
    'https://www.manualslib.com/manual/3474711/Magtek-Idynamo-5-Gen-Iii.html?page=18',
    'https://github.com/R1Daneel/cordova-plugin-magtek',
    'https://developer.paypal.com/docs/payflow/integration-guide/magtek/',
  ],
};

function bitNames(): Readonly<Record<string, string>> {
  const named = Object.entries(STATUS_BITS).map(([bit, name]) => [bit.padStart(2, '0'), name]);
  return Object.fromEntries(named);
}

function reportRows(): string[][] {
  let at = 0;
  return REPORT_FIELDS.map(({name, bytes}) => {
    const row = [String(at), String(bytes), name];
    at += bytes;
    return row;
  });
}
