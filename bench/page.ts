/** Writes the results to docs/benchmarks.md: figures and ratios, without the goals. */
import {readFileSync, writeFileSync} from 'node:fs';
import {availableParallelism, cpus, totalmem} from 'node:os';
import {fileURLToPath} from 'node:url';
import type {Section} from './report.js';

/** The compiled benchmarks are three folders deep. */
const ROOT = new URL('../../../../', import.meta.url);
const PEERS = ['dukpt', '@noble/ciphers', 'fastify', '@oclif/core'];

export function writePage(sections: readonly Section[]): void {
  const measured = `${machine()}\n\n${tableOf(sections)}`;
  const page = readFileSync(pathOf('docs/benchmarks.md'), 'utf8');
  // `npm run docs` fills it.
  const ledger = page.slice(page.indexOf(LEDGER));
  writeFileSync(pathOf('docs/benchmarks.md'), `${HEAD}\n${measured}\n\n${ledger}`);
}

const LEDGER = '## Ledger';

const HEAD = `<!-- Made by \`npm run bench\`. -->

# Benchmarks

All programs do the same work, take turns in the same run, and their results are checked: a run whose programs do not all give the same plaintexts ends with an error. A figure is the median of its rounds. A ratio is the median of the rounds' own ratios: of rates how many times as fast as this program the first one of its work is, of times and costs how many times as much it takes. Quote ratios: absolute figures are this machine's. \`npm run bench -- aes\` runs one section. \`npm run bench -- native\` runs the kernels beside the C libraries openemv/dukpt and libdukpt: it clones both into \`~/.cache/paylens-bench\`, or takes the folders given with \`--openemv DIR --libdukpt DIR\`, and builds them there, for which it needs cmake, a C compiler and the headers of OpenSSL; openemv/dukpt is built with MbedTLS as well if its headers are installed, and the fastest library judges.
`;

/** When, where and beside what it was measured. */
export function machine(): string {
  const {node, v8, openssl} = process.versions;
  const size = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const runtime = `Node ${node} (V8 ${v8}, OpenSSL ${openssl})`;
  const date = new Date().toISOString().slice(0, 10);
  const where = `${cpus()[0]?.model.trim()}, ${size}, ${process.platform}-${process.arch}`;
  return `Measured on ${date}: ${where}, ${runtime}; ${PEERS.map(versionOf).join(', ')}.`;
}

function versionOf(name: string): string {
  const text = readFileSync(pathOf(`node_modules/${name}/package.json`), 'utf8');
  return `${name} ${JSON.parse(text).version}`;
}

function tableOf(sections: readonly Section[]): string {
  const rows = sections.flatMap(({title, lines}) =>
    lines.map(({program, figure, ratio}, i) =>
      row([i === 0 ? title : '', program, figure, ratio ?? '']),
    ),
  );
  const head = [row(['work', 'program', 'figure', 'ratio']), '| --- | --- | --: | --: |'];
  return [...head, ...rows].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, ROOT));
}
