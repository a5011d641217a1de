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
 * The error 9001 for an error of oclif's parser, or undefined for any other error.
 *
 * oclif quotes what was typed, which may be a key, a passphrase or card data. So the detail is made
 * again: it names flags and counts arguments, and never repeats a value.
 */
export function toUsageError(error: unknown): PaylensError | undefined {
  if (!(error instanceof Error)) return undefined;
  const secret = secretFlag(error);
  if (secret !== undefined) return refusedSecret(secret, error);
  const rejected = RULES[error.constructor.name];
  if (rejected) return withHint(rejected(error), USAGE_HINTS[error.constructor.name]?.(error));
  if (error.message.startsWith('Parsing --')) return new PaylensError(9001, wrongForm(error));
  if ('oclif' in error) return fromMessage(error);
  return undefined;
}

/** The error of a flag whose value is none of its options. */
export function notAnOption(flag: string, typed: string, options: readonly string[]): PaylensError {
  const detail = `${flag} must be one of: ${options.join(', ')}`;
  return withHint(detail, didYouMean(typed, options, `${flag} `));
}

function withHint(detail: string, hint: string | undefined): PaylensError {
  return new PaylensError(9001, detail, hint === undefined ? {} : {hint});
}

/** Names under which people pass secrets; our own flags name files. */
const SECRET_FLAG =
  /^--(?:[a-z]+-)*(?:key|bdk|ik|ipek|working|kbpk|hex|secret|passphrase|password)$/i;

function secretFlag(error: OclifError): string | undefined {
  if (error.constructor.name !== 'NonExistentFlagsError') return undefined;
  const known = error.parse?.input?.flags ?? {};
  // `--test-key` lacks a letter of `--test-keys`, and is no key.
  const isTypo = (name: string) => `${name.slice(2)}s` in known;
  return error.flags?.map(flagName).find((name) => SECRET_FLAG.test(name) && !isTypo(name));
}

function refusedSecret(flag: string, {parse}: OclifError): PaylensError {
  const isOnce = 'key-prompt' in (parse?.input?.flags ?? {});
  const detail = `${flag} is not accepted: other users can see arguments in the process list`;
  return new PaylensError(9001, detail, {
    hint: isOnce
      ? 'Put the key in a file and pass it with --key-file, or type it with --key-prompt.'
      : 'Put the secret in a file. --help names the flag for it.',
  });
}

const RULES: Readonly<Record<string, (error: OclifError) => string>> = {
  NonExistentFlagsError: ({flags = []}) => `unknown flag ${flags.map(flagName).join(', ')}`,
  UnexpectedArgsError: ({args = []}) => `too many arguments: ${args.length} unexpected`,
  RequiredArgsError: ({args = []}) =>
    `missing argument ${args.map(({name = ''}) => name.toUpperCase()).join(', ')}`,
  FlagInvalidOptionError: ({message}) =>
    `${namedFlags(message).at(0) ?? 'a flag'} must be one of:${optionsOf(message)}`,
  ArgInvalidOptionError: ({message}) => `the argument must be one of:${optionsOf(message)}`,
  FailedFlagValidationError: ({message}) => flagFault(message),
};

const USAGE_HINTS: Readonly<Record<string, (error: OclifError) => string | undefined>> = {
  NonExistentFlagsError: ({flags = [], parse}) =>
    flags.map((typed) => meantFlag(typed, parse?.input?.flags ?? {})).find(Boolean),
  FlagInvalidOptionError: ({message}) => {
    const [, flag = '', typed = ''] =
      /^Expected (--[a-z-]+)=(.*) to be one of: /s.exec(message) ?? [];
    return didYouMean(typed, optionsOf(message).trim().split(', '), `${flag} `);
  },
  ArgInvalidOptionError: ({message}) => {
    const [, typed = ''] = /^Expected (.*) to be one of: /s.exec(message) ?? [];
    return didYouMean(typed, optionsOf(message).trim().split(', '));
  },
};

/** A hint with the flag that may be meant. */
function meantFlag(typed: string, flags: object): string | undefined {
  if (!typed.startsWith('--')) return undefined;
  const [name = ''] = typed.slice('--'.length).split('=');
  const meant = nearestName(name, [...Object.keys(flags), 'help']);
  return meant === undefined ? undefined : `Did you mean: --${meant}`;
}

// The options come last, so what was typed before them cannot hide in there.
function optionsOf(message: string): string {
  const list = message.slice(message.lastIndexOf('to be one of:') + 'to be one of:'.length);
  return list.split('\n')[0] ?? '';
}

function flagFault(message: string): string {
  const missing = [...message.matchAll(/Missing required flag ([a-z][a-z-]*)/g)];
  if (missing.length > 0)
    return `missing flag ${missing.map(([, name]) => `--${name}`).join(', ')}`;
  const dependent = /must be provided when using (--[a-z][a-z-]*): (--[a-z][a-z-]*)/.exec(message);
  if (dependent) return `${dependent[1]} requires ${dependent[2]}`;
  const named = namedFlags(message);
  if (!message.includes('cannot also be provided')) return `conflicting flags: ${named.join(', ')}`;
  return `${named.join(' and ')} cannot be used together`;
}

// What was typed follows the expectation, so the first match is never in it.
function wrongForm({message}: Error): string {
  const number = /Expected (an integer(?: (?:greater|less) than or equal to -?\d+)?) but received/;
  const expected = number.exec(message)?.[1] ?? 'a different form of value';
  return `${namedFlags(message).at(0) ?? 'a flag'}: expected ${expected}`;
}

// Only messages that hold names of flags and nothing that was typed are passed on.
function fromMessage({message}: Error): PaylensError {
  const [line = ''] = message.split('\n');
  if (/^Flag --[a-z-]+ /.test(line)) return new PaylensError(9001, line.slice('Flag '.length));
  return new PaylensError(9001, 'no such command', {
    hint: 'Run `paylens help` to list the commands.',
  });
}

function flagName(typed: string): string {
  const [name = ''] = typed.split('=');
  return /^--?[a-z][a-z-]{0,30}$/.test(name) ? name : '(not a name)';
}

function namedFlags(message: string): string[] {
  return [...new Set(message.match(/--[a-z][a-z-]*/g) ?? [])].filter((name) => name !== '--help');
}
