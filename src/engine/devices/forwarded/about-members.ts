import type {About} from '../about.js';
import {MEMBERS} from './layout.js';

/** The members that the reader of forwarded reads uses, for the pages of its terminals. */
export const membersTable: About['tables'][number] = {
  title: 'Members of a request, in any case, with or without `_` and `-`',
  head: ['members', 'meaning'],
  rows: Object.values(MEMBERS).map(({names, meaning}) => [
    names.map((name) => `\`${name}\``).join(', '),
    meaning,
  ]),
};

/** What every forwarded read is refused for. */
export const refusedForwarded: About['refused'] = [
  {what: 'no encrypted track; a PIN block alone; two values for one track', code: 2100},
  {what: 'a value that is not whole cipher blocks', code: 2102},
  {what: 'a track in cleartext; a card number in cleartext and nothing encrypted', code: 2110},
  {what: 'no KSN, and no working key; two KSNs', code: 2400},
  {
    what: 'a plaintext that is not a track, or contradicts a length, an LRC, a masked number or a date',
    code: 2601,
  },
];
