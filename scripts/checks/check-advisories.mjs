// Asks the registry for known weaknesses (`npm audit`), and fails for those of packages that are
// bundled with ours: those that only the development uses are never run by a user.
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

const {components} = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
const bundled = new Set(
  components.map(({purl}) => decodeURIComponent(purl.slice('pkg:npm/'.length))),
);
const {packages} = JSON.parse(readFileSync('package-lock.json', 'utf8'));

const {stdout, stderr} = spawnSync('npm', ['audit', '--json'], {
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
const {vulnerabilities} = JSON.parse(stdout);
if (!vulnerabilities) throw new Error(`npm audit failed:\n${stdout}${stderr}`);
const found = Object.values(vulnerabilities).filter(({name, nodes}) =>
  nodes.some((place) => bundled.has(`${name}@${packages[place]?.version}`)),
);
for (const {name, severity, via} of found)
  console.error(`${name} (${severity}): ${via.map((each) => each.title ?? each).join('; ')}`);
if (found.length > 0) process.exit(1);
console.log(`advisories: none for ${bundled.size} bundled packages`);
