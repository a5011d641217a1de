import {readFileSync} from 'node:fs';
import {type Command, Parser} from '@oclif/core';
import {describe, expect, it} from 'vitest';
import {COMMANDS} from '../../src/command-list.js';

const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8');

const commands: Readonly<Record<string, typeof Command>> = COMMANDS;

/** The command lines of the page, without what a pipe feeds in and where the output goes. */
const examples = [...page.matchAll(/^(?:[^|`\n]* \| )?paylens ([a-z].*)$/gm)].map(
  ([line, rest = '']) => ({line, words: wordsOf(rest.replace(/ [<>|] .*$/, ''))}),
);

function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** The command that the words begin with, and the words that are left for it. */
function commandOf(words: readonly string[]) {
  const length = `${words[0]}:${words[1]}` in commands ? 2 : 1;
  const command = commands[words.slice(0, length).join(':')];
  return {command, argv: words.slice(length)};
}

describe('docs/commands.md', () => {
  it('has a section with an example for every command', () => {
    const sections = page.split(/^## paylens /m).slice(1);
    const names = sections.map((section) => section.split('\n', 1)[0]?.replace(' ', ':'));
    expect(names.sort()).toEqual(Object.keys(commands).sort());
    expect(sections.filter((section) => !/^```sh\n/m.test(section))).toEqual([]);
  });

  it.each(examples)('has an example that is accepted: $line', async ({words}) => {
    const {command, argv} = commandOf(words);
    const flags = {...command?.baseFlags, ...command?.flags};
    const strict = command?.strict ?? true;
    const parsed = await Parser.parse(argv, {args: command?.args ?? {}, flags, strict});
    expect(parsed.nonExistentFlags).toEqual([]);
  });
});
