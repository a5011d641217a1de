import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {rolldown} from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Which version of the platform is joined: Node's, or the one for every runtime. */
export type Condition = 'node' | 'default';

/**
 * Joins a file of this folder and everything that it imports to one file without imports, except
 * Node's own modules under the condition `node`. The version for every runtime must not have any.
 */
export async function bundle(entry: string, condition: Condition, file: string): Promise<void> {
  const build = await rolldown({
    cwd: root,
    input: path.join(root, 'test/runtimes', entry),
    // A browser has no environment.
    transform: {define: {'process.env.TEST_LONG': JSON.stringify(process.env.TEST_LONG ?? '')}},
    platform: condition === 'node' ? 'node' : 'browser',
    resolve: {conditionNames: condition === 'node' ? ['node', 'import'] : ['import']},
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  await build.write({file, format: 'esm', codeSplitting: false});
  await build.close();
}
