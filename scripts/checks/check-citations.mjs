// Checks that every page cited in code and pages exists, and so does the heading. Prints every
// fault with its file and line and then exits with code 1.
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** Third-party files, build output, and fixtures that must not be changed. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'coverage', 'test/fixtures']);
const READ = /\.(?:ts|mjs|js|md)$/;

/**
 * Files that may also cite pages by their path below docs: the pages themselves, and their
 * generators.
 */
const OF_DOCS = /^(?:scripts\/)?docs\//;

const ADDRESS = /\bhttps?:\/\/[^\s)>'"`]+/g;
/** A page, optionally with a heading. Paths built from templates are not checked. */
const PAGE = /(?<![\w/.}-])((?:\.{1,2}\/)*\w[\w./-]*\.md)(?![\w-])(?:#([\w-]+))?/g;
/** A Markdown link to a file of the repository, or to a heading of the same page. */
const LINK = /\]\(([^)]*)\)|^\[[^\]]+\]:[ \t]*(.*)$|<\w[^>]*\s(?:href|src)="([^"]*)"/gm;
/** Pages that must be cited with a heading, because they cover many subjects. */
const BY_HEADING = /^docs\/(?:formats\/|contract\.md|interface\.md)/;
/** An old form of citation, without a page. */
const PAGELESS = /(?<!\])\((?:formats|contract|interface)\b(?!\.)[^()]*\)/g;
const SECTION = /\.md\)?,? sections? \d/g;

/** Cache of the headings of pages. */
const known = new Map();

const root = path.resolve(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)));
const faults = files(root).flatMap(faultsOf);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log('citations: every page and heading is there');

/** The files below `folder` that may cite pages, by their path below the root. */
function files(folder) {
  return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
    const file = path.relative(root, path.join(folder, entry.name)).split(path.sep).join('/');
    if (LEFT_OUT.has(file) || LEFT_OUT.has(entry.name)) return [];
    if (entry.isDirectory()) {
      const isHidden = entry.name.startsWith('.') && entry.name !== '.github';
      return isHidden ? [] : files(path.join(folder, entry.name));
    }
    return entry.isFile() && READ.test(file) ? [file] : [];
  });
}

function faultsOf(file) {
  const text = readFileSync(path.join(root, file), 'utf8').replace(ADDRESS, (found) =>
    ' '.repeat(found.length),
  );
  const isPage = file.endsWith('.md');
  const links = isPage ? linkFaults(file, text) : [];
  const prose = isPage ? text : commentsOf(text);
  return [...links, ...pageFaults(file, text), ...pagelessFaults(prose)]
    .filter(({why}) => why !== undefined)
    .map(({index, why}) => `${file}:${text.slice(0, index).split('\n').length}: ${why}`);
}

/** Checks the links of a page. */
function linkFaults(file, text) {
  const links = [...withoutCode(text).matchAll(LINK)];
  return links.map(({index, 1: inline, 2: defined, 3: ofTag}) => ({
    index,
    why: linkFault(file, (inline ?? defined ?? ofTag).trim()),
  }));
}

function linkFault(file, target) {
  // An address was blanked.
  if (target === '' || /^[a-z]+:/.test(target)) return undefined;
  const [, name, heading] = /^([^#\s<>"]*)(?:#([\p{L}\p{N}_-]+))?$/u.exec(target) ?? [];
  if (name === undefined) return `cannot follow the link ${target}`;
  return targetFault(name === '' ? file : path.posix.join(path.posix.dirname(file), name), heading);
}

/** Code shows brackets that are not links. */
function withoutCode(text) {
  return text.replaceAll(/^( *)```[\s\S]*?^\1```$|`[^`\n]+`/gm, (code) =>
    code.replaceAll(/[^\n]/g, ' '),
  );
}

/** Checks pages that are cited in text or in a link; code must cite some of them with a heading. */
function pageFaults(file, text) {
  return [...text.matchAll(PAGE)].map(({index, 1: name, 2: heading}) => {
    const there = placesOf(file, name).filter((place) => existsSync(path.join(root, place)));
    const [target] = there;
    if (target === undefined) return {index, why: `names ${name}, which is not there`};
    const isCited = !/\.md$/.test(file) && !OF_DOCS.test(file) && !isPath(text, index, name);
    const isVague = isCited && heading === undefined && BY_HEADING.test(target);
    if (isVague) return {index, why: `cite a heading of ${name}`};
    const faults = there.map((place) => targetFault(place, heading));
    return {index, why: faults.includes(undefined) ? undefined : faults[0]};
  });
}

/** A string that is nothing but a path is not a citation. */
function isPath(text, index, name) {
  return /^['"`]$/.test(text[index - 1]) && text[index + name.length] === text[index - 1];
}

function placesOf(file, name) {
  const folders = [path.posix.dirname(file), '.'];
  if (OF_DOCS.test(file)) folders.push('docs', 'docs/devices');
  return folders.map((folder) => path.posix.join(folder, name));
}

function targetFault(target, heading) {
  const place = path.join(root, target);
  if (!existsSync(place)) return `names ${target}, which is not there`;
  if (heading === undefined || statSync(place).isDirectory() || !target.endsWith('.md'))
    return undefined;
  return headingsOf(place).has(heading) ? undefined : `${target} has no heading #${heading}`;
}

/** The headings of a page as GitHub's anchors. */
function headingsOf(place) {
  const found = known.get(place) ?? anchorsIn(readFileSync(place, 'utf8'));
  known.set(place, found);
  return found;
}

function anchorsIn(text) {
  const anchors = new Set();
  for (const [, title] of text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ +(.+)$/gm)) {
    const anchor = anchorOf(title);
    let count = 0;
    while (anchors.has(count === 0 ? anchor : `${anchor}-${count}`)) count++;
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}

function anchorOf(title) {
  const shown = title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase();
  return shown.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
}

function pagelessFaults(text) {
  const bare = [...text.matchAll(PAGELESS)].filter(([found]) => !/\.md#/.test(found));
  return [
    ...bare.map(({index, 0: found}) => ({index, why: `${oneLine(found)} names no page`})),
    ...[...text.matchAll(SECTION)].map(({index}) => ({
      index,
      why: 'cite the heading, not a number',
    })),
  ];
}

/** Replaces everything but comments by spaces, so that line numbers stay the same. */
function commentsOf(code) {
  let end = 0;
  let comments = '';
  for (const {0: comment, index} of code.matchAll(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$/gm)) {
    comments += code.slice(end, index).replaceAll(/[^\n]/g, ' ') + comment;
    end = index + comment.length;
  }
  return comments;
}

function oneLine(text) {
  return text.replaceAll(/\s*\n\s*\*?\s*/g, ' ');
}
