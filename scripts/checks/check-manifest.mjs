// Checks that oclif.manifest.json and src/command-list.ts match the commands in dist. Another root
// may be given as argument; its dist must be built.
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {isDeepStrictEqual} from 'node:util';
import {Plugin} from '@oclif/core';

const root = path.resolve(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)));
const faults = [...(await manifestFaults()), ...(await listFaults())];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log('manifest: current, and equal to the command list');

async function manifestFaults() {
  const plugin = new Plugin({
    root,
    type: 'core',
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  });
  await plugin.load();
  const current = JSON.parse(JSON.stringify(plugin.manifest));
  if (isDeepStrictEqual(current, committed())) return [];
  return ['oclif.manifest.json is not current: run `npm run manifest` and commit it'];
}

async function listFaults() {
  const {COMMANDS} = await import(pathToFileURL(path.join(root, 'dist/command-list.js')).href);
  const listed = Object.keys(COMMANDS).sort();
  const expected = Object.keys(committed().commands).sort();
  if (isDeepStrictEqual(listed, expected)) return [];
  return [`src/command-list.ts has ${listed}, the manifest has ${expected}`];
}

function committed() {
  return JSON.parse(readFileSync(path.join(root, 'oclif.manifest.json'), 'utf8'));
}
