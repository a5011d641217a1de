// Collects the licences of the packages that the build bundles with our code: they must be
// distributed with it.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';

/**
 * The licence texts, as one text, of the packages that own `inputs`, which are paths below `root`.
 * Throws if a package has no licence.
 */
export function joinedLicences(root, inputs) {
  return packageFolders(inputs)
    .map((folder) => licenceOf(path.join(root, folder)))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** The folders of the packages that own `inputs`, sorted. */
export function packageFolders(inputs) {
  return [...new Set(inputs.map(packageFolder).filter(Boolean))].sort();
}

function packageFolder(input) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

function licenceOf(folder) {
  const {name, version, license} = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  if (!license) throw new Error(`${name} names no licence: it cannot be joined`);
  return `${name} ${version} (${license})\n\n${licenceText(folder)}`;
}

function licenceText(folder) {
  const file = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file ? readFileSync(path.join(folder, file), 'utf8') : '';
}
