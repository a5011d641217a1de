import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** Folders with the sources of the libraries; what is missing is cloned. */
export interface Sources {
  readonly openemv?: string | undefined;
  readonly libdukpt?: string | undefined;
}

/** A program that was built: its name with that of its back end, and its file. */
export interface Program {
  readonly name: string;
  readonly file: string;
}

/** The programs by what they do. */
export interface Programs {
  readonly tdes: readonly Program[];
  readonly aes: readonly Program[];
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

/**
 * Builds both libraries, and the driver with each, as their own instructions say; openemv/dukpt with
 * every back end that is installed.
 */
export function buildPrograms(sources: Sources): Programs {
  mkdirSync(CACHE, {recursive: true});
  const openemv = sourcesOf('openemv', sources.openemv, OPENEMV);
  const libdukpt = sourcesOf('libdukpt', sources.libdukpt, LIBDUKPT);
  const withOpenemv = BACK_ENDS.flatMap((backEnd) => openemvWith(backEnd, openemv));
  const withLibdukpt = driver('with-libdukpt', [`-DLIBDUKPT=${libdukpt}`]);
  const ofOpenemv = (program: string) =>
    withOpenemv.map(({name, folder}) => ({name, file: path.join(folder, program)}));
  const tdes = {name: 'libdukpt, OpenSSL', file: path.join(withLibdukpt, 'libdukpt-tdes')};
  return {tdes: [...ofOpenemv('openemv-tdes'), tdes], aes: ofOpenemv('openemv-aes')};
}

/** It prefers the first and takes the second where the first is not found. */
const BACK_ENDS = ['MbedTLS', 'OpenSSL'] as const;

/** In its cache, as found by its own module or by the configuration of MbedTLS 3. */
const HAS_MBEDTLS = /^MbedTLS_(?:DIR|mbedcrypto_LIBRARY):.*=\//m;

/** The library with one of them, and the driver; nothing if it is not installed. */
function openemvWith(backEnd: (typeof BACK_ENDS)[number], sources: string) {
  const library = path.join(CACHE, 'build', `openemv-${backEnd}`);
  const only = backEnd === 'MbedTLS' ? [] : ['-DCMAKE_DISABLE_FIND_PACKAGE_MbedTLS=ON'];
  run('cmake', ['-S', sources, '-B', library, RELEASE, '-DBUILD_TESTING=OFF', ...only]);
  const found = readFileSync(path.join(library, 'CMakeCache.txt'), 'utf8');
  if (backEnd === 'MbedTLS' && !HAS_MBEDTLS.test(found)) return [];
  run('cmake', ['--build', library, '--target', 'dukpt_tdes', 'dukpt_aes']);
  // Its configuration looks for MbedTLS by a module that it does not install.
  const modules = path.join(sources, 'crypto/cmake/Modules');
  const folder = driver(`with-openemv-${backEnd}`, [
    `-Ddukpt_DIR=${path.join(library, 'cmake')}`,
    `-DCMAKE_MODULE_PATH=${modules}`,
  ]);
  return [{name: `openemv/dukpt, ${backEnd}`, folder}];
}

function sourcesOf(name: string, given: string | undefined, url: string): string {
  if (given !== undefined) return path.resolve(given);
  const clone = path.join(CACHE, name);
  if (existsSync(clone)) return clone;
  const shallow = ['--depth', '1', '--recurse-submodules', '--shallow-submodules'];
  run('git', ['clone', ...shallow, url, clone], `or give its folder: --${name} DIR`);
  return clone;
}

function driver(name: string, library: readonly string[]): string {
  const build = path.join(CACHE, 'build', name);
  run('cmake', ['-S', DRIVER, '-B', build, RELEASE, ...library]);
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
