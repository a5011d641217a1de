import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {promptStream} from '../output/output.js';

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

/** Asks a yes-or-no question, no by default. Throws as `askSecret` does. */
async function confirm(message: string, withoutTerminal: PaylensError): Promise<boolean> {
  return (await ask({type: 'confirm', message, default: false}, withoutTerminal)) === true;
}

/**
 * Asks for confirmation before `what` is removed from the file at `path`. Throws 9030 if declined,
 * 9001 without a terminal.
 */
export async function confirmRemoval(what: string, path: string): Promise<void> {
  const noTerminal = new PaylensError(
    9001,
    'cannot ask for confirmation: not running in a terminal',
    {
      hint: 'Pass --yes to skip the confirmation.',
    },
  );
  const yes = await confirm(`Remove ${what} from ${path}?`, noTerminal);
  if (!yes) throw new PaylensError(9030, 'cancelled; nothing was removed');
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
