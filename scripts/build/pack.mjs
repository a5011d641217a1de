// Run by npm before and after it packs: for the time between, package.json names the repository, which
// is where `git remote get-url origin` says. Without such a remote it names none.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {repositoryOf} from './repository.mjs';

const [step, given] = process.argv.slice(2);
const root = path.resolve(given ?? fileURLToPath(new URL('../..', import.meta.url)));
const manifest = path.join(root, 'package.json');
const kept = path.join(root, 'node_modules/.cache/paylens-pack/package.json');

restore();
if (step === 'before') nameRepository();

/** Also before packing: the last time may have been interrupted. */
function restore() {
  if (!existsSync(kept)) return;
  writeFileSync(manifest, readFileSync(kept));
  rmSync(kept);
}

function nameRepository() {
  const url = repositoryOf(remote());
  if (url === undefined) return;
  const text = readFileSync(manifest, 'utf8');
  mkdirSync(path.dirname(kept), {recursive: true});
  writeFileSync(kept, text);
  const named = {...JSON.parse(text), repository: {type: 'git', url}};
  writeFileSync(manifest, `${JSON.stringify(named, null, 2)}\n`);
}

function remote() {
  const {stdout} = spawnSync('git', ['-C', root, 'remote', 'get-url', 'origin'], {
    encoding: 'utf8',
  });
  return stdout?.trim() ?? '';
}
