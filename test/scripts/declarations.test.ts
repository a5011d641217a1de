import {cpSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {beforeAll, describe, expect, test} from 'vitest';
import {families} from '../../scripts/build/terminal-entries.mjs';
import {tempFolder} from '../keyfile/temp-folder.js';

interface Exported {
  readonly types?: string;
}

const {exports} = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly exports: Readonly<Record<string, string | Exported>>;
};
/** Every module that importers can name, as they name it. */
const MODULES = Object.entries(exports)
  .filter(([, target]) => typeof target === 'object' && target.types !== undefined)
  .flatMap(([name]) =>
    name.endsWith('/*') ? families().map((one) => name.replace('*', one)) : name,
  )
  .map((name) => `paylens${name.slice(1)}`);

let folder = '';
// Only what is shipped: a declaration that leads back to the sources must not find them.
beforeAll(() => {
  folder = tempFolder();
  const installed = path.join(folder, 'node_modules/paylens');
  mkdirSync(installed, {recursive: true});
  cpSync('package.json', path.join(installed, 'package.json'));
  cpSync('dist', path.join(installed, 'dist'), {
    recursive: true,
    filter: (file) => !/\.(?:js|map)$/.test(file),
  });
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  const uses = MODULES.map((name, i) => `export * as m${i} from '${name}';`);
  writeFileSync(path.join(folder, 'consumer.ts'), [...uses, USE].join('\n'));
});

const USE = `
import {decrypt, PaylensError} from 'paylens';
import {startServer, type StartServerOptions, type TestServer} from 'paylens/server';
const options: StartServerOptions = {};
import {decrypt as decryptWith, type DecryptResult} from 'paylens/decrypt';
import {idtech} from 'paylens/terminals/idtech';
export const card: DecryptResult = decryptWith('', {terminals: [idtech], keys: {bdk: ''}});
export const server: Promise<TestServer> = startServer(options);
export const codeOf = (error: unknown) => error instanceof PaylensError ? error.code : undefined;
`;

const STRICT = [
  ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
  ...['--noPropertyAccessFromIndexSignature', '--isolatedModules', '--verbatimModuleSyntax'],
  ...['--skipLibCheck', 'false', '--types', ''],
];

describe('the declarations, on their own and without those of Node', () => {
  test.each([
    ['nodenext', 'es2022', ['--module', 'nodenext', '--lib', 'es2022']],
    ['node16', 'es2022', ['--module', 'node16', '--lib', 'es2022']],
    [
      'a bundler',
      'es2022, dom',
      ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom'],
    ],
    ['nodenext', 'esnext', ['--module', 'nodenext', '--lib', 'esnext']],
  ])('compile for %s with %s', async (_, _lib, settings) => {
    const tsc = path.resolve('node_modules/typescript/bin/tsc');
    const argv = [tsc, ...STRICT, '--target', 'es2022', ...settings, 'consumer.ts'];
    const {stdout} = await execa(process.execPath, argv, {cwd: folder, reject: false});
    expect(stdout).toBe('');
  });

  test('are those of every module that can be imported', () => {
    expect(MODULES).toContain('paylens');
    expect(MODULES).toContain('paylens/terminals/idtech');
  });
});
