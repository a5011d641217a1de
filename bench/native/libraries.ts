import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** Folders with the sources of the libraries; what is missing is cloned. */
export interface Sources {
  readonly openemv?: string | undefined;
  readonly libdukpt?: string | undefined;
}

/** The programs that were built, by what they do. */
export interface Programs {
  readonly openemvTdes: string;
  readonly openemvAes: string;
  readonly libdukptTdes: string;
}

const OPENEMV = 'https://github.com/openemv/dukpt';
const LIBDUKPT = 'https://github.com/aleksander0m/libdukpt';
/** Compiled, this file is four folders deep. */
const DRIVER = fileURLToPath(new URL('../../../../../bench/native', import.meta.url));
/** Their licence is not ours: sources and programs stay outside the repository. */
const CACHE = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'paylens-bench',
);
const RELEASE = '-DCMAKE_BUILD_TYPE=Release';

/** Builds both libraries, and the driver with each, as their own instructions say. */
export function buildPrograms(sources: Sources): Programs {
  mkdirSync(CACHE, {recursive: true});
  const openemv = sourcesOf('openemv', sources.openemv, OPENEMV);
  const libdukpt = sourcesOf('libdukpt', sources.libdukpt, LIBDUKPT);

  const library = path.join(CACHE, 'build/openemv');
  run('cmake', ['-S', openemv, '-B', library, RELEASE, '-DBUILD_TESTING=OFF']);
  run('cmake', ['--build', library, '--target', 'dukpt_tdes', 'dukpt_aes']);
  const withOpenemv = driver('with-openemv', `-Ddukpt_DIR=${path.join(library, 'cmake')}`);
  const withLibdukpt = driver('with-libdukpt', `-DLIBDUKPT=${libdukpt}`);
  return {
    openemvTdes: path.join(withOpenemv, 'openemv-tdes'),
    openemvAes: path.join(withOpenemv, 'openemv-aes'),
    libdukptTdes: path.join(withLibdukpt, 'libdukpt-tdes'),
  };
}

function sourcesOf(name: string, given: string | undefined, url: string): string {
  if (given !== undefined) return path.resolve(given);
  const clone = path.join(CACHE, name);
  if (existsSync(clone)) return clone;
  const shallow = ['--depth', '1', '--recurse-submodules', '--shallow-submodules'];
  run('git', ['clone', ...shallow, url, clone], `or give its folder: --${name} DIR`);
  return clone;
}

function driver(name: string, library: string): string {
  const build = path.join(CACHE, 'build', name);
  run('cmake', ['-S', DRIVER, '-B', build, RELEASE, library]);
  run('cmake', ['--build', build]);
  return build;
}

/** What it says is shown only if it fails. */
function run(command: string, args: readonly string[], otherwise = ''): void {
  try {
    execFileSync(command, args, {stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8'});
  } catch (error) {
    const {stdout = '', stderr = ''} = error as {stdout?: string; stderr?: string};
    const failed = `${command} ${args.join(' ')} failed ${otherwise}`.trim();
    throw new Error(`${failed}\n${stdout}${stderr}`, {cause: error});
  }
}
