// Limits of what pages load (scripts/checks/bundle-apps.mjs), and of the pages of the program.
import {readdirSync} from 'node:fs';

const BUNDLES = 'node_modules/.cache/paylens-sizes';
/** Terminals with several formats, with hashes in the frame, or with the forms of others. */
const LARGE = {
  idtech: 56.2,
  prima: 53.9,
  magtek: 58.7,
  phressiapad: 66.7,
  dspread: 50.1,
  wisepad: 50.3,
  verifone: 46.6,
};

const families = readdirSync('dist/neutral/terminals').map((file) => file.replace(/\.js$/, ''));

export default [
  {name: 'the library with all terminals', path: `${BUNDLES}/library.js`, limit: '130.9 kB'},
  {name: 'decrypt with all terminals', path: `${BUNDLES}/decrypt-all.js`, limit: '99.7 kB'},
  ...families.map((family) => ({
    name: `decrypt with ${family}`,
    path: `${BUNDLES}/decrypt-${family}.js`,
    gzip: true,
    limit: `${LARGE[family] ?? 45.3} kB`,
  })),
  {name: 'the explorer', path: 'dist/page/explorer.html', limit: '209.8 kB'},
  {name: 'the page of requests', path: 'dist/page/inspector.html', limit: '165.6 kB'},
];
