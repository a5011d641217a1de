import {type About, meanings} from '../about.js';
import {GENERIC_MEMBERS, GENERIC_PADDINGS, GENERIC_VARIANTS} from './layout.js';

const memberMeanings = Object.fromEntries(
  Object.entries(GENERIC_MEMBERS).map(([name, {meaning}]) => [name, meaning]),
);

/** A list of values described by the caller. */
export const aboutGeneric: About = {
  title: 'any terminal, described by the caller',
  summary:
    'Encrypted values with their KSN, and how they were encrypted: for terminals without a type of their own, and for bare ciphertext.',
  evidence: 'verified',
  tables: [
    meanings('Members, in any case', 'member', memberMeanings),
    {
      title: 'Values of `variant`',
      head: ['value', 'working key', 'self-encrypted'],
      rows: Object.entries(GENERIC_VARIANTS).map(([name, {variant, selfEncrypted}]) => [
        name,
        variant,
        selfEncrypted ? 'yes' : 'no',
      ]),
    },
    {
      title: 'Values of `padding`',
      head: ['value', 'padding of the last block'],
      rows: Object.entries(GENERIC_PADDINGS).map(([name, fills]) => [
        name,
        fills.join(', ') || 'nothing',
      ]),
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
};
