// Joins a page of src/page to one self-contained HTML file: script, style and a policy that prevents
// loading anything.
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {minify} from '@swc/core';
import {parseSync} from 'oxc-parser';
import {rolldown} from 'rolldown';

/**
 * Writes `dist/page/NAME.html` of `src/page/NAME.tsx`; returns the modules that are in it. Its style
 * is of all `styles`; `connects` lets it ask the service that it came from, `compiles` compile WebAssembly.
 */
export async function buildPage(root, name, title, options) {
  const {html, moduleIds} = await htmlOf(root, name, title, options);
  const folder = path.join(root, 'dist/page');
  mkdirSync(folder, {recursive: true});
  writeFileSync(path.join(folder, `${name}.html`), html);
  return moduleIds.filter(path.isAbsolute).map((file) => path.relative(root, file));
}

/** A page as text, and the modules that are in it. */
export async function htmlOf(
  root,
  name,
  title,
  {styles = ['page'], connects = false, compiles = false, plugins = []} = {},
) {
  const {code, moduleIds} = await joined(root, name, plugins);
  const css = styles.map((each) => path.join(root, `src/page/style/${each}.css`));
  const style = minified(css.map((file) => readFileSync(file, 'utf8')).join('\n'));
  return {html: page({title, code, style, connects, compiles}), moduleIds};
}

async function joined(root, name, plugins) {
  const build = await rolldown({
    cwd: root,
    input: path.join(root, `src/page/${name}.tsx`),
    platform: 'browser',
    resolve: {conditionNames: ['import']},
    transform: {
      target: 'es2022',
      // Children as arguments: shorter than as members of the properties.
      jsx: {runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment'},
      inject: {h: ['preact', 'h'], Fragment: ['preact', 'Fragment']},
    },
    optimization: {inlineConst: true},
    plugins: [withoutLater, ...plugins],
    // Modules only declare: one that nothing is used of is left out, with what it imports.
    treeshake: {moduleSideEffects: false},
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const {output} = await build.generate({
    format: 'iife',
    codeSplitting: false,
    // Its own constants and branches first; SWC then makes a page about 3% smaller than rolldown does.
    minify: {compress: true, mangle: false, codegen: false},
    comments: {legal: true, annotation: true, jsdoc: false},
  });
  await build.close();
  const [{code, moduleIds}] = output;
  const {code: small} = await minify(functionsLast(code), SMALLEST);
  return {code: inElement(small), moduleIds};
}

/** They are hoisted; what is left can then be joined to few declarations. */
function functionsLast(code) {
  const {program} = parseSync('page.js', code, {preserveParens: false});
  const {start, body} = program.body[0].expression.callee.body;
  const texts = [code.slice(0, start + 1), ''];
  for (const [i, {type, end}] of body.entries())
    texts[Number(type === 'FunctionDeclaration')] += code.slice(body[i - 1]?.end ?? start + 1, end);
  return texts.join('') + code.slice(body.at(-1).end);
}

/**
 * Nobody reads a stack of a page, so names are not kept. Comments that remain are licences. Not
 * `unsafe_regexp`: it makes a sticky expression anew in each round of a loop, which then never ends.
 */
const SMALLEST = {
  ecma: 2022,
  module: false,
  compress: {ecma: 2022, toplevel: true, passes: 3, pure_getters: true, unsafe_arrows: true},
  mangle: {toplevel: true},
  format: {comments: 'some'},
};

/** Of an option of a writer: only the command line and the written pages say it. */
const MEANING = /\bmeaning:(?:[\s+]*'[^'\n]*')+,?/g;

/**
 * A page is one file, so that nothing in it can be loaded later: writers are imported at once, which
 * takes less than to begin them on demand. What only the written pages say of a terminal is left out.
 */
const withoutLater = {
  name: 'without-later',
  load(id) {
    if (!/engine\/families\/[^/]+\/[^/]+\.ts$/.test(id)) return null;
    const source = readFileSync(id, 'utf8');
    const imports = [];
    const code = (/writer(?:-options)?\.ts$/.test(id) ? source.replaceAll(MEANING, '') : source)
      .replaceAll(/^ *about: async .*about[A-Z]\w+,\n/gm, '')
      .replaceAll(/\(await import\(('[^']+')\)\)\.(\w+)/g, (_, file, name) => {
        imports.push(`import {${name}} from ${file};\n`);
        return name;
      });
    return code === source ? null : {code: imports.join('') + code, moduleType: 'ts'};
  },
};

/** A script ends at the first thing that looks like its end, also within a string. */
function inElement(code) {
  return code.replaceAll(/<(?=\/script|!--)/gi, '\\x3C').trim();
}

function minified(css) {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}

function page({title, code, style, ...allowed}) {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    `<meta http-equiv="content-security-policy" content="${policy(code, style, allowed)}">` +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">' +
    `<link rel="icon" href="data:,"><title>${title}</title><style>${style}</style></head>` +
    `<body><div id="app"></div><script>${code}</script></body></html>\n`
  );
}

/** What may run and be loaded: the script and the style by their hashes, and a worker of the script. */
function policy(code, style, {connects, compiles}) {
  return [
    "default-src 'none'",
    `script-src ${hash(code)}${compiles ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src ${hash(style)}`,
    'img-src data:',
    'worker-src blob:',
    `connect-src ${connects ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types paylens',
  ].join('; ');
}

function hash(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
