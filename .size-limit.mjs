// Limits of what pages load (scripts/checks/bundle-apps.mjs), and of the pages of the program.
import {readdirSync} from 'node:fs';

const BUNDLES = 'node_modules/.cache/paylens-sizes';
/** Terminals with several formats, with hashes in the frame, or with the forms of others. */
const LARGE = {
  idtech: 55.6,
  prima: 53.2,
  magtek: 57.8,
  phressiapad: 66,
  dspread: 49.5,
  wisepad: 49.7,
  verifone: 46,
};

const families = readdirSync('dist/neutral/terminals').map((file) => file.replace(/\.js$/, ''));

export default [
  {name: 'the library with all terminals', path: `${BUNDLES}/library.js`, limit: '129.2 kB'},
  {name: 'decrypt with all terminals', path: `${BUNDLES}/decrypt-all.js`, limit: '98.7 kB'},
  ...families.map((family) => ({
    name: `decrypt with ${family}`,
    path: `${BUNDLES}/decrypt-${family}.js`,
    gzip: true,
    limit: `${LARGE[family] ?? 44.6} kB`,
  })),
  {name: 'the explorer', path: 'dist/page/explorer.html', limit: '207 kB'},
  {name: 'the page of requests', path: 'dist/page/inspector.html', limit: '164.6 kB'},
];
