import type {About} from '../about.js';
import {DERIVATIONS, NEXO_CIPHERS, NEXO_ENTRY_MODES, NEXO_PADDINGS} from './layout.js';

/** Messages of ISO 20022 and nexo. */
export const aboutNexo: About = {
  title: 'nexo and ISO 20022 messages',
  summary:
    'Messages of a terminal, a sale system or a gateway whose card data is in an envelope: ProtectedCardData with KSN, IV and ciphertext, in XML or JSON.',
  evidence: 'verified',
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
      rows: Object.entries(NEXO_CIPHERS).map(([name, {algorithm, mode}]) => [
        `\`${name}\``,
        `${algorithm.toUpperCase()} ${mode.toUpperCase()}`,
      ]),
    },
    {title: 'BPddg', head: ['value', 'padding'], rows: Object.entries(NEXO_PADDINGS)},
    {title: 'Entry modes', head: ['value', 'mode'], rows: Object.entries(NEXO_ENTRY_MODES)},
  ],
  trials: [
    {what: 'track 2 in the Card element', mode: 'swiped', iv: '0123456789ABCDEF'},
    {what: 'a request after a chip read', mode: 'emv', options: {form: 'request'}},
    {what: "a host's answer to keyed entry", mode: 'keyed', options: {form: 'response'}},
    {what: 'a Sale-to-POI message', mode: 'swiped', options: {form: 'sale-to-poi'}},
    {what: 'an object of a gateway', mode: 'keyed', options: {form: 'gateway'}},
  ],
};
