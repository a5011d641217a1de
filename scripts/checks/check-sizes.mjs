// Measures what a page loads, bundled and minified by rolldown from the built package, and checks it
// against limits: the whole library, `decrypt` with one terminal, and what each family adds. What is
// loaded later, on demand, is shown and has no limit: descriptions and writers of terminals.
import {mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {brotliCompressSync, gzipSync} from 'node:zlib';
import {rolldown} from 'rolldown';

const KB = 1000;
/**
 * Brotli. The goal of 120 kB is missed: MagTek, nexo and IFSF, which the library loads at once,
 * brought nearly 30 kB.
 */
const MOST_LIBRARY = 175 * KB;
/** Gzip; the goal is 25 kB, and phressiapad brings along the forms of others that it sends. */
const MOST_ONE_TERMINAL = 59 * KB;
/** Brotli, of a family beyond those of the interface. */
const MOST_FURTHER = 6 * KB;
/** Families of several formats: strings, reports, TLV and MMS of MagTek; XML and JSON of nexo. */
const MOST_OF_SEVERAL_FORMATS = {magtek: 14.5 * KB, nexo: 12 * KB};

const OF_INTERFACE = [
  ...['generic', 'idtech', 'ingenico', 'miura', 'phressiapad', 'prima', 'verifone', 'wisepad'],
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = path.join(root, 'node_modules/.cache/paylens-sizes');
const families = readdirSync(path.join(root, 'dist/neutral/terminals')).map((file) =>
  path.basename(file, '.js'),
);
let failed = false;

rmSync(work, {recursive: true, force: true});
mkdirSync(path.join(work, 'node_modules'), {recursive: true});
symlinkSync(root, path.join(work, 'node_modules/paylens'));
try {
  await measure();
} finally {
  rmSync(work, {recursive: true, force: true});
}
if (failed) process.exit(1);

async function measure() {
  const library = await sizeOf("export * from 'paylens';");
  report('the whole library, brotli', library.brotli, MOST_LIBRARY);
  console.log(`  later, on demand: ${inKb(library.later)} brotli`);
  const all = await sizeOf(decryptWith(families));
  report(`decrypt with ${families.length} families, brotli`, all.brotli);
  for (const family of families) {
    const alone = await sizeOf(decryptWith([family]));
    report(`decrypt with ${family}, gzip`, alone.gzip, MOST_ONE_TERMINAL);
    const others = await sizeOf(decryptWith(families.filter((one) => one !== family)));
    report(`  ${family} adds to all others, brotli`, all.brotli - others.brotli, mostOf(family));
  }
}

function mostOf(family) {
  return OF_INTERFACE.includes(family)
    ? undefined
    : (MOST_OF_SEVERAL_FORMATS[family] ?? MOST_FURTHER);
}

function decryptWith(names) {
  const lines = names.map((name) => `export * from 'paylens/terminals/${name}';`);
  return ["export {decrypt} from 'paylens/decrypt';", ...lines].join('\n');
}

/** What the code loads at once, and what later, in bytes. */
async function sizeOf(code) {
  const input = path.join(work, 'entry.js');
  writeFileSync(input, code);
  const build = await rolldown({cwd: work, input, platform: 'browser'});
  const {output} = await build.generate({format: 'esm', minify: true});
  await build.close();
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const first = loadedWith(output.find(({isEntry}) => isEntry).fileName, chunks);
  const sum = (some, pack) => some.reduce((bytes, {code: text}) => bytes + pack(text).length, 0);
  const now = output.filter(({fileName}) => first.has(fileName));
  const later = output.filter(({fileName}) => !first.has(fileName));
  return {
    gzip: sum(now, (text) => gzipSync(text, {level: 9})),
    brotli: sum(now, brotliCompressSync),
    later: sum(later, brotliCompressSync),
  };
}

function loadedWith(entry, chunks) {
  const loaded = new Set([entry]);
  // Iterating a set also visits elements added meanwhile.
  for (const name of loaded) for (const imported of chunks.get(name).imports) loaded.add(imported);
  return loaded;
}

function report(what, bytes, most) {
  const limit = most === undefined ? '' : ` of at most ${inKb(most)}`;
  console.log(`size: ${what}: ${inKb(bytes)}${limit}`);
  if (most === undefined || bytes <= most) return;
  console.log(`  too large by ${bytes - most} bytes`);
  failed = true;
}

function inKb(bytes) {
  return `${(bytes / KB).toFixed(1)} kB`;
}
