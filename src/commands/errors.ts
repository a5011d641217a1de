import {BaseCommand} from '../cli/base-command.js';
import {arg} from '../cli/flags/flag.js';
import {single, table} from '../cli/output/layout/table.js';
import {printJson, printResult} from '../cli/output/output.js';
import {ERROR_CATALOGUE, ERROR_CODES, type ErrorCode} from '../contract/error-catalogue.js';
import {PaylensError} from '../contract/paylens-error.js';

/** Prints the error catalogue, or one entry of it. */
export default class Errors extends BaseCommand {
  static override description =
    'List the error codes.\n\n' + 'Shows the exit code, message and remedy of each code.';
  static override args = {
    code: arg.optional('show only this code'),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 2101',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Errors);
    const codes = ERROR_CODES.filter((code) => String(code) === (args.code ?? String(code)));
    if (codes.length === 0)
      throw new PaylensError(9001, `there is no error code ${args.code}`, {
        hint: 'Run `paylens errors` to list them.',
      });
    if (flags.json) printJson(codes.map((code) => ({code, ...ERROR_CATALOGUE[code]})));
    else if (args.code === undefined) printResult(table(HEAD, codes.map(rowOf)));
    else printResult(...codes.map((code) => single(HEAD, rowOf(code))));
  }
}

const HEAD = ['code', 'HTTP', 'exit', 'message', 'what to do'];

function rowOf(code: ErrorCode): string[] {
  const {http, exit, message, hint} = ERROR_CATALOGUE[code];
  return [String(code), http === undefined ? '-' : String(http), String(exit), message, hint];
}
