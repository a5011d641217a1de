// Checks the lines and files of every folder, and the counts of what the house still has to lose,
// against budget.json. `--lower` renews the ceilings, downwards only, and enters new folders as long
// as their top folder stays within its ceiling.
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {faultsByRule} from './name-rules.mjs';
import {filesBelow, lineCount, longFunctions, namesTwiceInALayer, readSource} from './sources.mjs';

const BUDGET = 'scripts/checks/budget.json';
/** Test data and binary files. */
const UNCOUNTED =
  /^test\/(?:vectors|samples)\/|package-lock\.json$|\.(?:png|pem|gz)$|budget\.json$|\.api\.md$/;

const root = fileURLToPath(new URL('../..', import.meta.url));
const budget = JSON.parse(readFileSync(path.join(root, BUDGET), 'utf8'));
const found = {folders: folders(), counts: counts()};

if (process.argv.includes('--lower')) lower();
const faults = [...folderFaults(), ...countFaults()];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log('budget: every folder is within its lines and files');

/** By folder, its lines and files: of src by layer, of the engine by its folders, of families each. */
function folders() {
  const sums = {};
  for (const top of ['src', 'test', 'scripts']) {
    for (const file of filesBelow(root, top).filter((name) => !UNCOUNTED.test(name))) {
      const lines = lineCount(readFileSync(path.join(root, file), 'utf8'));
      for (const folder of new Set([top, folderOf(file)])) {
        const [sum, files] = sums[folder] ?? [0, 0];
        sums[folder] = [sum + lines, files + 1];
      }
    }
  }
  return Object.fromEntries(Object.entries(sums).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function folderOf(file) {
  const depth = file.startsWith('src/engine/families/')
    ? 4
    : file.startsWith('src/engine/')
      ? 3
      : 2;
  return path.posix.dirname(file).split('/').slice(0, depth).join('/');
}

function counts() {
  const sources = filesBelow(root, 'src')
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readSource(root, file));
  return {
    'names that a layer has twice': namesTwiceInALayer(sources).length,
    'functions above 35 lines, in page 60': longFunctions(sources).length,
    ...Object.fromEntries(
      Object.entries(faultsByRule(sources)).map(([rule, places]) => [rule, places.length]),
    ),
  };
}

function folderFaults() {
  return Object.entries(found.folders).flatMap(([folder, [lines, files]]) => {
    const ceiling = budget.folders[folder];
    if (!ceiling) return [`${folder} is not in ${BUDGET}: run check-budget.mjs --lower`];
    if (lines <= ceiling[0] && files <= ceiling[1]) return [];
    return [`${folder}: ${lines} lines in ${files} files, its budget is ${ceiling.join(' in ')}`];
  });
}

function countFaults() {
  return Object.entries(found.counts)
    .filter(([what, count]) => count > (budget.counts[what] ?? 0))
    .map(([what, count]) => `${what}: ${count}, the budget is ${budget.counts[what] ?? 0}`);
}

function lower() {
  for (const [folder, now] of Object.entries(found.folders)) {
    const before = budget.folders[folder] ?? now;
    budget.folders[folder] = now.map((value, i) => Math.min(value, before[i]));
  }
  for (const folder of Object.keys(budget.folders)) {
    if (!found.folders[folder]) delete budget.folders[folder];
  }
  for (const [what, count] of Object.entries(found.counts)) {
    budget.counts[what] = Math.min(count, budget.counts[what] ?? count);
  }
  const lines = Object.entries(budget.folders)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, [count, files]]) => `    ${JSON.stringify(folder)}: [${count}, ${files}]`);
  const rest = JSON.stringify(budget.counts, null, 2).replaceAll('\n', '\n  ');
  const text = `{\n  "folders": {\n${lines.join(',\n')}\n  },\n  "counts": ${rest}\n}\n`;
  writeFileSync(path.join(root, BUDGET), text);
}
