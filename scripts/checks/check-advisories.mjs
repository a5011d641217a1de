// Checks everything that paylens ships against advisories.json: the production packages of
// package-lock.json and the packages bundled into dist. None may be malware or have a high or
// critical advisory; a lesser one must have its reason in `accepted`. A list older than 30 days is
// a warning, with --release a failure. Another root may be given as argument; its dist must be
// built.
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import semver from 'semver';

const REFUSED = ['malware', 'critical', 'high'];
const OLDEST_DAYS = 30;

const isRelease = process.argv.includes('--release');
const [given] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const root = path.resolve(given ?? fileURLToPath(new URL('../..', import.meta.url)));
const {asOf, advisories} = JSON.parse(read('scripts/checks/advisories.json'));
const shipped = [...new Set([...production(), ...joined()])];
const found = advisories.flatMap(affected);
const refused = found.filter(isRefused);
for (const each of found) console[isRefused(each) ? 'error' : 'log'](sentence(each));
if (refused.length > 0) process.exit(1);
const age = Math.floor((Date.now() - Date.parse(asOf)) / 86_400_000);
if (age > OLDEST_DAYS) {
  console.error(`advisories: the list is ${age} days old: bring it up to date before a release`);
  if (isRelease) process.exit(1);
}
const {length} = advisories;
console.log(`advisories: ${shipped.length} packages pass the ${length} that were known on ${asOf}`);

/** Every package version installed with paylens, as `name@version`. */
function production() {
  const {packages} = JSON.parse(read('package-lock.json'));
  return Object.entries(packages)
    .filter(([place, {dev}]) => place !== '' && !dev)
    .map(([place, {version}]) => `${place.replace(/^.*node_modules\//, '')}@${version}`);
}

/**
 * Bundled packages, some of them development dependencies, which `npm audit --omit=dev` ignores.
 */
function joined() {
  const heads = read('dist/LICENSES.txt').matchAll(/^(@?[a-z][^ ]*) (\d[^ ]*) \(/gm);
  return [...heads].map(([, name, version]) => `${name}@${version}`);
}

function affected(advisory) {
  const prefix = `${advisory.package}@`;
  return shipped
    .filter((each) => each.startsWith(prefix))
    .filter((each) => semver.satisfies(each.slice(prefix.length), advisory.affected))
    .map((each) => ({...advisory, shipped: each}));
}

function isRefused({severity, accepted}) {
  return REFUSED.includes(severity) || accepted === undefined;
}

function sentence({id, severity, shipped: version, accepted = 'not accepted', url}) {
  const source = url ?? `https://github.com/advisories/${id}`;
  return `advisories: ${version}: ${severity}, ${source}: ${accepted}`;
}

function read(file) {
  return readFileSync(path.join(root, file), 'utf8');
}
