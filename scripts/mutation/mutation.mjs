// Runs StrykerJS on areas of the code, one after another: `npm run mutation -- tlv own`.
import {spawnSync} from 'node:child_process';
import {AREAS} from './areas.mjs';

const names = process.argv.slice(2);
if (names.length === 0 || names.some((name) => !(name in AREAS))) {
  console.error(`Areas: ${Object.keys(AREAS).join(', ')}`);
  process.exit(1);
}
const results = names.map((name) =>
  spawnSync('npx', ['stryker', 'run', 'scripts/mutation/stryker.config.mjs'], {
    stdio: 'inherit',
    env: {...process.env, MUTATION_AREA: name, TEST_SEED: '1'},
  }),
);
if (results.some(({status}) => status !== 0)) process.exit(1);
