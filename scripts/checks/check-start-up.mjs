// Counts the files that `decrypt --test-keys` loads and checks the number against a fixed limit:
// start-up time is file loading, and the number of files is the same on every machine. Another
// limit may be given as argument.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const MAX_FILES = 10;

const root = fileURLToPath(new URL('../..', import.meta.url));
const limit = Number(process.argv[2] ?? MAX_FILES);
const loaded = loadedFiles();
console.log(`start-up: ${loaded} files loaded, at most ${limit} allowed`);
if (loaded === 0 || loaded > limit) process.exit(1);

/** V8 writes the scripts that it ran, CommonJS and ESM. */
function loadedFiles() {
  const folder = mkdtempSync(path.join(tmpdir(), 'paylens-start-up-'));
  const argv = ['bin/run.js', 'decrypt', 'samples/idtech-swipe.json', '--test-keys'];
  const env = {...process.env, NODE_V8_COVERAGE: folder};
  const {status, stderr} = spawnSync(process.execPath, argv, {cwd: root, encoding: 'utf8', env});
  if (status !== 0) throw new Error(`decrypt failed:\n${stderr}`);
  const files = readdirSync(folder).flatMap((file) =>
    JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
      .result.map(({url}) => url)
      .filter((url) => url.startsWith('file:')),
  );
  rmSync(folder, {recursive: true});
  return new Set(files).size;
}
