import type {NameTable} from '../about.js';
import {FORWARDED_MEMBERS} from './layout.js';

/** The members that the reader of forwarded reads uses, for the pages of the terminals. */
export const membersTable: NameTable = {
  title: 'Members of a request, in any case, with or without `_` and `-`',
  head: ['members', 'meaning'],
  rows: Object.values(FORWARDED_MEMBERS).map(({names, meaning}) => [
    names.map((name) => `\`${name}\``).join(', '),
    meaning,
  ]),
};
