import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {note, printAtPrompt, printJson, promptStream} from '../output/output.js';

/** Whether a prompt is possible: stdin and stderr are both terminals. */
export function canPrompt(): boolean {
  return promptStream() !== undefined;
}

/** How often a prompt is repeated after a mistake before the command fails. */
const TRIES = 3;

/**
 * Prompts for a passphrase or key, hidden, on stderr, and returns what `accept` returns for it; after
 * its PaylensError prompts again, three times in all. The secret is the UTF-8 of what was typed.
 * Throws 9030 when the prompt is aborted, `withoutTerminal` without a terminal.
 */
export async function askSecret<T>(
  message: string,
  withoutTerminal: PaylensError,
  accept: (typed: Secret) => T | Promise<T>,
): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    const typed = await ask({type: 'password', message, toggleMask: false}, withoutTerminal);
    try {
      return await accept(Secret.ofText(String(typed)));
    } catch (error) {
      if (!(error instanceof PaylensError) || error.code === 9030 || left === 0) throw error;
      printAtPrompt(`${error.detail}. Try again.`);
    }
  }
}

/**
 * Asks whether `what` may be removed from the file at `path`; notes that nothing was changed if not.
 * Throws 9001 without a terminal.
 */
export async function confirmRemoval(
  what: string,
  path: string,
  {json}: {readonly json: boolean},
): Promise<boolean> {
  const noTerminal = new PaylensError(
    9001,
    'cannot ask for confirmation: not running in a terminal',
    {hint: 'Pass --yes to skip the confirmation.'},
  );
  const message = `Remove ${what} from ${path}?`;
  if ((await ask({type: 'confirm', message, default: false}, noTerminal)) === true) return true;
  if (json) printJson({changed: false});
  else note('Nothing was changed.');
  return false;
}

type Question =
  | {readonly type: 'password'; readonly message: string; readonly toggleMask: false}
  | {readonly type: 'confirm'; readonly message: string; readonly default: boolean};

async function ask(question: Question, withoutTerminal: PaylensError): Promise<unknown> {
  const output = promptStream();
  if (!output) throw withoutTerminal;
  const {default: inquirer} = await import('inquirer');
  const prompt = inquirer.createPromptModule({output});
  try {
    const {answer} = await prompt([{...question, name: 'answer'}]);
    return answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw new PaylensError(9030);
    throw error;
  }
}
