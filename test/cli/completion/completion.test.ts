import {spawn, spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {beforeAll, describe, expect, it, onTestFinished} from 'vitest';
import {ERROR_CODES} from '../../../src/contract/error-catalogue.js';
import {TERMINAL_TYPES} from '../../../src/engine/families/registry.js';
import {SAMPLES} from '../../../src/simulator/samples.js';
import {hasTerminal} from '../../commands/on-terminal.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {runBin} from '../run-bin.js';
import {runCommand} from '../run-command.js';

interface Listed {
  readonly id: string;
  readonly hidden?: boolean;
  readonly args: Readonly<Record<string, {name: string}>>;
  readonly flags: Readonly<
    Record<
      string,
      {name: string; options?: string[]; char?: string; hidden?: boolean; helpValue?: string}
    >
  >;
}

const manifest: {commands: Record<string, Listed>} = JSON.parse(
  readFileSync('oclif.manifest.json', 'utf8'),
);
const commands = Object.values(manifest.commands).filter(({hidden}) => !hidden);
const wordsOf = ({id}: Listed) => id.split(':');
const flagsOf = ({flags}: Listed) => Object.values(flags).filter(({hidden}) => !hidden);
const longOf = (command: Listed) => [...flagsOf(command).map(({name}) => `--${name}`), '--help'];

/** What is typed, and what a shell must offer, for every command and every list of values. */
const CASES: [string[], string[]][] = [
  [
    ['key', ''],
    ['add', 'export', 'import', 'list', 'remove'],
  ],
  [['sample', ''], SAMPLES.map(({name}) => name)],
  [['errors', '26'], ERROR_CODES.map(String).filter((code) => code.startsWith('26'))],
  ...commands.map((command): [string[], string[]] => [
    [...wordsOf(command), '--'],
    longOf(command),
  ]),
  ...commands.flatMap((command) =>
    flagsOf(command).flatMap(({name, char, options}): [string[], string[]][] =>
      options
        ? [`--${name}`, ...(char ? [`-${char}`] : [])].map((flag) => [
            [...wordsOf(command), flag, ''],
            options,
          ])
        : [],
    ),
  ),
];

const scripts = new Map<string, Promise<string>>();

function scriptOf(shell: string): Promise<string> {
  const script = scripts.get(shell) ?? runBin(['completion', shell]).then(({stdout}) => stdout);
  scripts.set(shell, script);
  return script;
}

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;
const sorted = (words: readonly string[]) => [...new Set(words)].sort();

describe.skipIf(!hasShell('bash'))('completion in bash', () => {
  let script: string;
  beforeAll(async () => {
    script = await scriptOf('bash');
  });

  /** What bash offers for each line of words; its last word is being typed. */
  async function offered(lines: readonly (readonly string[])[], cwd = process.cwd()) {
    const quoted = (word: string) => `'${word}'`;
    const tries = lines.map((words) => `try paylens ${words.map(quoted).join(' ')}`).join('\n');
    const program = `${script}
try() {
  COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=()
  _paylens
  (IFS='|'; echo "\${COMPREPLY[*]}")
}
${tries}`;
    const {stdout} = await execa('bash', ['--norc', '-s'], {input: program, cwd});
    return stdout.split('\n').map((line) => line.split('|').filter((word) => word !== ''));
  }

  it('offers every command, flag and value of the manifest', async () => {
    const found = await offered(CASES.map(([words]) => words));
    expect(found.map(sorted)).toEqual(CASES.map(([, expected]) => sorted(expected)));
  });

  it('offers commands and topics first, and after help', async () => {
    const [first = [], help = []] = await offered([[''], ['help', '']]);
    const names = sorted(commands.map((command) => wordsOf(command)[0] ?? ''));
    expect(first).toEqual(expect.arrayContaining([...names, '--version']));
    expect(help).toEqual(expect.arrayContaining(names));
  });

  it('offers files where a path is expected, with spaces in them', async () => {
    const folder = tempFolder();
    writeFileSync(path.join(folder, 'a file.txt'), '');
    writeFileSync(path.join(folder, 'b.txt'), '');
    const lines = [
      ['decrypt', 'a'],
      ['decrypt', '--keyfile', 'a'],
      ['key', 'import', ''],
      ['decrypt', '-k', 'b'],
    ];
    const found = await offered(lines, folder);
    expect(found.map(sorted)).toEqual([
      ['a file.txt'],
      ['a file.txt'],
      ['a file.txt', 'b.txt'],
      ['b.txt'],
    ]);
  });

  it('offers values after =, and nothing where only the user knows', async () => {
    const lines = [
      ['decrypt', '--device-type', '=', 'mi'],
      ['decrypt', '--device-type', '='],
      ['decrypt', '--ksn', ''],
    ];
    const [one, all, none] = await offered(lines);
    expect([one, all?.length, none]).toEqual([['miura'], TERMINAL_TYPES.length, []]);
  });

  it('is bash that can be sourced, without output', async () => {
    const {stdout, stderr} = await execa('bash', ['--norc', '-s'], {
      input: `set -e\n${script}\ncomplete -p paylens`,
    });
    expect([stdout, stderr]).toEqual(['complete -F _paylens paylens', '']);
  });
});

describe.skipIf(!hasShell('fish'))('completion in fish', () => {
  it('offers every command, flag and value of the manifest', async () => {
    const file = path.join(tempFolder(), 'paylens.fish');
    writeFileSync(file, await scriptOf('fish'));
    const tries = CASES.map(
      ([words]) => `complete -C 'paylens ${words.join(' ')}' | cut -f1; echo ==`,
    );
    const {stdout} = await execa('fish', [
      '--no-config',
      '-c',
      `source ${file}\n${tries.join('\n')}`,
    ]);
    const found = stdout
      .split('==\n')
      .slice(0, CASES.length)
      .map((text) => text.trim().replace(/\n==$/, '').split('\n'));
    expect(found.map(sorted)).toEqual(CASES.map(([, expected]) => sorted(expected)));
  });

  it('offers files where a path is expected', async () => {
    const folder = tempFolder();
    writeFileSync(path.join(folder, 'paylens.fish'), await scriptOf('fish'));
    const lines = ['decrypt pay', 'decrypt --keyfile pay', 'decrypt -k pay'];
    const tries = lines.map((line) => `complete -C 'paylens ${line}' | cut -f1`).join('\n');
    const {stdout} = await execa('fish', ['--no-config', '-c', `source paylens.fish\n${tries}`], {
      cwd: folder,
    });
    expect(stdout.split('\n')).toEqual(lines.map(() => 'paylens.fish'));
  });
});

describe.skipIf(!hasShell('zsh') || !hasTerminal)('completion in zsh', () => {
  /** What is typed, and what an interactive zsh then shows. */
  const TYPED = [
    ['a command', 'paylens decr\t\n', 'RAN decrypt'],
    ['a command of a topic', 'paylens keyfile rek\t\n', 'RAN keyfile rekey'],
    ['a flag', 'paylens decrypt --tes\t\n', 'RAN decrypt --test-keys'],
    ['a value', 'paylens decrypt --device-type mi\t\n', 'RAN decrypt --device-type miura'],
    ['a value of a letter', 'paylens inspect -d mi\t\n', 'RAN inspect -d miura'],
    ['a sample', 'paylens sample idtech-sw\t\n', 'RAN sample idtech-swipe'],
    ['a file', 'paylens decrypt _pay\t\n', 'RAN decrypt _pay'],
    ['a flag of a command of a topic', 'paylens key add --comp\t-\t\n', 'component'],
  ] as const;

  it('completes what is typed', async () => {
    const folder = tempFolder();
    writeFileSync(path.join(folder, '_paylens'), await scriptOf('zsh'));
    const shell = spawn('script', ['-qec', 'zsh -f -i', '/dev/null'], {
      env: {...process.env, TERM: 'dumb', COLUMNS: '200', HOME: folder},
    });
    onTestFinished(() => void shell.kill('SIGKILL'));
    const setUp = `PS1=; cd ${folder}; fpath=(${folder} $fpath); autoload -Uz compinit; compinit -D -u; paylens() { echo RAN "$@" }; echo REA''DY\n`;
    shell.stdin.write(setUp);
    const waiting = [['', '', 'READY'] as const, ...TYPED];
    const completed: string[] = [];
    let seen = '';
    for await (const chunk of shell.stdout) {
      seen += String(chunk);
      if (!seen.includes(waiting[0]?.[2] ?? '')) continue;
      completed.push(waiting.shift()?.[0] ?? '');
      if (!waiting[0]) break;
      seen = '';
      shell.stdin.write(waiting[0][1]);
    }
    expect(completed).toEqual(['', ...TYPED.map(([name]) => name)]);
  });

  it('is zsh without faults', async () => {
    const {exitCode, stderr} = await execa('zsh', ['-n'], {input: await scriptOf('zsh')});
    expect([exitCode, stderr]).toEqual([0, '']);
  });
});

describe('paylens completion', () => {
  it('gives PowerShell every command and flag', async () => {
    const script = await scriptOf('powershell');
    expect(script).toContain('Register-ArgumentCompleter -Native -CommandName paylens');
    for (const command of commands) {
      const line = script
        .split('\n')
        .find((each) => each.startsWith(`  '${wordsOf(command).join(' ')}' = @('--`));
      expect(line?.match(/--[a-z-]+/g)).toEqual(longOf(command));
    }
  });

  it('is wrong usage without a shell, or with another', async () => {
    const [without, other] = [
      await runCommand('completion', []),
      await runCommand('completion', ['zhs']),
    ];
    expect([without.exitCode, without.stderr]).toEqual([
      2,
      expect.stringContaining('missing argument SHELL'),
    ]);
    expect([other.exitCode, other.stderr]).toEqual([
      2,
      expect.stringContaining('Did you mean: zsh'),
    ]);
  });
});
