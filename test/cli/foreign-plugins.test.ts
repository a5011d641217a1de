import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {runBin} from './run-bin.js';

/** Every hook of oclif: all of them see what was typed. */
const HOOKS = [
  'init',
  'preparse',
  'prerun',
  'postrun',
  'finally',
  'preupdate',
  'command_not_found',
  'command_incomplete',
  'jit_plugin_not_installed',
];
/** Where a plugin may come from: `user` is installed, `link` is a folder of its developer. */
const TYPES = ['user', 'link'] as const;
const PAYLOAD = '4111111111111111';

let folder: string;
let traces: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'foreign-plugins-'));
  traces = path.join(folder, 'traces');
  for (const data of ['data', 'xdg/paylens', 'home/.local/share/paylens'])
    plantPlugins(path.join(folder, data));
});

beforeEach(() => {
  rmSync(traces, {recursive: true, force: true});
  mkdirSync(traces);
});

afterAll(() => rmSync(folder, {recursive: true}));

/** Packages as `plugins install` and `plugins link` leave them behind; each leaves a file when it runs. */
function plantPlugins(dataDir: string): void {
  const plugins = TYPES.map((type) => ({
    name: `planted-${type}`,
    type,
    root: path.join(dataDir, `node_modules/planted-${type}`),
  }));
  for (const {name, root} of plugins) {
    mkdirSync(path.join(root, 'commands'), {recursive: true});
    const hooks = Object.fromEntries(HOOKS.map((hook) => [hook, './hook.js']));
    write(root, 'package.json', {name, version: '1.0.0', oclif: {commands: './commands', hooks}});
    const leave = `require('fs').writeFileSync(${JSON.stringify(traces)} + '/' + Date.now() + Math.random(), process.argv.join(' '))`;
    write(root, 'hook.js', `${leave}; module.exports = async () => {};`);
    write(path.join(root, 'commands'), 'planted.js', `${leave}; exports.run = () => {};`);
  }
  const dependencies = Object.fromEntries(plugins.map(({name}) => [name, '1.0.0']));
  write(dataDir, 'package.json', {dependencies, oclif: {schema: 1, plugins}});
}

function write(directory: string, name: string, content: object | string): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(path.join(directory, name), text);
}

describe('a package in the data folder of the user is not loaded', () => {
  const places: [string, () => Record<string, string>][] = [
    ['PAYLENS_DATA_DIR', () => ({PAYLENS_DATA_DIR: path.join(folder, 'data')})],
    ['XDG_DATA_HOME', () => ({XDG_DATA_HOME: path.join(folder, 'xdg'), PAYLENS_DATA_DIR: ''})],
    ['HOME', () => ({HOME: path.join(folder, 'home'), XDG_DATA_HOME: '', PAYLENS_DATA_DIR: ''})],
  ];
  const commands: [string, string[]][] = [
    ['a command', ['decrypt', '--payload', PAYLOAD]],
    ['a command with --json', ['inspect', PAYLOAD, '--json']],
    ['the help of a command', ['decrypt', '--help']],
    ['help', ['help']],
    ['nothing', []],
    ['completion', ['completion', 'bash']],
    ['a plugin of ours', ['help', 'errors']],
    ['what is no command', ['decript', PAYLOAD]],
    ['a command of the package', ['planted', PAYLOAD]],
    ['the help of the package', ['planted', '--help']],
  ];
  const cases = places.flatMap(([place, env], index) =>
    (index === 0 ? commands : commands.slice(0, 4)).map(
      ([what, argv]) => [what, place, argv, env] as const,
    ),
  );

  it.each(cases)('by %s, named by %s', async (_what, _place, argv, env) => {
    const {stdout} = await runBin(argv, {
      env: {...env(), PAYLENS_CACHE_DIR: path.join(folder, 'cache')},
    });
    expect(readdirSync(traces)).toEqual([]);
    expect(stdout).not.toMatch(/^ *planted\b/m);
  });
});
