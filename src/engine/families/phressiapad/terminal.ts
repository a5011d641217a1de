import {verifyMacs} from '../../forms/verify-macs.js';
import type {Terminal} from '../terminal.js';
import {readPhressiapad} from './reader.js';

/**
 * The PhreesiaPad tablet. Its own format is not public: its payloads are inferred to be in one of
 * the forms of other terminals, tried in a fixed order (docs/terminals/phressiapad.md#phressiapad-forms).
 */
export const phressiapad = {
  type: 'phressiapad',
  manufacturer: 'PHREESIA',
  recognises: false,
  recognisedAs: 'generic',
  read: readPhressiapad,
  verifyMacs,
  about: async () => (await import('./about.js')).aboutPhressiapad,
  write: async () => (await import('./writer.js')).phressiapadWriter,
} as const satisfies Terminal;
