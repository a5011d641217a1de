import type {WriterOption} from '../writer.js';
import {resolveOptions} from '../writer-options.js';

/** The settings of RBA messages. */
export const RBA_OPTIONS = [
  {
    name: 'message',
    values: ['auto', '23', '33', '41', '87', 'record'],
    meaning: 'message id, or its record alone; auto: 33 of a chip, 87 under On-Guard, else 23',
  },
  {
    name: 'scheme',
    values: ['sde', 'onguard'],
    meaning: 'a record of types 11 and 19, or one of On-Guard FPE, which is rejected with 2111',
  },
  {name: 'frame', values: ['on', 'off'], meaning: 'STX, ETX and LRC around the message'},
  {name: 'form', values: ['text', 'hex'], meaning: 'the message itself, or its hex'},
  {name: 'separator', values: ['1C', '[FS]', '<FS>'], meaning: 'how FS is written'},
  {name: 'type', values: ['19', '11'], meaning: '41: encryption type'},
  {name: 'variant', values: ['data', 'pin', 'data-plain'], meaning: 'sde: working key'},
  {
    name: 'between',
    values: ['|', '#', ';', '00'],
    meaning: 'sde: separator of the items in the plaintext',
  },
  {name: 'sentinels', values: ['off', 'on'], meaning: 'sde, swiped: tracks with sentinels'},
  {
    name: 'tracks',
    values: ['all'],
    form: /^1?2?$/,
    meaning: 'swiped: tracks that were read: 12, 1, 2',
  },
  {name: 'masked', values: ['on', 'off'], meaning: 'masked tracks or tags beside the record'},
  {
    name: 'source',
    values: ['auto', 'M', 'C', 'm', 'E', 'S', 'Q', 'H', 'T'],
    meaning: 'card source; auto: M swiped, S emv, H keyed',
  },
  {name: 'language', values: ['9'], form: /^.$/, meaning: 'onguard: language'},
  {name: 'encryptionFormat', values: ['B'], form: /^.$/, meaning: 'onguard: encryption format'},
  {name: 'extension', values: ['0114'], form: /^[0-9A-F]{4}$/i, meaning: 'onguard: of the KSN'},
  {name: 'ic', values: [''], form: /^[0-9=]{1,99}$/, meaning: 'onguard: FPE track 2'},
  {name: 'aesPan', values: [''], form: /^[0-9A-F]{1,99}$/i, meaning: 'onguard: PAN under AES'},
  {name: 'ls', values: [''], form: /^[0-9A-F]{1,99}$/i, meaning: 'onguard: LS field'},
  {name: 'extendedLanguage', values: ['8'], form: /^.$/, meaning: 'onguard: extended language'},
] as const satisfies readonly WriterOption[];

/** Every option and its value. */
export type RbaOptions = Readonly<Record<(typeof RBA_OPTIONS)[number]['name'], string>>;

/** The options given, with defaults for the others. Throws 9001 for an unknown name or value. */
export function rbaOptions(given: Readonly<Record<string, string>>): RbaOptions {
  return resolveOptions(RBA_OPTIONS, given);
}
