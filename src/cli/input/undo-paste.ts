import {PaylensError} from '../../contract/paylens-error.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {mayBePaste} from '../../input/paste/may-be-paste.js';
import {note} from '../output/output.js';

interface PasteOptions {
  /** The only terminal that may have sent it. */
  readonly 'device-type'?: string | undefined;
  readonly strict?: boolean | undefined;
  /** Absent: those of paylens. */
  readonly terminals?: TerminalSet | undefined;
}

/**
 * The bare payload that a person pasted in another notation, and a note that says what was undone; any
 * other input as it is: what a terminal sends comes first. Throws 2100 when nothing tells which payload
 * is meant, and with `--strict` wherever there is anything to undo.
 */
export async function undoPaste(input: string, options: PasteOptions): Promise<string> {
  const {'device-type': device, strict, terminals} = options;
  if (!mayBePaste(input, device, terminals)) return input;
  // Imported late: what a terminal sends needs nothing of it.
  const {readPaste} = await import('../../input/paste/read-paste.js');
  const paste = readPaste(input, device, terminals);
  if (!paste) return input;
  if (strict)
    throw new PaylensError(2100, '--strict: the text is not the payload itself', STRICT_HINT);
  note(paste.note);
  return paste.payload;
}

const STRICT_HINT = {hint: 'Pass the payload as the terminal sends it, or omit --strict.'};
