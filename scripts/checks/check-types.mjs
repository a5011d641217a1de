// Holds the public types against their snapshot, and demands a comment on every exported name.
// `npm run types` renews the snapshot, if CHANGELOG.md has said more since the last time.
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {exportsOf} from './public-types.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = path.join(root, 'dist');
const snapshot = path.join(root, 'scripts/checks/public-types.txt');
const renew = process.argv.includes('--renew');

const entries = [
  ...['index', 'decrypt', 'samples/index', 'server'].map((name) => `${name}.d.ts`),
  ...readdirSync(path.join(dist, 'terminals'))
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => `terminals/${file}`)
    .sort(),
];
const exported = entries.map((entry) => [entry, exportsOf(path.join(dist, entry))]);
const faults = [...undocumented(), ...compare()];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
const count = exported.reduce((sum, [, names]) => sum + names.size, 0);
console.log(`types: ${count} exported names in ${entries.length} modules, each documented`);

function undocumented() {
  return exported.flatMap(([entry, names]) =>
    [...names]
      .filter(([, {isDocumented}]) => !isDocumented)
      .map(([name]) => `dist/${entry}: ${name} has no comment that tells what it is`),
  );
}

function compare() {
  const [types, log] = [typesText(), changelogHash()];
  const [known, knownLog] = existsSync(snapshot) ? taken() : ['', ''];
  if (types === known) return [];
  if (!renew) {
    return [
      `the public types have changed: ${firstDifference(known, types)}`,
      'Say so in CHANGELOG.md, then run `npm run types` and commit scripts/checks/public-types.txt.',
    ];
  }
  if (log === knownLog) return ['the public types have changed: CHANGELOG.md has to say so first'];
  writeFileSync(snapshot, `changelog ${log}\n${types}`);
  return [];
}

function taken() {
  const [first, ...rest] = readFileSync(snapshot, 'utf8').split('\n');
  return [rest.join('\n'), first.replace('changelog ', '')];
}

function firstDifference(known, types) {
  const lines = new Set(known.split('\n'));
  const now = new Set(types.split('\n'));
  const added = [...now].find((line) => !lines.has(line));
  const gone = [...lines].find((line) => !now.has(line));
  return (added ? `+ ${added}` : `- ${gone}`).slice(0, 300);
}

/** A line for each module and its names, then a line for each type. */
function typesText() {
  const reached = new Map();
  const modules = exported.map(([entry, names]) => {
    for (const each of names.values()) reached.set(each.id, each);
    return `${entry}: ${[...names.keys()].sort().join(', ')}`;
  });
  // Iterating a map also visits elements added meanwhile.
  for (const each of reached.values()) {
    for (const one of each.references()) if (!reached.has(one.id)) reached.set(one.id, one);
  }
  const lines = [...reached.values()].map(({code}) => code).sort();
  return `${[...modules, '', ...new Set(lines)].join('\n')}\n`;
}

function changelogHash() {
  const text = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const [, newest] = text.split(/^## /m);
  return createHash('sha256').update(newest).digest('hex').slice(0, 16);
}
