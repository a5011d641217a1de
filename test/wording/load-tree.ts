import {fileURLToPath} from 'node:url';
import {createServer, createServerModuleRunner, type Plugin} from 'vite';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The source tree, loaded once more in this process. */
export interface Tree {
  /** A module of it: `src/engine/decrypt.ts`. */
  readonly load: <T>(file: string) => Promise<T>;
  readonly close: () => Promise<void>;
}

/**
 * Loads modules of the source tree in which `change` replaces the text of every file of `folders`.
 */
export async function loadTree(
  change: (code: string) => string,
  folders: readonly string[],
): Promise<Tree> {
  const prefixes = folders.map((folder) => `${ROOT}${folder}/`);
  const plugin: Plugin = {
    name: 'change',
    enforce: 'pre',
    transform: (code, id) => (prefixes.some((one) => id.startsWith(one)) ? change(code) : null),
  };
  const server = await createServer({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    server: {middlewareMode: true, hmr: false, ws: false, watch: null},
    appType: 'custom',
    plugins: [plugin],
  });
  const runner = createServerModuleRunner(server.environments.ssr, {hmr: false});
  return {
    load: (file) => runner.import(`${ROOT}${file}`),
    close: () => server.close(),
  };
}
