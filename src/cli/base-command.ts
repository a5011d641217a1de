import {Command} from '@oclif/core/command';
import {boolean} from '@oclif/core/flags';
import {isAsked} from './is-asked.js';
import {configureOutput} from './output/output.js';
import {type FailureMembers, reportFailure} from './report-failure.js';

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

  protected override async init(): Promise<void> {
    configureOutput({
      quiet: isAsked('quiet', this.argv),
      color: !isAsked('no-color', this.argv),
    });
  }

  protected override async catch(error: Error): Promise<void> {
    // Otherwise oclif warns about the parse that has just failed.
    this.parsed = true;
    reportFailure(error, isAsked('json', this.argv), this.failureMembers);
  }

  /** Never called while oclif's own `--json` stays off; gives nothing away if it ever is. */
  protected override toErrorJson(): {success: false} {
    return {success: false};
  }
}
