import {didYouMean, nearestName} from '../contract/nearest-name.js';
import {PaylensError} from '../contract/paylens-error.js';

interface OclifError extends Error {
  readonly oclif?: {readonly exit?: number | false};
  readonly args?: readonly {readonly name?: string}[];
  readonly flags?: readonly string[];
  /** The arguments and flags that the command accepts. */
  readonly parse?: {readonly input?: {readonly flags?: Readonly<Record<string, unknown>>}};
}

/**
 * The error 9001 for an error of oclif's parser, or undefined for any other error. oclif quotes what
 * was typed, which may be a key, a passphrase or card data; this error names flags and counts
 * arguments, and repeats the value that does not fit; `withoutSecrets` takes out what may be a secret.
 */
export function toUsageError(error: unknown): PaylensError | undefined {
  if (!(error instanceof Error)) return undefined;
  const rule = RULES[error.constructor.name];
  if (rule) return usageError(...rule(error));
  if (error.message.startsWith('Parsing --')) return usageError(...invalidNumber(error));
  if (!('oclif' in error)) return undefined;
  // Only a message with the name of a flag and nothing that was typed is passed on.
  const [, known] = /^Flag (--[a-z-]+ .*)/.exec(error.message) ?? [];
  return known === undefined
    ? usageError('no such command', 'Run `paylens help` to list the commands.')
    : usageError(known);
}

/** The error of a flag whose value is none of its options. */
export function notAnOption(flag: string, typed: string, options: readonly string[]): PaylensError {
  const hint = didYouMean(typed, options, `${flag} `);
  return usageError(`${flag} ${typed}: expected one of ${options.join(', ')}`, hint);
}

function usageError(detail: string, hint?: string): PaylensError {
  return new PaylensError(9001, detail, hint === undefined ? {} : {hint});
}

type Wording = readonly [detail: string, hint?: string | undefined];

const RULES: Readonly<Record<string, (error: OclifError) => Wording>> = {
  NonExistentFlagsError: unknownFlags,
  UnexpectedArgsError: ({args = []}) => [`unexpected argument: ${args.join(' ')}`],
  RequiredArgsError: ({args = []}) => [
    `missing argument ${args.map(({name = ''}) => name.toUpperCase()).join(', ')}`,
  ],
  FlagInvalidOptionError: invalidOption,
  ArgInvalidOptionError: invalidOption,
  FailedFlagValidationError: ({message}) => [flagFault(message)],
};

/** Names under which people pass secrets; the flags of paylens name files. */
const SECRET_FLAG =
  /^--(?:[a-z]+-)*(?:key|bdk|ik|ipek|working|kbpk|hex|secret|passphrase|password)$/i;

function unknownFlags({flags = [], parse}: OclifError): Wording {
  const known = parse?.input?.flags ?? {};
  const names = flags.map(flagName);
  // `--test-key` is a typing mistake for `--test-keys`.
  const secret = names.find((name) => SECRET_FLAG.test(name) && !(`${name.slice(2)}s` in known));
  if (secret === undefined)
    return [
      `unknown flag ${names.join(', ')}`,
      flags.map((typed) => meantFlag(typed, known)).find(Boolean),
    ];
  return [
    `${secret} is not accepted: other users can see arguments in the process list`,
    'key-prompt' in known
      ? 'Put the key in a file and pass it with --key-file, or type it with --key-prompt.'
      : 'Put the secret in a file. --help names the flag for it.',
  ];
}

function meantFlag(typed: string, flags: object): string | undefined {
  if (!typed.startsWith('--')) return undefined;
  const [name = ''] = typed.slice('--'.length).split('=');
  const meant = nearestName(name, [...Object.keys(flags), 'help']);
  return meant === undefined ? undefined : `Did you mean: --${meant}`;
}

function flagName(typed: string): string {
  const [name = ''] = typed.split('=');
  return /^--?[a-z][a-z-]{0,30}$/.test(name) ? name : '(not a name)';
}

// The options follow the typed value, so that value cannot be mistaken for them.
function invalidOption({message}: OclifError): Wording {
  const [, flag, typed = '', list = ''] =
    /^Expected (?:(--[a-z-]+)=)?(.*) to be one of: ([^\n]*)/s.exec(message) ?? [];
  const hint = didYouMean(typed, list.split(', '), flag === undefined ? '' : `${flag} `);
  return [`${flag ?? 'the argument'} ${typed}: expected one of ${list}`, hint];
}

function flagFault(message: string): string {
  const missing = [...message.matchAll(/Missing required flag ([a-z][a-z-]*)/g)];
  if (missing.length > 0)
    return `missing flag ${missing.map(([, name]) => `--${name}`).join(', ')}`;
  const dependent = /must be provided when using (--[a-z][a-z-]*): (--[a-z][a-z-]*)/.exec(message);
  if (dependent) return `${dependent[1]} requires ${dependent[2]}`;
  return `${namedFlags(message).join(' and ')} cannot be used together`;
}

function invalidNumber({message}: Error): Wording {
  const number =
    /Expected (an integer(?: (?:greater|less) than or equal to -?\d+)?) but received: ([^\n]*)/;
  const [, expected = 'a different form of value', typed = ''] = number.exec(message) ?? [];
  return [`${namedFlags(message).at(0) ?? 'a flag'} ${typed}: expected ${expected}`];
}

function namedFlags(message: string): string[] {
  return [...new Set(message.match(/--[a-z][a-z-]*/g) ?? [])].filter((name) => name !== '--help');
}
