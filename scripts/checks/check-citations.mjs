// Checks that every page of the project that code cites exists, and so does the heading; links of
// Markdown are checked by remark-validate-links. Prints every fault with its file and line.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** A page below docs, or one of the root, with its heading. */
const CITATION = /(?<![\w/.}-])((?:docs\/)?[\w/-]+\.md)(?![\w-])(?:#([\w-]+))?/g;
/** Pages of many subjects, which are cited with a heading. */
const BY_HEADING = /^docs\/(?:terminals\/|contract\.md|interface\.md)/;

const root = path.resolve(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)));
const faults = files().flatMap(faultsIn);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log('citations: every page and heading is there');

function files() {
  const argv = [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    'src',
    'scripts',
    'bench',
  ];
  const names = execFileSync('git', argv, {cwd: root, encoding: 'utf8'}).split('\n');
  return names.filter(
    (name) => /\.(?:tsx?|mjs|js)$/.test(name) && existsSync(path.join(root, name)),
  );
}

function faultsIn(file) {
  const text = readFileSync(path.join(root, file), 'utf8').replaceAll(/https?:\/\/\S+/g, '');
  return text.split('\n').flatMap((line, i) =>
    [...line.matchAll(CITATION)].flatMap(([found, page, heading]) => {
      const isComment = /^\s*(?:\/\/|\/\*|\*)/.test(line) || heading !== undefined;
      const fault = isComment ? faultOf(page, heading) : undefined;
      return fault ? [`${file}:${i + 1}: ${found} ${fault}`] : [];
    }),
  );
}

function faultOf(page, heading) {
  const place = path.join(root, page);
  if (!existsSync(place)) return 'is not there';
  if (heading === undefined) return BY_HEADING.test(page) ? 'needs a heading' : undefined;
  return anchorsIn(readFileSync(place, 'utf8')).has(heading) ? undefined : 'has no such heading';
}

/** The headings of a page as GitHub names them. */
function anchorsIn(text) {
  const titles = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ +(.+)$/gm)];
  const count = new Map();
  return new Set(
    titles.map(([, title]) => {
      const shown = title
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .trim()
        .toLowerCase();
      const anchor = shown.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
      const before = count.get(anchor) ?? 0;
      count.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}
