import {homedir} from 'node:os';
import {posix, win32} from 'node:path';

/** The environment variables that say where things are; an empty one counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The keyfiles to use, in this order: those named by flags, `PAYLENS_KEYFILE`, `keyfile.age` in the
 * folder of the user's configuration.
 */
export function keyfilePaths(
  flags: readonly string[],
  env: Environment,
  platform: string = process.platform,
): readonly string[] {
  if (flags.length > 0) return flags;
  if (env.PAYLENS_KEYFILE) return [env.PAYLENS_KEYFILE];
  const {join} = pathOf(platform);
  return [join(configFolder(env, platform), 'paylens', 'keyfile.age')];
}

/**
 * `XDG_CONFIG_HOME` (XDG Base Directory: a relative value is ignored), else `%APPDATA%` on Windows and
 * `~/.config` elsewhere.
 */
function configFolder(env: Environment, platform: string): string {
  const {isAbsolute, join} = pathOf(platform);
  const named = [env.XDG_CONFIG_HOME, ...(platform === 'win32' ? [env.APPDATA] : [])];
  const folder = named.find((each = '') => isAbsolute(each));
  if (folder !== undefined) return folder;
  if (platform === 'win32') return join(env.USERPROFILE || homedir(), 'AppData', 'Roaming');
  return join(env.HOME || homedir(), '.config');
}

function pathOf(platform: string): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
