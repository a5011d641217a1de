import type {About} from '../about.js';
import {CIPHERS, DERIVATIONS, ENTRY_MODES, NEXO_SETTING, PADDINGS} from './layout.js';

/** Messages of ISO 20022 and nexo. */
export const aboutNexo: About = {
  title: 'nexo and ISO 20022 messages',
  summary:
    'Messages of a terminal, a sale system or a gateway whose card data is in an envelope: ProtectedCardData with KSN, IV and ciphertext, in XML or JSON.',
  evidence: 'verified',
  proof:
    "The request key and the response key are verified on published messages under the specification's test key. AES DUKPT, the edition of 2004 and the JSON forms are not: no read of them with its key is public.",
  format: 'docs/formats/nexo.md#nexo',
  example: 'nexo-card',
  forms: [
    {what: 'XML of ISO 20022: a message, or a fragment with PrtctdCardData', evidence: 'verified'},
    {what: 'Sale-to-POI messages in JSON, and in XML with attributes', evidence: 'seen'},
    {
      what: 'a JSON object of a gateway with `encryptedData`, and DUKPT2009 or AESDUKPT128ECB',
      evidence: 'documented',
    },
    {
      what: 'a JSON object of a gateway with `p2pe`, `payload` and `keySerialNumber`',
      evidence: 'documented',
    },
  ],
  ksn: 'DerivtnId (5 bytes; AES: 8) and NcrptdKey (5; AES: 4) joined, or whole in DerivtnId; in objects of gateways `key.index` or `keySerialNumber`; else `ksn` of the request',
  iv: 'InitlstnVctr, else `iv` of the request, else zero',
  serial: 'SrlNb of the POI component of type TERM; else `deviceSerial`, else the KSN',
  keys: [
    {what: 'requests, DKP9', setting: NEXO_SETTING, evidence: 'verified'},
    {
      what: 'responses, tried first',
      setting: {...NEXO_SETTING, variant: 'data-response'},
      evidence: 'verified',
    },
    {
      what: 'DKPT and id-dukpt-wrap, tried first',
      setting: {...NEXO_SETTING, selfEncrypted: false},
      evidence: 'inferred',
    },
  ],
  tables: [
    {
      title: 'How the key is derived',
      head: ['name', 'working keys, in the order tried'],
      rows: Object.entries(DERIVATIONS).map(([name, keys]) => [
        `\`${name}\``,
        keys
          .map(
            ({variant, selfEncrypted}) =>
              `${variant}${selfEncrypted ? '' : ', not self-encrypted'}`,
          )
          .join('; '),
      ]),
    },
    {
      title: 'How the card data is encrypted',
      head: ['name', 'cipher'],
      rows: Object.entries(CIPHERS).map(([name, {algorithm, mode}]) => [
        `\`${name}\``,
        `${algorithm.toUpperCase()} ${mode.toUpperCase()}`,
      ]),
    },
    {title: 'BPddg', head: ['value', 'padding'], rows: Object.entries(PADDINGS)},
    {title: 'Entry modes', head: ['value', 'mode'], rows: Object.entries(ENTRY_MODES)},
  ],
  notes: [
    {
      what: 'The plaintext is itself XML or JSON: PlainCardData with PAN and XpryDt, or tracks without sentinels.',
      evidence: 'verified',
    },
    {
      what: 'A host answers under the data-response variant with the KSN of the request.',
      evidence: 'verified',
    },
    {
      what: 'Names match in any case, since some pages print them in lower case. Base64 that lost its case is lost.',
      evidence: 'seen',
    },
    {
      what: 'XML has no document type, no entities but the five of XML, and 48 levels at most; JSON 8 levels, and no member twice.',
      evidence: 'inferred',
    },
    {
      what: 'The MAC of a message and its encrypted PIN block are not used.',
      evidence: 'inferred',
    },
  ],
  refused: [
    {what: 'malformed XML or JSON, a document type, several envelopes, none', code: 2100},
    {what: 'ciphertext that is not whole blocks', code: 2102},
    {what: 'plain card data, and no envelope', code: 2110},
    {what: 'RSA, NIST SP 800-108, another cipher', code: 2111},
    {what: 'a wrapped or shared key (UKPT, KEK), unless the working key is given', code: 2111},
    {what: 'a master and session key, unless the working key is given', code: 2600},
    {what: 'parts that are not a KSN of 10 or 12 bytes', code: 2400},
    {what: 'a plaintext that is not XML or JSON with a card, or contradicts itself', code: 2601},
    {what: 'an IV of another length', code: 2602},
  ],
  trials: [
    {what: 'track 2 in the Card element', mode: 'swiped', iv: '0123456789ABCDEF'},
    {what: 'a request after a chip read', mode: 'emv', options: {form: 'request', separator: 'D'}},
    {what: "a host's answer to keyed entry", mode: 'keyed', options: {form: 'response'}},
    {what: 'a Sale-to-POI message', mode: 'swiped', options: {form: 'sale-to-poi'}},
    {what: 'an object of a gateway', mode: 'keyed', options: {form: 'gateway', expiry: 'YYMM'}},
  ],
  sources: [
    'https://docs.torogateway.com/protected-card-data',
    'https://mx-message.com/m/caaa-013-001-11/AccptrDgnstcReq',
    'https://docs.fiserv.dev/public/docs/encryption-and-macing-restapi',
    'https://test-gateway.mastercard.com/api/documentation/integrationGuidelines/supportedFeatures/pickPaymentMethod/p2pEncryption.html',
  ],
};
