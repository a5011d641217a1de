import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {Config} from '@oclif/core/config';
import {describe, expect, it, vi} from 'vitest';
import {BaseCommand} from '../../../src/cli/base-command.js';
import {withPresentNames} from '../../../src/cli/flags/former-names.js';
import {COMMANDS} from '../../../src/command-list.js';
import {runCommand} from '../run-command.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const config = await Config.load({root});

interface Flag {
  readonly name: string;
  readonly type: 'boolean' | 'option';
  readonly options?: readonly string[];
  readonly aliases?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly deprecated?: {readonly to: string};
  readonly helpValue?: string;
  readonly required?: boolean;
}

interface Listed {
  readonly id: keyof typeof COMMANDS;
  readonly args: Readonly<Record<string, {required?: boolean; name: string}>>;
  readonly flags: Readonly<Record<string, Flag>>;
}

const manifest: {commands: Record<string, Listed>} = JSON.parse(
  readFileSync(`${root}/oclif.manifest.json`, 'utf8'),
);
const commands = Object.values(manifest.commands);

/** Every former name of every command, and the flag or argument that has taken its place. */
const FORMER = commands.flatMap((command) =>
  Object.values(command.flags).flatMap((flag) => [
    ...(flag.aliases ?? []).map((alias) => ({command, alias, flag, present: `--${flag.name}`})),
    ...(flag.deprecated ? [{command, alias: flag.name, flag, present: flag.deprecated.to}] : []),
  ]),
);

function exampleOf({type, options, helpValue}: Flag): string[] {
  if (type === 'boolean') return [];
  if (options) return [options[0] ?? ''];
  return [helpValue === 'DURATION' ? '5s' : '2'];
}

/** What a command must be given besides, so that the flag can be parsed. */
function needed({args, flags}: Listed, flag: Flag): string[] {
  const given = Object.values(flags).filter(
    ({name, required}) => name !== flag.name && (required || flag.dependsOn?.includes(name)),
  );
  const required = Object.values(args).filter((arg) => arg.required);
  return [
    ...required.map(() => '7'),
    ...given.flatMap((each) => [`--${each.name}`, ...exampleOf(each)]),
  ];
}

/** What a command makes of its arguments, and what it says on stderr while parsing them. */
async function parsed(id: keyof typeof COMMANDS, argv: string[]) {
  const outcome: {flags?: object; args?: object} = {};
  const Command: {run: unknown} = COMMANDS[id];
  class Probe extends BaseCommand {
    static override args = (Command as unknown as typeof BaseCommand).args;
    static override flags = (Command as unknown as typeof BaseCommand).flags;

    async run() {
      const {flags, args} = await this.parse(Probe);
      Object.assign(outcome, {flags: {...flags}, args: {...args}});
    }
  }
  Probe.id = id;
  let stderr = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  const before = process.exitCode;
  await Probe.run(argv, config);
  process.exitCode = before;
  spy.mockRestore();
  return {...outcome, stderr};
}

describe('former names', () => {
  it('are those of the decisions on flags', () => {
    const names = FORMER.map(({command, alias}) => `${command.id} --${alias}`);
    expect(names).toContain('decrypt --device');
    expect(names).toContain('key:add --name');
    expect(names.length).toBeGreaterThan(30);
  });

  it('never are present names of the same command, nor shown in help', () => {
    for (const {command, alias, flag} of FORMER) {
      const isMoved = flag.deprecated !== undefined;
      expect(command.flags[alias] === undefined || isMoved).toBe(true);
    }
  });

  it.each(FORMER)('$command.id --$alias warns and is $present', async (former) => {
    const {command, alias, flag, present} = former;
    const value = exampleOf(flag);
    const others = needed(command, flag);
    const isMoved = !present.startsWith('--');
    const today = isMoved ? value : [present, ...value];
    const expected = await parsed(command.id, [...others, ...today]);
    expect(expected).toMatchObject({stderr: '', flags: expect.anything()});
    const found = await parsed(command.id, [...others, `--${alias}`, ...value]);
    expect(found.stderr).toMatch(
      new RegExp(
        `^(\\S*Warning:\\S*) --${alias} is deprecated .*\\b${present.replace(/^--/, '')}\\b.*\n$`,
      ),
    );
    expect({flags: found.flags, args: found.args}).toEqual({
      flags: expected.flags,
      args: expected.args,
    });
    const quiet = await parsed(command.id, [...others, `--${alias}`, ...value, '--quiet']);
    expect(quiet.stderr).toBe('');
  });

  it.each(FORMER)('$command.id --$alias with $present is 9001', async (former) => {
    const {command, alias, flag, present} = former;
    const value = exampleOf(flag);
    const today = present.startsWith('--') ? [present, ...value] : value;
    const argv = [...needed(command, flag), ...today, `--${alias}`, ...value];
    const {stderr, flags} = await parsed(command.id, argv);
    expect(flags).toBeUndefined();
    expect(stderr).toContain(
      `Error 9001: Invalid usage: --${alias} and ${present} cannot be used together\n`,
    );
  });

  it('work at the command line', async () => {
    const argv = ['samples/idtech-swipe.txt', '--test-keys', '--json'];
    const today = await runCommand('decrypt', [...argv, '--device-type', 'idtech', '--quiet']);
    const former = await runCommand('decrypt', [...argv, '--device=idtech']);
    const withoutId = ({stdout}: {stdout: string}) => ({...JSON.parse(stdout), messageId: ''});
    expect(withoutId(former)).toEqual(withoutId(today));
    expect(former.stderr).toBe(
      'Warning: --device is deprecated and will be removed in the next release: use --device-type\n',
    );
  });
});

describe('withPresentNames', () => {
  const flags = {
    device: {type: 'option', aliases: ['old'], char: 'd'},
    all: {type: 'boolean', aliases: ['each'], char: 'a'},
    name: {type: 'option', deprecated: {to: 'NAME'}},
    text: {type: 'option'},
  } as const;
  const renamed = (...argv: string[]) => withPresentNames(argv, flags).argv;

  it.each([
    [
      ['--old', 'x'],
      ['--device', 'x'],
    ],
    [
      ['--old=x=y', '--each'],
      ['--device=x=y', '--all'],
    ],
    [
      ['--text', '--old', 'x'],
      ['--text', '--old', 'x'],
    ],
    [
      ['-d', '--old', 'x'],
      ['-d', '--old', 'x'],
    ],
    [
      ['-ad', '--each'],
      ['-ad', '--each'],
    ],
    [
      ['-dx', '--each'],
      ['-dx', '--all'],
    ],
    [
      ['--', '--old', 'x'],
      ['--', '--old', 'x'],
    ],
    [
      ['-', '--each'],
      ['-', '--all'],
    ],
    [
      ['--name', '-x', '--each'],
      ['--all', '--', '-x'],
    ],
    [
      ['--name=a', '--name', 'b'],
      ['--', 'a', 'b'],
    ],
  ])('%j is %j', (argv, expected) => {
    expect(renamed(...argv)).toEqual(expected);
  });

  it('warns once of a name given twice', () => {
    const {warnings} = withPresentNames(['--old', 'x', '--old', 'y', '--each'], flags);
    expect(warnings).toHaveLength(2);
  });
});
