// Limits of what pages load (scripts/checks/bundle-apps.mjs), and of the pages of the program.
import {readdirSync} from 'node:fs';

const BUNDLES = 'node_modules/.cache/paylens-sizes';
/** Terminals with several formats, with hashes in the frame, or with the forms of others. */
const LARGE = {
  idtech: 53.2,
  prima: 50.9,
  magtek: 55.4,
  phressiapad: 63.9,
  dspread: 47.2,
  wisepad: 47.4,
  verifone: 43.8,
};

const families = readdirSync('dist/neutral/terminals').map((file) => file.replace(/\.js$/, ''));

export default [
  {name: 'the library with all terminals', path: `${BUNDLES}/library.js`, limit: '127.4 kB'},
  {name: 'decrypt with all terminals', path: `${BUNDLES}/decrypt-all.js`, limit: '97 kB'},
  ...families.map((family) => ({
    name: `decrypt with ${family}`,
    path: `${BUNDLES}/decrypt-${family}.js`,
    gzip: true,
    limit: `${LARGE[family] ?? 43} kB`,
  })),
  {name: 'the explorer', path: 'dist/page/explorer.html', limit: '205.9 kB'},
  {name: 'the page of requests', path: 'dist/page/inspector.html', limit: '163 kB'},
];
