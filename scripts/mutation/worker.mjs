// A copy of the repository with its own long-lived Vitest: runs the tests of a mutant, stage by
// stage, until one fails. Started by mutation.mjs in the copy.
import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {createVitest} from 'vitest/node';

const root = process.cwd();
const vitest = await createVitest('test', {
  root,
  watch: false,
  bail: 1,
  pool: 'forks',
  isolate: false,
  maxWorkers: 1,
  reporters: [{}],
});
await vitest.standalone();

process.on('message', async ({file, code, original, ...tests}) => {
  const whole = path.join(root, file);
  replace(whole, code);
  const killed = await fails(tests);
  replace(whole, original);
  process.send({killed});
});
process.send({ready: true});

function replace(file, code) {
  writeFileSync(file, code);
  vitest.invalidateFile(file);
}

async function fails({build, stages, alone}) {
  if (build && !succeeds(['scripts/build/build.mjs'])) return true;
  for (const stage of stages) if (!(await passes(stage))) return true;
  return alone.length > 0 && !succeeds(['node_modules/vitest/vitest.mjs', 'run', ...alone]);
}

async function passes(files) {
  if (files.length === 0) return true;
  const project = vitest.getRootProject();
  const paths = files.map((file) => path.join(root, file));
  const specifications = paths.map((file) => project.createSpecification(file));
  const {testModules, unhandledErrors} = await vitest.runTestSpecifications(specifications);
  // Vitest also returns modules of earlier runs.
  const ran = testModules.filter(({moduleId}) => paths.includes(moduleId));
  return unhandledErrors.length === 0 && ran.every((module) => module.ok());
}

function succeeds(argv) {
  return spawnSync(process.execPath, argv, {cwd: root, stdio: 'ignore'}).status === 0;
}
