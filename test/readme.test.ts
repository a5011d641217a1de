import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {BIN} from './cli/run-bin.js';

/**
 * Runs the transcripts of README.md: the fenced `console` blocks. A line that begins with `$ ` is a
 * command, the lines after it are what it prints on both streams. `...` stands for any text, on a
 * line of its own for any lines. The commands of a block share a shell; all blocks share a folder.
 */
interface Step {
  readonly command: string;
  readonly expected: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
  steps(text),
);

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-readme-'));
  for (const name of ['bin', 'samples'])
    symlinkSync(path.join(root, name), path.join(folder, name));
  mkdirSync(path.join(folder, 'path'));
  const shim = path.join(folder, 'path', 'paylens');
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(shim, 0o755);
});

afterAll(() => rmSync(folder, {recursive: true}));

describe('README.md', () => {
  it('begins with the two commands of a newcomer', () => {
    expect([...readme.matchAll(/^npm ci && (.*)$/gm)].map(([, command]) => command)).toEqual([
      'node bin/run.js decrypt samples/idtech-swipe.json --test-keys',
      'npm test',
    ]);
  });

  it.each(blocks.map((block) => [block[0]?.command ?? '', block] as const))(
    'the transcript that begins with %s is true',
    async (_, block) => {
      const outputs = await runBlock(block.map((step) => step.command));
      for (const [index, {expected}] of block.entries()) {
        expect(outputs[index]).toMatch(pattern(expected));
      }
    },
  );
});

function steps(text: string): Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.split('\n');
      return {command, expected: lines.join('\n').trimEnd()};
    });
}

const MARK = '--- end of step';

async function runBlock(commands: readonly string[]): Promise<string[]> {
  const script = commands.map((command) => `${command}\nprintf '\\n%s\\n' '${MARK}'`).join('\n');
  const {stdout} = await execa('bash', ['-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    input: '',
    env: {
      HOME: folder,
      XDG_CONFIG_HOME: path.join(folder, '.config'),
      PATH: `${path.join(folder, 'path')}:${process.env.PATH}`,
    },
    reject: false,
  });
  return stdout.split(`\n${MARK}`).map((output) => output.replace(/^\n/, '').trimEnd());
}

function pattern(expected: string): RegExp {
  const lines = expected.split('\n').map((line) => {
    if (line === '...') return '(?:.*\\n)*?.*';
    return line
      .trimEnd()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('\\.\\.\\.', '.*');
  });
  return new RegExp(`^${lines.join('\\s*?\\n')}$`);
}
