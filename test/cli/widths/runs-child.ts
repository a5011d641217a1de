// Started by a test. Runs the commands of a JSON file, one after the other, in the terminal that it is
// given, and prints a line before each. Each run says how wide the terminal is.
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync} from 'node:fs';
import {fileURLToPath, pathToFileURL} from 'node:url';
import type {Run} from './runs.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const {start} = await import(pathToFileURL(`${root}dist/cli/start.js`).href);
const pjson = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const runs: Run[] = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));

for (const stream of [process, process.stdout, process.stderr]) stream.setMaxListeners(0);
for (const {argv, folder, columns} of runs) {
  mkdirSync(folder, {recursive: true});
  process.chdir(folder);
  process.env.HOME = folder;
  process.env.XDG_CONFIG_HOME = folder;
  if (process.stdout.isTTY) await resize(columns);
  // What is written to both streams must not change places.
  await written(`\n\u0002${JSON.stringify({argv, folder, columns})}\n`);
  process.exitCode = undefined;
  await start({root, pjson}, argv);
  await written(`\u0003${process.exitCode ?? 0}\n`);
}
await written('\n');
process.exit();

/** As a user does who drags the corner of the window. */
async function resize(columns: number): Promise<void> {
  if (process.stdout.columns === columns) return;
  execFileSync('stty', ['cols', String(columns)], {stdio: 'inherit'});
  while (process.stdout.columns !== columns || process.stderr.columns !== columns)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

function written(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}
