import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {mayBePaste} from '../../input/paste/judge.js';
import {note} from '../output/output.js';

interface PasteOptions {
  /** The only terminal that may have sent it. */
  readonly 'device-type'?: string | undefined;
  /** Default: the built-in ones. */
  readonly terminals?: TerminalSet | undefined;
}

/**
 * The bare payload that a person pasted in another notation, and a note that says what was undone;
 * any other input unchanged. Throws 2100 if the text has several payloads.
 */
export async function undoPaste(input: string, options: PasteOptions): Promise<string> {
  const {'device-type': device, terminals} = options;
  if (!mayBePaste(input, device, terminals)) return input;
  // Loaded late: a payload as the terminal sends it does not need it.
  const {readPaste} = await import('../../input/paste/read-paste.js');
  const paste = readPaste(input, device, terminals);
  if (!paste) return input;
  note(paste.note);
  return paste.payload;
}
