// Counts the files that some commands load, and their kilobytes, and checks the numbers against fixed
// limits: start-up time is loading files, and the numbers are the same on every machine. Another limit
// of files may be given as argument.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const SAMPLE = ['samples/idtech-swipe.json', '--test-keys'];
/** The most files and kilobytes of each. None of them loads anything of the server. */
const COMMANDS = [
  {argv: ['decrypt', ...SAMPLE], most: [10, 622]},
  {argv: ['diagnose', ...SAMPLE], most: [36, 960]},
  {argv: ['simulate', '--device-type', 'idtech', '--test-keys'], most: [20, 660]},
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const [given = Number.POSITIVE_INFINITY] = process.argv.slice(2).map(Number);
for (const {argv, most: usual} of COMMANDS) {
  const most = [Math.min(given, usual[0]), usual[1]];
  const texts = loadedTexts(argv);
  const found = [texts.length, Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 1000)];
  const [command] = argv;
  console.log(
    `${command}: ${found.join(' files, ')} kB loaded, at most ${most.join(' and ')} allowed`,
  );
  if (found[0] === 0 || found.some((one, i) => one > most[i])) process.exitCode = 1;
  // V8 keeps the whole source of a file with one such character in two bytes a character.
  if (!texts.some((text) => /[^\0-\xFF]/.test(text))) continue;
  console.log(`${command}: a file has characters above U+00FF`);
  process.exitCode = 1;
}

/** V8 writes the scripts that it ran, CommonJS and ESM. */
function loadedTexts(argv) {
  const folder = mkdtempSync(path.join(tmpdir(), 'paylens-start-up-'));
  const env = {...process.env, NODE_V8_COVERAGE: folder};
  const options = {cwd: root, encoding: 'utf8', env};
  const {status, stderr} = spawnSync(process.execPath, ['bin/run.js', ...argv], options);
  if (status !== 0) throw new Error(`${argv[0]} failed:\n${stderr}`);
  const urls = readdirSync(folder).flatMap((file) =>
    JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
      .result.map(({url}) => url)
      .filter((url) => url.startsWith('file:')),
  );
  rmSync(folder, {recursive: true});
  return [...new Set(urls)].map((url) => readFileSync(new URL(url), 'utf8'));
}
