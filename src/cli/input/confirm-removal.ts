import {PaylensError} from '../../contract/paylens-error.js';
import {confirm} from './prompt.js';

/** Asks before `what` is removed from the file at `path`. Throws 9030 for no, 9001 for no terminal. */
export async function confirmRemoval(what: string, path: string): Promise<void> {
  const noTerminal = new PaylensError(9001, 'there is no terminal to confirm on', {
    hint: 'Confirm with --yes.',
  });
  const yes = await confirm(`Remove ${what} from ${path}?`, noTerminal);
  if (!yes) throw new PaylensError(9030, 'nothing is removed');
}
