import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

function tsc(argv: readonly string[]) {
  const bin = path.join(root, 'node_modules/typescript/bin/tsc');
  return execa(process.execPath, [bin, ...argv], {cwd: root, reject: false});
}

/** What uses Node alone, or browsers alone, in any spelling; each must not compile. */
const WRONG: Readonly<Record<string, string>> = {
  Buffer: 'export const a = Buffer.from([1]);',
  'Buffer of the global object': 'export const a = globalThis.Buffer;',
  'the type of a Buffer': 'export const a = (bytes: Buffer) => bytes;',
  'an encoding of toString': "export const a = (bytes: Uint8Array) => bytes.toString('hex');",
  'a module of Node': "import {hash} from 'node:crypto';\nexport const a = hash;",
  'one without its prefix': "import {isIP} from 'net';\nexport const a = isIP;",
  'one that is loaded late': "export const a = () => import('node:fs');",
  require: "export const a = require('fs');",
  process: 'export const a = process.env;',
  setImmediate: 'export const a = () => setImmediate(() => {});',
  'a type of Node': 'export const a = (error: NodeJS.ErrnoException) => error;',
  __dirname: 'export const a = __dirname;',
};

describe('the code that runs everywhere', () => {
  it('is all that its folders hold, and nothing of Node', async () => {
    const {stdout, exitCode} = await tsc(['-p', 'tsconfig.neutral.json', '--listFiles']);
    const files = stdout
      .split('\n')
      .map((file) => path.relative(root, file).split(path.sep).join('/'))
      .filter((file) => file.startsWith('src/'));
    expect(exitCode).toBe(0);
    const folders = new Set(files.map((file) => file.split('/')[1]));
    for (const folder of ['contract', 'engine', 'diagnosis', 'simulator', 'auth'])
      expect(folders).toContain(folder);
    expect(files).toContain('src/client/sign-request.ts');
    expect(files).toContain('src/engine/key-block/key-block.ts');
    expect(files).toContain('src/platform/neutral/platform.ts');
    expect(files.filter((file) => file.startsWith('src/platform/node/'))).toEqual([]);
  });

  it('does not compile with what Node or browsers alone have', async () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, 'src'));
    const names = Object.keys(WRONG);
    for (const [i, name] of names.entries())
      writeFileSync(path.join(folder, `src/planted${i}.ts`), `${WRONG[name]}\n`);
    const config = {
      extends: path.join(root, 'tsconfig.neutral.json'),
      compilerOptions: {rootDir: folder},
      include: ['src'],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const {stdout} = await tsc(['-p', folder]);
    expect(names.filter((_, i) => !stdout.includes(`planted${i}.ts(`))).toEqual([]);
  });
});
