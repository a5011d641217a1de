// Compiles src to dist from nothing, so that no file of an older build is ever shipped.
import {spawnSync} from 'node:child_process';
import {rmSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}/dist`, {recursive: true, force: true});
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const {status} = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json'], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
