import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';

/** The environment variables that say where things are; an empty one counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The keyfiles to use, in this order: those named by flags, `PAYLENS_KEYFILE`, the default
 * `$XDG_CONFIG_HOME/paylens/keyfile.age` (XDG Base Directory: a relative value is ignored).
 */
export function keyfilePaths(flags: readonly string[], env: Environment): readonly string[] {
  if (flags.length > 0) return flags;
  if (env.PAYLENS_KEYFILE) return [env.PAYLENS_KEYFILE];
  const xdg = env.XDG_CONFIG_HOME ?? '';
  const config = isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), '.config');
  return [join(config, 'paylens', 'keyfile.age')];
}
