import {type Signs, signsBesideKsn} from '../../forms/signs.js';
import {verifyMacs} from '../../forms/verify-macs.js';
import type {Terminal} from '../terminal.js';
import {isMagtekPayload, isOfMagtek, readMagtekPayload} from './reader.js';
import {TAG} from './tags.js';

/** Messages begin with this tag, and hide their container in the value of another. */
const MESSAGE_TAG = 'AA';

const TRACK_SIGNS = signsBesideKsn(
  new Set(['DFDF37', 'DFDF39', TAG.dataKsn, TAG.data]),
  new Set([TAG.swipeKsn, TAG.dataKsn]),
);

/** Encrypted tracks and data, and the beginning of a message. */
const SIGNS: Signs = {
  tags: new Set([...TRACK_SIGNS.tags, MESSAGE_TAG]),
  isSign: (object, undeclared) =>
    object.tag === MESSAGE_TAG ? object.value.length === 0 : TRACK_SIGNS.isSign(object, undeclared),
};

/** MagTek readers: MagneSafe V5 strings and reports, EMV containers and MMS messages. */
export const magtek = {
  type: 'magtek',
  manufacturer: 'MAGTEK',
  recognises: isMagtekPayload,
  claims: isOfMagtek,
  read: readMagtekPayload,
  signs: SIGNS,
  verifyMacs,
  about: async () => (await import('./about.js')).aboutMagtek,
  write: async () => (await import('./writer.js')).magtekWriter,
} as const satisfies Terminal;
