// Measures the explorer as the build joins it, and checks it against limits: with the terminals of the
// interface alone, what its samples add, and with every family.
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {brotliCompressSync} from 'node:zlib';
import {htmlOf} from '../build/page.mjs';

const KB = 1000;
/** Brotli, with engine and diagnosis. */
const MOST_OF_INTERFACE = 165 * KB;
const MOST_SAMPLES = 50 * KB;
/** Brotli, of each family beyond the interface: its reader, writer and forms in the diagnosis. */
const MOST_FURTHER = 9 * KB;

const root = fileURLToPath(new URL('../..', import.meta.url));
const registry = readFileSync(path.join(root, 'src/engine/devices/registry.ts'), 'utf8');
const FURTHER = /const FURTHER = \[([^\]]*)\]/;

const [, further] = FURTHER.exec(registry);
const families = further.split(',').filter((name) => name.trim() !== '').length;
const ofInterface = replaced(
  /devices\/registry\.ts$/,
  registry.replace(FURTHER, 'const FURTHER = []'),
);
const withoutSamples = replaced(/\/samples\/[a-z-]+\.json$/, '{}', 'json');

const [all, ten, bare] = await Promise.all(
  [[], [ofInterface], [ofInterface, withoutSamples]].map(async (plugins) => {
    const {html} = await htmlOf(root, 'explorer', 'paylens explorer', {plugins});
    return brotliCompressSync(html).length;
  }),
);
const isSmall = [
  report('the page with the ten terminals, without samples', bare, MOST_OF_INTERFACE),
  report('its samples', ten - bare, MOST_SAMPLES),
  report(`${families} further families`, all - ten, families * MOST_FURTHER),
];
console.log(`size: the page as it is: ${inKb(all)}`);
if (isSmall.includes(false)) process.exit(1);

function replaced(pattern, code, moduleType = 'ts') {
  const load = (id) => (pattern.test(id) ? {code, moduleType} : null);
  return {name: 'replaced', load};
}

function report(what, bytes, most) {
  console.log(`size: ${what}: ${inKb(bytes)} of at most ${inKb(most)} brotli`);
  return bytes <= most;
}

function inKb(bytes) {
  return `${(bytes / KB).toFixed(1)} kB`;
}
