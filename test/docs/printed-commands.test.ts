import {readdirSync, readFileSync} from 'node:fs';
import {type Command, Parser} from '@oclif/core';
import {describe, expect, it} from 'vitest';
import {COMMANDS} from '../../src/command-list.js';

const commands: Readonly<Record<string, typeof Command>> = COMMANDS;

/** Every file of src in which a hint, a note or a message may name a command. */
const sources = readdirSync('src', {recursive: true, encoding: 'utf8'})
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(`src/${file}`, 'utf8').replaceAll('\\`', '`'));

/** The commands that the program prints: between backticks, after a note, as an example. */
const printed = [
  ...sources.flatMap((text) => [...text.matchAll(/`paylens ([a-z][^`$]*)`/g)]),
  ...sources.flatMap((text) => [...text.matchAll(/noteCommand\(\s*'(?:paylens )?([^'|]*)/g)]),
  ...sources.flatMap((text) => [...text.matchAll(/'paylens (decrypt|diagnose|key add)\b/g)]),
].map(([, line = '']) => line.replace(/^paylens /, ''));

/** What stands for a value in the words of a hint. */
const VALUES: Readonly<Record<string, string>> = {RECIPIENT: 'age1x', FILE: 'f'};

/** A hint names a command, and the flag that matters; it need not be whole. */
async function faultOf(line: string): Promise<string | undefined> {
  const words = line.trim().split(/\s+/);
  const length = `${words[0]}:${words[1]}` in commands ? 2 : 1;
  const id = words.slice(0, length).join(':');
  const command = commands[id];
  if (!command) return ['help', 'sample', 'errors'].includes(id) ? undefined : `no command ${id}`;
  const argv = words.slice(length).map((word) => VALUES[word] ?? word);
  const flags = {...command.baseFlags, ...command.flags};
  const last = argv.at(-1) ?? '';
  const named = last.startsWith('--') ? flags[last.slice(2) as keyof typeof flags] : undefined;
  const whole = named && named.type === 'option' ? [...argv, 'x'] : argv;
  try {
    const {nonExistentFlags} = await Parser.parse(whole, {args: command.args ?? {}, flags});
    return nonExistentFlags.length > 0 ? nonExistentFlags.join(' ') : undefined;
  } catch (error) {
    // That an argument is left out.
    return /Missing .* required (?:arg|flag)/.test(String(error)) ? undefined : String(error);
  }
}

describe('a command that a message names', () => {
  it('is found in the sources', () => {
    expect(printed.length).toBeGreaterThan(30);
  });

  it.each([...new Set(printed)])('exists, with its flags: paylens %s', async (line) => {
    expect(await faultOf(line)).toBeUndefined();
  });
});
