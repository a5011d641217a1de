// Generates the reference pages of docs from the tables in src and from the manifest, and the JSON
// Schemas from those in zod, and fills the tables between markers of written pages: `npm run docs`.
// With --check it only lists the pages that are out of date, and exits with code 1 if there are any.
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {type Ledger, readLedger} from '../../bench/ledger-counts.js';
import {ERROR_CATALOGUE, ERROR_CODES} from '../../src/contract/error-catalogue.js';
import {LABELS} from '../../src/diagnosis/labels.js';
import {EMV_TAGS} from '../../src/engine/tlv/tags.js';
import {commandsPage} from './commands-page.js';
import {jsonSchemas} from './json-schemas.js';
import {page, table} from './markdown.js';
import {fillMarkers, markersOf} from './markers.js';
import {publishedReadsText} from './published-reads.js';
import {terminalTables} from './terminal-tables.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NOTICE = '<!-- Made by `npm run docs`: change the tables in src instead. -->\n\n';

/** The folder of docs without a file written by hand. */
const OWN_FOLDER = 'schemas';

const manifest = JSON.parse(readFileSync(path.join(root, 'oclif.manifest.json'), 'utf8'));
const tables = new Map([
  ...(await terminalTables(path.join(root, 'test/samples'))),
  ...labelTables(),
  ['ledger', ledgerTables(readLedger(pathToFileURL(`${root}/`)))],
]);

const check = process.argv.includes('--check');
const folder = path.resolve(
  process.argv.slice(2).find((arg) => arg !== '--check') ?? `${root}/docs`,
);
const made = pages();
const faults = check ? differences(made) : write(made);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`docs: ${Object.keys(made).length} pages, current`);

/** Texts by their path below docs. */
type Pages = Readonly<Record<string, string>>;

/** Every page by its path below docs. */
function pages(): Pages {
  return {
    'commands.md': `${NOTICE}${commandsPage(manifest)}`,
    'errors.md': `${NOTICE}${errorsPage()}`,
    'tags.md': `${NOTICE}${tagsPage()}`,
    ...markedPages(),
    ...jsonSchemas(),
    'samples/published-reads.json': publishedReadsText(path.join(root, 'test/samples')),
  };
}

/** The written pages that contain tables; each table must be on one of them. */
function markedPages(): Pages {
  const names = [
    '../README.md',
    'contract.md',
    'terminals.md',
    'diagnose-reference.md',
    'benchmarks.md',
    ...found('terminals'),
  ];
  const texts = names.flatMap((name) => {
    const text = committed(name) ?? '';
    return markersOf(text).length > 0 ? [[name, text] as const] : [];
  });
  const used = new Set(
    texts.flatMap(([, text]) => markersOf(text)).map((name) => tables.get(name)),
  );
  const missing = [...tables].flatMap(([name, text]) => (text && !used.has(text) ? [name] : []));
  if (missing.length > 0) throw new Error(`no page has a marker for: ${missing.join(', ')}`);
  return Object.fromEntries(texts.map(([name, text]) => [name, fillMarkers(text, tables)]));
}

function write(made: Pages): string[] {
  rmSync(path.join(folder, OWN_FOLDER), {recursive: true, force: true});
  mkdirSync(path.join(folder, OWN_FOLDER));
  for (const [name, text] of Object.entries(made)) writeFileSync(path.join(folder, name), text);
  return [];
}

function differences(made: Pages): string[] {
  const stale = Object.keys(made).filter((name) => made[name] !== committed(name));
  const strange = found(OWN_FOLDER).filter((name) => !(name in made));
  return [
    ...stale.map((name) => `docs/${name} is not current: run \`npm run docs\` and commit it`),
    ...strange.map((name) => `docs/${name} is not made by \`npm run docs\``),
  ];
}

function committed(name: string): string | undefined {
  try {
    return readFileSync(path.join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

function found(below: string): string[] {
  return readdirSync(path.join(folder, below)).map((name) => `${below}/${name}`);
}

function errorsPage(): string {
  return page(
    '# Errors',
    'The service answers with the HTTP status and `{"success": false, "errCode": ..., "errMessage": ...}`, the command line with the exit code. Codes without a status occur on the command line only. `paylens errors CODE` shows one.',
    table(
      ['code', 'HTTP', 'exit', 'message', 'what to do'],
      ERROR_CODES.map((code) => {
        const {http, exit, message, hint} = ERROR_CATALOGUE[code];
        return [code, http ?? '', exit, message, hint];
      }),
    ),
  );
}

/** The labels of `diagnose`, by their row of the usual mistakes. */
function labelTables(): [string, string][] {
  const labels = Object.entries(LABELS);
  return [...new Set(labels.map(([, {row}]) => row))].map((row) => {
    const rows = labels.filter(([, label]) => label.row === row);
    const cells = rows.map(([label, {text}]) => [`\`${label}\``, text]);
    return [`labels ${row}`, table(['label', 'meaning'], cells)];
  });
}

/** The committed measurements, and why some became worse. */
function ledgerTables({measured, ratios, counts, reasons}: Ledger): string {
  const share = (tolerance: number) => `${(100 * tolerance).toFixed(1)} %`;
  return [
    measured,
    table(
      ['figure', 'ratio', 'tolerance'],
      Object.entries(ratios).map(([name, one]) => [name, one.ratio, share(one.tolerance)]),
    ),
    table(['count or size', 'value'], Object.entries(counts)),
    ...Object.entries(reasons).map(([name, reason]) => `* ${name}: ${reason}`),
  ].join('\n\n');
}

function tagsPage(): string {
  return page(
    '# EMV tags',
    "The names `inspect` uses for the data objects of EMV Book 3, of the contactless kernels (Book C) and of ISO 7816-4. Vendor-specific tags are on the terminal's page and take precedence.",
    table(['tag', 'meaning'], Object.entries(EMV_TAGS).sort()),
  );
}
