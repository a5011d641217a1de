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
import {execa, execaSync} from 'execa';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {BIN} from '../cli/run-bin.js';
import {freePort} from '../free-port.js';
import {type Fence, fencesOf} from './fences.js';

interface Step {
  readonly command: string;
  readonly expected: string;
}

interface Block {
  readonly title: string;
  readonly steps: readonly Step[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Programs that a transcript may start beside paylens; a newcomer need not have them. */
const TOOLS = ['age', 'java', 'php', 'python3', 'redis-server', 'socat'].map((name) => ({
  name,
  found: execaSync('which', [name], {reject: false}).exitCode === 0,
}));
/** The ports that the pages write. */
const PORTS = ['8080', '8081', '8082', '6379'];

/**
 * Runs the transcripts of a page: its fenced `console` blocks. A line that begins with `$ ` is a
 * command, as many lines as the shell needs to end it; the lines after it are what it prints on both
 * streams. `...` stands for any text, on a line of its own for any lines. One shell runs them all, in
 * their order, as a reader would, where the files that the page shows are saved under their names. A
 * server that ends in `&` is waited for until it is ready, and listens on a free port.
 */
export function testTranscripts(page: string): void {
  describe(page, () => {
    const fences = fencesOf(readFileSync(path.join(root, page), 'utf8'));
    const blocks = fences.filter(({language}) => language === 'console').map(readBlock);
    const steps = blocks.flatMap((block) => block.steps);
    let folder = '';
    let free: FreePorts;
    let outputs: readonly string[] = [];

    beforeAll(async () => {
      folder = homeOfReader(fences);
      free = await freePorts();
      const commands = steps.map(({command}) => shellText(command, free));
      outputs = await runAll(commands, folder);
    }, 300_000);

    afterAll(() => rmSync(folder, {recursive: true}));

    for (const block of blocks) {
      it.skipIf(lacksTool(block))(`the transcript that begins with ${block.title} is true`, () => {
        for (const step of block.steps) {
          const printed = `${outputs[steps.indexOf(step)]}\n`;
          expect(printed, step.command).toMatch(pattern(withFreePorts(step.expected, free)));
        }
      });
    }
  });
}

function readBlock({text}: Fence): Block {
  const steps = text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.split('\n');
      const length = commandLength(lines);
      const [command, expected] = [lines.slice(0, length), lines.slice(length)];
      return {command: command.join('\n'), expected: expected.join('\n').trimEnd()};
    });
  return {title: steps[0]?.command.split('\n', 1)[0] ?? '', steps};
}

/** The lines of a step that the shell needs until its command is complete. */
function commandLength(lines: readonly string[]): number {
  const lengths = lines.map((_, i) => i + 1);
  return lengths.find((length) => isComplete(lines.slice(0, length).join('\n'))) ?? lines.length;
}

function isComplete(command: string): boolean {
  if (command.endsWith('\\')) return false;
  // bash also complains of a locale that is not installed.
  const options = {reject: false, env: {LC_ALL: 'C'}} as const;
  return execaSync('bash', ['-n', '-c', command], options).stderr === '';
}

function lacksTool({steps}: Block): boolean {
  const words = new Set(steps.flatMap(({command}) => command.split(/\s+/)));
  return TOOLS.some(({name, found}) => !found && words.has(name));
}

/** A directory with the samples, `paylens` on the path, and the files that the page shows. */
function homeOfReader(fences: readonly Fence[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'paylens-page-'));
  for (const name of ['bin', 'samples']) {
    symlinkSync(path.join(root, name), path.join(folder, name));
  }
  mkdirSync(path.join(folder, 'path'));
  const shim = path.join(folder, 'path', 'paylens');
  const run = `'${process.execPath}' '${BIN}'`;
  // Opening a keyfile takes a second by default: once it is created, its passphrase becomes a cheap one.
  const ease = `${run} "$@" || exit; shift 2; ${run} keyfile rekey --work-factor 10 "$@" >/dev/null 2>&1; exit`;
  const cases = `*--recipient*) ;; 'keyfile create'*) ${ease} ;;`;
  writeFileSync(shim, `#!/bin/sh\ncase "$*" in ${cases} esac\nexec ${run} "$@"\n`);
  chmodSync(shim, 0o755);
  for (const {file, text} of fences) {
    if (file !== undefined) writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

/** By the port that a page writes, the one that was free. */
type FreePorts = ReadonlyMap<string, string>;

async function freePorts(): Promise<FreePorts> {
  const ports = await Promise.all(
    PORTS.map(async (port) => [port, String(await freePort())] as const),
  );
  return new Map(ports);
}

function withFreePorts(text: string, free: FreePorts): string {
  return text.replaceAll(/\b(?:808[0-2]|6379)\b/g, (port) => free.get(port) ?? port);
}

/** A server writes to a file, which is shown up to its ready line. */
function shellText(command: string, free: FreePorts): string {
  if (!command.endsWith(' &')) return withFreePorts(command, free);
  const port = /--(?:control-)?port/.test(command) ? '' : ' --port 8080';
  const log = command.includes('2>') ? '' : ' 2>&1';
  const text = `rm -f ready.txt
${command.slice(0, -2)}${port} >ready.txt${log} &
until grep -qs '^{"url' ready.txt || ! kill -0 $!; do sleep 0.1; done
sed '/^{"url/q' ready.txt`;
  return withFreePorts(text, free);
}

const MARK = '--- end of step';
const STOP_SERVERS = 'kill $(jobs -p) 2>/dev/null';

/** What each command printed. */
async function runAll(commands: readonly string[], folder: string): Promise<string[]> {
  const script = commands.map((command) => `${command}\nprintf '\\n%s\\n' '${MARK}'`);
  const {stdout} = await execa('bash', ['-c', `exec 2>&1\n${script.join('\n')}\n${STOP_SERVERS}`], {
    cwd: folder,
    input: '',
    env: {
      HOME: folder,
      LC_ALL: 'C',
      XDG_CONFIG_HOME: path.join(folder, '.config'),
      PATH: `${path.join(folder, 'path')}:${process.env.PATH}`,
    },
    reject: false,
  });
  return stdout.split(`\n${MARK}`).map((output) => output.replace(/^\n/, '').trimEnd());
}

function pattern(expected: string): RegExp {
  const lines = expected
    .split('\n')
    .map((line) => (line === '...' ? '(?:.*\\n)*?' : `${linePattern(line)}\\s*?\\n`));
  return new RegExp(`^${lines.join('')}$`);
}

function linePattern(line: string): string {
  return line
    .trimEnd()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('\\.\\.\\.', '.*');
}
