// `npm run check`: builds, then runs every check, two at a time, and lists those that failed.
// `--built` uses the existing dist; `--release` adds checks that need a registry.
import {spawn} from 'node:child_process';
import {availableParallelism} from 'node:os';
import path from 'node:path';
import {performance} from 'node:perf_hooks';

const CHECKS = [
  'tsc -p tsconfig.check.json',
  'tsc -p tsconfig.neutral.json',
  'tsc -p tsconfig.page.json',
  'tsc -p test/page',
  'biome check',
  'eslint --no-config-lookup -c scripts/checks/linear-time.config.mjs src bin',
  'depcruise src',
  'knip',
  'node scripts/checks/check-house.mjs',
  'node scripts/checks/check-budget.mjs',
  'node scripts/checks/check-citations.mjs',
  'node scripts/checks/check-manifest.mjs',
  'remark --frail --quiet --no-stdout docs README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md',
  'secretlint **/*',
  'node scripts/checks/check-secrets.mjs',
  'node scripts/checks/check-types.mjs',
  'tsx bench/check-ledger.ts',
  'tsx scripts/docs/make-docs.ts --check',
];
const RELEASE = ['node scripts/checks/check-advisories.mjs'];

const BIN = path.resolve('node_modules/.bin');

const waiting = [...CHECKS, ...(process.argv.includes('--release') ? RELEASE : [])];
const failed = [];
if (process.argv.includes('--built') || (await isPassing('npm run build'))) {
  await Promise.all(Array.from({length: availableParallelism()}, runAll));
}
if (failed.length > 0) {
  console.error(`\nfailed:\n${failed.map((command) => `  ${command}`).join('\n')}`);
  process.exit(1);
}

async function runAll() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    await isPassing(next);
  }
}

/** Prints the output of a command at its end, so that outputs do not mix. */
async function isPassing(command) {
  const started = performance.now();
  const child = spawn(command, {
    shell: true,
    env: {...process.env, PATH: `${BIN}${path.delimiter}${process.env.PATH}`},
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const status = await new Promise((resolve) => child.on('close', resolve));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `\n--- ${command}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n${output.trim()}`,
  );
  if (status !== 0) failed.push(command);
  return status === 0;
}
