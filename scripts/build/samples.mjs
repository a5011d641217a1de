// Writes the module `paylens/samples`, which is data alone: the published reads that `npm run docs`
// collects from the samples of the tests.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';

const DECLARATION = `import type {PublishedReads} from '../library/published-read.js';
export type {
  PublishedRead,
  PublishedReads,
  ReadEvidence,
  ReadField,
  ReadKey,
} from '../library/published-read.js';
/** Every payload that paylens knows to be published, with its source; frozen. */
export declare const PUBLISHED_READS: PublishedReads;
`;

/** Writes the module and its declaration into the folder `dist`. */
export function writeSamples(root, dist) {
  const file = path.join(root, 'docs/samples/published-reads.json');
  const {version, reads} = JSON.parse(readFileSync(file, 'utf8'));
  const folder = path.join(dist, 'samples');
  mkdirSync(folder, {recursive: true});
  writeFileSync(path.join(folder, 'index.js'), moduleOf({version, reads}));
  writeFileSync(path.join(folder, 'index.d.ts'), DECLARATION);
}

function moduleOf(data) {
  return [
    'function frozen(value) {',
    "  for (const one of Object.values(value)) if (typeof one === 'object') frozen(one);",
    '  return Object.freeze(value);',
    '}',
    `export const PUBLISHED_READS = /* @__PURE__ */ frozen(${JSON.stringify(data)});`,
    '',
  ].join('\n');
}
