import {string} from '@oclif/core/flags';
import {PaylensError} from '../../contract/paylens-error.js';

/** A flag's definition, as far as its names and its value go. */
interface FlagNames {
  readonly type: 'boolean' | 'option';
  readonly char?: string | undefined;
  /** Former names, which still work for one release. */
  readonly aliases?: readonly string[] | undefined;
  /** Set on a flag that has become an argument. */
  readonly deprecated?: true | {readonly to?: string | undefined} | undefined;
}

type Flags = Readonly<Record<string, FlagNames>>;

/** Arguments of a command in today's names, and what to tell who used others. */
export interface Renamed {
  readonly argv: readonly string[];
  readonly warnings: readonly string[];
}

/** A flag that has become the argument `name`: it still works, hidden from help. */
export function formerFlag(name: string) {
  return string({hidden: true, deprecated: {to: name}});
}

/**
 * Replaces former names in `argv`: the aliases of flags, and flags that have become an argument.
 * Throws 9001 if the former and the present name are given together.
 */
export function withPresentNames(argv: readonly string[], flags: Flags): Renamed {
  const tokens = tokensOf(argv, flags);
  const present = presentNames(flags);
  const renamed = tokens.map((token) => ({...token, to: present.get(token.name ?? '')}));
  const used = renamed.filter(({to}) => to !== undefined);
  if (used.length === 0) return {argv, warnings: []};
  for (const {name = '', to = ''} of used) demandOne(name, to, tokens);
  const moved = renamed.flatMap(({words, to}) => (isArgument(to) ? valuesOf(words) : []));
  const kept = renamed.flatMap(({words, to}) => (isArgument(to) ? [] : named(words, to)));
  const warnings = used.map(({name, to = ''}) => warningOf(`--${name}`, to));
  return {argv: withArguments(kept, moved), warnings: [...new Set(warnings)]};
}

/** One flag with its value, or one argument. */
interface Token {
  readonly words: readonly string[];
  /** Name of a long flag. */
  readonly name?: string | undefined;
  readonly isArgument: boolean;
}

function tokensOf(argv: readonly string[], flags: Flags): Token[] {
  const tokens: Token[] = [];
  let isFlag = true;
  for (let at = 0; at < argv.length; at += tokens.at(-1)?.words.length ?? 1) {
    const word = argv[at] ?? '';
    const name = isFlag ? /^--([^=]+)/.exec(word)?.[1] : undefined;
    const isArgument = !isFlag || word === '-' || !word.startsWith('-');
    const length = isFlag && !isArgument && takesNext(word, name, flags) ? 2 : 1;
    if (word === '--') isFlag = false;
    else tokens.push({words: argv.slice(at, at + length), name, isArgument});
    if (word === '--') tokens.push({words: ['--'], isArgument: false});
  }
  return tokens;
}

/** Whether the value of a flag is the word after it. */
function takesNext(word: string, name: string | undefined, flags: Flags): boolean {
  if (word.includes('=')) return false;
  if (name !== undefined) return findFlag(name, flags)?.type === 'option';
  const letters = [...word.slice(1)].map((char) => byChar(char, flags)?.type);
  return letters.indexOf('option') === letters.length - 1 && letters.length > 0;
}

function findFlag(name: string, flags: Flags): FlagNames | undefined {
  if (Object.hasOwn(flags, name)) return flags[name];
  return Object.values(flags).find(({aliases}) => aliases?.includes(name));
}

function byChar(char: string, flags: Flags): FlagNames | undefined {
  return Object.values(flags).find((flag) => flag.char === char);
}

/** By former name: `--NAME` of the flag, or the name of the argument, that has taken its place. */
function presentNames(flags: Flags): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(flags).flatMap(([name, {aliases = [], deprecated}]) => [
      ...aliases.map((alias): [string, string] => [alias, `--${name}`]),
      ...(typeof deprecated === 'object' ? [[name, deprecated.to ?? ''] as [string, string]] : []),
    ]),
  );
}

function isArgument(present: string | undefined): boolean {
  return present !== undefined && !present.startsWith('--');
}

function demandOne(name: string, to: string, tokens: readonly Token[]): void {
  const isGiven = tokens.some((token) =>
    isArgument(to) ? token.isArgument : `--${token.name}` === to,
  );
  if (isGiven) throw new PaylensError(9001, `--${name} and ${to} cannot be used together`);
}

function named(words: readonly string[], to: string | undefined): readonly string[] {
  const [first = '', ...rest] = words;
  return to === undefined ? words : [first.replace(/^--[^=]+/, to), ...rest];
}

function valuesOf([first = '', ...rest]: readonly string[]): readonly string[] {
  const at = first.indexOf('=');
  return at === -1 ? rest : [first.slice(at + 1)];
}

// A value that begins with a hyphen stays an argument.
function withArguments(argv: readonly string[], moved: readonly string[]): readonly string[] {
  if (moved.length === 0) return argv;
  return [...argv, ...(argv.includes('--') ? [] : ['--']), ...moved];
}

function warningOf(former: string, to: string): string {
  return deprecationOf(former, isArgument(to) ? `pass ${to} as an argument` : `use ${to}`);
}

/** The warning for a former name, of a flag or of a command. */
export function deprecationOf(former: string, advice: string): string {
  return `${former} is deprecated and will be removed in the next release: ${advice}`;
}
