import {PaylensError} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';

/** The built-in terminals and the terminals of the modules that `--terminal` names. Throws 9002, 9040. */
export async function terminalsOf(modules: readonly string[] = []): Promise<TerminalSet> {
  if (modules.length === 0) return KNOWN_TERMINALS;
  // Loaded late: built-in terminals do not need it.
  const {loadTerminals} = await import('./load-terminals.js');
  return loadTerminals(modules);
}

/** An error that ended a worker: a fault of a user's terminal, or a defect. */
export function fromWorker(error: Error): PaylensError {
  const {code, detail} = error as {code?: unknown; detail?: unknown};
  if (code === 9040 && typeof detail === 'string') return new PaylensError(9040, detail);
  return new PaylensError(1, error.name, {cause: error});
}
