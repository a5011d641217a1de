// Counts the files that `decrypt --test-keys` loads and checks the number against a fixed limit:
// start-up time is file loading, and the number of files is the same on every machine. Another
// limit may be given as argument.
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';

const MOST = 10;

const root = fileURLToPath(new URL('../..', import.meta.url));
const most = Number(process.argv[2] ?? MOST);
const loaded = loadedFiles();
console.log(`start-up: ${loaded} files loaded, at most ${most} allowed`);
if (loaded === 0 || loaded > most) process.exit(1);

function loadedFiles() {
  const argv = ['bin/run.js', 'decrypt', 'samples/idtech-swipe.json', '--test-keys'];
  const {status, stderr} = spawnSync(
    process.execPath,
    ['--import', './scripts/checks/count-modules.mjs', ...argv],
    {cwd: root, encoding: 'utf8'},
  );
  if (status !== 0) throw new Error(`decrypt ended with ${status}: ${stderr}`);
  return Number(/^loaded files: (\d+)$/m.exec(stderr)?.[1] ?? 0);
}
