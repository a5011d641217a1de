// Limits of what pages load (scripts/checks/bundle-apps.mjs), and of the pages of the program.
import {readdirSync} from 'node:fs';

const BUNDLES = 'node_modules/.cache/paylens-sizes';
/** Terminals with several formats, with hashes in the frame, or with the forms of others. */
const LARGE = {
  idtech: 54.7,
  prima: 52.4,
  magtek: 56.9,
  phressiapad: 65.4,
  dspread: 48.7,
  wisepad: 48.9,
  verifone: 45.2,
};

const families = readdirSync('dist/neutral/terminals').map((file) => file.replace(/\.js$/, ''));

export default [
  {name: 'the library with all terminals', path: `${BUNDLES}/library.js`, limit: '129.1 kB'},
  {name: 'decrypt with all terminals', path: `${BUNDLES}/decrypt-all.js`, limit: '98.6 kB'},
  ...families.map((family) => ({
    name: `decrypt with ${family}`,
    path: `${BUNDLES}/decrypt-${family}.js`,
    gzip: true,
    limit: `${LARGE[family] ?? 43.7} kB`,
  })),
  {name: 'the explorer', path: 'dist/page/explorer.html', limit: '206.6 kB'},
  {name: 'the page of requests', path: 'dist/page/inspector.html', limit: '164.3 kB'},
];
