import {once} from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {createServer, type Server} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {BIN} from './cli/run-bin.js';
import {HAS_REDIS} from './service/redis-server.js';

/**
 * Runs the transcripts of README.md: the fenced `console` blocks. A line that begins with `$ ` is a
 * command, the lines after it are what it prints on both streams. `...` stands for any text, on a
 * line of its own for any lines. One shell runs them all, in their order, as a reader would. A
 * server that ends in `&` is waited for until it is ready, and listens on a free port.
 */
interface Step {
  readonly command: string;
  readonly expected: string;
}

interface Block {
  readonly title: string;
  readonly steps: readonly Step[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
  readBlock(text),
);
const PORTS = ['8080', '8081', '8082', '6379'];

let folder = '';
let outputs: readonly string[] = [];
/** By the port that README.md writes, the one that was free. */
let free: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-readme-'));
  for (const name of ['bin', 'samples'])
    symlinkSync(path.join(root, name), path.join(folder, name));
  mkdirSync(path.join(folder, 'path'));
  const shim = path.join(folder, 'path', 'paylens');
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(shim, 0o755);
  free = await freePorts();
  outputs = await runAll(blocks.flatMap(({steps}) => steps.map(({command}) => command)));
}, 300_000);

afterAll(() => rmSync(folder, {recursive: true}));

describe('README.md', () => {
  it('begins with the two commands of a newcomer', () => {
    expect([...readme.matchAll(/^npm ci && (.*)$/gm)].map(([, command]) => command)).toEqual([
      'node bin/run.js decrypt samples/idtech-swipe.json --test-keys',
      'npm test',
    ]);
  });

  const title = 'the transcript that begins with $title is true';
  it.each(blocks.filter((block) => !needsRedis(block)))(title, holds);
  it.skipIf(!HAS_REDIS).each(blocks.filter(needsRedis))(title, holds);
});

function holds({steps}: Block): void {
  const before = blocks.flatMap((block) => block.steps).indexOf(steps[0] as Step);
  for (const [i, {expected}] of steps.entries()) {
    expect(`${outputs[before + i]}\n`).toMatch(pattern(expected));
  }
}

function needsRedis({title}: Block): boolean {
  return title.startsWith('redis-server');
}

function readBlock(text: string): Block {
  const steps = text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.split('\n');
      return {command, expected: lines.join('\n').trimEnd()};
    });
  return {title: steps[0]?.command ?? '', steps};
}

async function freePorts(): Promise<Map<string, string>> {
  const servers = PORTS.map(() => createServer().listen(0, '127.0.0.1'));
  const ports = await Promise.all(servers.map(portOf));
  return new Map(PORTS.map((port, i) => [port, ports[i] ?? port]));
}

async function portOf(server: Server): Promise<string> {
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? String(address.port) : '';
}

/** `text` with the ports of README.md replaced by free ones. */
function withFreePorts(text: string): string {
  return text.replaceAll(/\b(?:808[0-2]|6379)\b/g, (port) => free.get(port) ?? port);
}

const MARK = '--- end of step';
const STOP_SERVERS = 'kill $(jobs -p) 2>/dev/null';

async function runAll(commands: readonly string[]): Promise<string[]> {
  const script = commands.map((command) => `${shellText(command)}\nprintf '\\n%s\\n' '${MARK}'`);
  const {stdout} = await execa('bash', ['-c', `exec 2>&1\n${script.join('\n')}\n${STOP_SERVERS}`], {
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

/** A server writes to a file, which is shown up to its ready line. */
function shellText(command: string): string {
  if (!command.endsWith(' &')) return withFreePorts(command);
  const port = command.includes('--port') ? '' : ' --port 8080';
  return withFreePorts(`rm -f ready.txt
${command.slice(0, -2)}${port} >ready.txt 2>&1 &
until grep -qs '^{"url' ready.txt || ! kill -0 $!; do sleep 0.1; done
sed '/^{"url/q' ready.txt`);
}

function pattern(expected: string): RegExp {
  const lines = withFreePorts(expected)
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
