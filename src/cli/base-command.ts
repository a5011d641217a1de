import {Command} from '@oclif/core/command';
import {boolean} from '@oclif/core/flags';
import type {Input, ParserOutput} from '@oclif/core/interfaces';
import {PAYLOAD_ERRORS} from '../contract/error-catalogue.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {Answer} from '../diagnosis/answer/answer.js';
import type {FailedInput} from './diagnosis/answer-failure.js';
import {isAsked} from './is-asked.js';
import {configureOutput} from './output/output.js';
import {type FailureMembers, reportFailure} from './report-failure.js';
import {withoutSecrets} from './typed-secrets.js';

type Values = Readonly<Record<string, unknown>>;

// Imported late: nothing of it is needed for what succeeds.
async function answerTo(error: unknown, given: FailedInput): Promise<Answer | undefined> {
  if (!(error instanceof PaylensError) || !PAYLOAD_ERRORS.has(error.code)) return undefined;
  const {answerFailure} = await import('./diagnosis/answer-failure.js');
  try {
    return await answerFailure(error, given);
  } catch (fault) {
    // What a diagnosis cannot read either has no answer: the error is that of the command.
    if (fault instanceof PaylensError) return undefined;
    throw fault;
  }
}

/**
 * Base class of all commands: global flags and error reporting. oclif's own `--json` is not used
 * because its errors repeat the value of every flag.
 */
export abstract class BaseCommand extends Command {
  static override baseFlags = {
    json: boolean({char: 'j', description: 'print machine-readable JSON', helpGroup: 'GLOBAL'}),
    quiet: boolean({char: 'q', description: 'suppress notes and warnings', helpGroup: 'GLOBAL'}),
    'no-color': boolean({description: 'disable colour output', helpGroup: 'GLOBAL'}),
  };

  /** Members of the error object besides code and message, as far as known. */
  protected failureMembers: FailureMembers = {};
  #answer: Answer | undefined;

  protected override async init(): Promise<void> {
    configureOutput({
      quiet: isAsked('quiet', this.argv),
      color: !isAsked('no-color', this.argv),
    });
  }

  /** Flags that are not given are own members, too: no value comes from Object.prototype. */
  protected override async parse<F extends Values, B extends Values, A extends Values>(
    options?: Input<F, B, A>,
    argv?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    const parsed = await super.parse(options, argv);
    const names = Object.keys({...options?.baseFlags, ...options?.flags});
    const absent = Object.fromEntries(names.map((name) => [name, undefined]));
    return {...parsed, flags: {...absent, ...parsed.flags}};
  }

  protected override async catch(error: Error): Promise<void> {
    // Otherwise oclif warns about the parse that has just failed.
    this.parsed = true;
    const shown = (text: string) =>
      withoutSecrets(text, this.argv, (word) => this.takesValue(word));
    const members = {...this.failureMembers, ...(this.#answer && {answer: this.#answer})};
    reportFailure(error, isAsked('json', this.argv), members, shown);
  }

  private takesValue(word: string): boolean {
    const flags = Object.entries(this.ctor.flags ?? {});
    const named = flags.find(([name, {char}]) => word === `--${name}` || word === `-${char}`);
    return named?.[1].type === 'option';
  }

  /** Runs what a payload may make fail; if it does, the error is reported with its answer. */
  protected async answering<T>(given: FailedInput, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!given.isOfService) this.#answer = await answerTo(error, given);
      throw error;
    } finally {
      given.ring?.wipe();
    }
  }

  /** The answer to what `run` throws; undefined if that is nothing which a diagnosis explains. */
  protected async answerTo(given: FailedInput, run: () => void): Promise<Answer | undefined> {
    try {
      run();
    } catch (error) {
      return answerTo(error, given);
    }
    return undefined;
  }

  /** Never called while oclif's own `--json` stays off; gives nothing away if it ever is. */
  protected override toErrorJson(): {success: false} {
    return {success: false};
  }
}
