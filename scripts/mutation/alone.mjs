// Runs what cannot share a process with other tests, in the copy of the tree that is the working folder.
import {spawnSync} from 'node:child_process';

/** Whether one of `tests`, which replace modules, fails by itself in Vitest. */
export function failsAlone(tests) {
  return tests.length > 0 && !succeeds(['node_modules/vitest/vitest.mjs', 'run', ...tests]);
}

export function succeeds(argv) {
  return spawnSync(process.execPath, argv, {stdio: 'ignore'}).status === 0;
}
