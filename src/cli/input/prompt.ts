import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {note, printAtPrompt, printJson, promptStream} from '../output/output.js';

/** Whether a person can be asked: stdin and stderr are both terminals. */
export function canPrompt(): boolean {
  return promptStream() !== undefined;
}

/**
 * Asks for a passphrase or key, hidden, on stderr. The bytes are the UTF-8 of what was typed.
 * Throws 9030 when the person breaks off, `withoutTerminal` when nobody can be asked.
 */
export async function askSecret(message: string, withoutTerminal: PaylensError): Promise<Secret> {
  const answer = await ask({type: 'password', message, toggleMask: false}, withoutTerminal);
  return new Secret(new TextEncoder().encode(String(answer)));
}

/** How often a person is asked before the command fails. */
export const TRIES = 3;

/**
 * Asks until `accept` takes the answer, three times in all; what it throws tells the person what was
 * wrong, and is thrown the last time. Throws what `ask` throws.
 */
export async function askUntil<A, T>(ask: () => Promise<A>, accept: (answer: A) => T): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    const answer = await ask();
    try {
      return accept(answer);
    } catch (error) {
      if (!(error instanceof PaylensError) || left === 0) throw error;
      sayAgain(error.detail);
    }
  }
}

/** Tells a person why the question comes again. */
export function sayAgain(fault: string): void {
  printAtPrompt(`${fault}. Try again.`);
}

/** Asks a yes-or-no question, no by default. Throws as `askSecret` does. */
async function confirm(message: string, withoutTerminal: PaylensError): Promise<boolean> {
  return (await ask({type: 'confirm', message, default: false}, withoutTerminal)) === true;
}

/**
 * Whether `what` may be removed from the file at `path`: asks, and if declined says that nothing was
 * changed. Throws 9001 without a terminal.
 */
export async function confirmRemoval(
  what: string,
  path: string,
  {json}: {readonly json: boolean},
): Promise<boolean> {
  const noTerminal = new PaylensError(
    9001,
    'cannot ask for confirmation: not running in a terminal',
    {
      hint: 'Pass --yes to skip the confirmation.',
    },
  );
  if (await confirm(`Remove ${what} from ${path}?`, noTerminal)) return true;
  if (json) printJson({changed: false});
  else note('Nothing was changed.');
  return false;
}

/** Asks for a text that may be seen. Throws as `askSecret` does. */
export async function askText(message: string, withoutTerminal: PaylensError): Promise<string> {
  return String(await ask({type: 'input', message}, withoutTerminal)).trim();
}

type Question =
  | {readonly type: 'input'; readonly message: string}
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
