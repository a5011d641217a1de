// Allowed imports: the layers of src, and the order of the files and folders within a layer. No
// circular imports, type imports included. `npm run check:layers` checks this.
import {readdirSync, readFileSync} from 'node:fs';
import swc from '@swc/core';

// The cruiser has no option for the components of the page: its parser learns here what they are.
const {parseFileSync} = swc;
swc.parseFileSync = (file, options) =>
  parseFileSync(file, {...options, tsx: file.endsWith('.tsx')});

/** The folders of src that a folder may import, besides itself, `contract` and `platform`. */
const LAYERS = {
  platform: [],
  contract: [],
  files: [],
  engine: [],
  auth: [],
  simulator: ['engine'],
  input: ['engine'],
  diagnosis: ['engine', 'input'],
  keyfile: ['engine', 'files'],
  export: [],
  client: ['auth'],
  conformance: ['client', 'simulator'],
  library: ['engine', 'input', 'simulator', 'diagnosis', 'auth', 'client'],
  service: ['auth', 'engine', 'simulator', 'keyfile', 'files'],
  page: ['engine', 'input', 'simulator', 'diagnosis', 'export'],
};
const BELOW_CLI = Object.keys(LAYERS);
const ALL_LAYERS = {...LAYERS, cli: BELOW_CLI, commands: ['cli', ...BELOW_CLI]};
const OPEN_TO_ALL = ['contract', 'platform'];

/** The terminal families that use no other family's format: a new one needs no line here. */
const FAMILIES = readdirSync(new URL('src/engine/families', import.meta.url), {withFileTypes: true})
  .filter(
    (entry) =>
      entry.isDirectory() && !['forwarded', 'dspread', 'prima', 'phressiapad'].includes(entry.name),
  )
  .map(({name}) => name);

/** The contents of a folder, lowest first: none imports from a later line. Names are files or folders. */
const ORDER = {
  'src/engine': [
    ['trace', 'cipher'],
    ['tlv', 'dukpt', 'key-block'],
    ['card'],
    ['reading', 'writing'],
    ['forms'],
    ['families'],
    ['framing'],
    [
      'reads-aside',
      'read-payload',
      'masked-place',
      'plan',
      'member-sources',
      'explanation',
      'decrypt',
      'result',
      'card-rows',
    ],
    ['recognise', 'decode-input'],
    ['pipeline'],
    ['pin'],
    ['process-payload', 'inspection'],
    ['own'],
  ],
  'src/engine/families': [
    ['about', 'writer-options', 'terminal', 'terminal-set'],
    ['forwarded'],
    FAMILIES,
    ['dspread', 'prima'],
    ['phressiapad'],
    ['registry'],
  ],
  'src/auth': [
    ['partner', 'replay-store', 'string-to-hash', 'authorization-header'],
    ['verdict', 'steady-clock', 'challenges'],
    ['methods'],
    ['authenticate'],
    ['explain'],
  ],
  'src/diagnosis': [
    ['labels', 'finding'],
    ['candidates', 'plaintext'],
    ['slices'],
    ['search'],
    ['findings'],
    ['diagnose'],
    ['report'],
    ['answer'],
  ],
  'src/service': [
    ['http', 'registry', 'replay'],
    ['operations'],
    ['information'],
    ['control'],
    ['inspector'],
    ['launch-options'],
    ['open-service'],
    ['upstream'],
    ['paylens-server'],
    ['launch'],
    ['test-server'],
    ['start-options'],
    ['test-registry'],
    ['terminal'],
    ['start-server'],
  ],
  'src/page': [['model'], ['worker'], ['store'], ['hooks'], ['parts'], ['inspector'], ['explorer']],
  'src/cli': [
    ['output'],
    ['flags'],
    ['input'],
    ['keyfile'],
    ['typed-secrets'],
    ['batch'],
    ['send', 'serve', 'verify', 'listen', 'diagnosis', 'completion', 'explore'],
    ['is-asked', 'usage-error', 'report-failure', 'stop-at-signals'],
    ['base-command', 'terminal-command', 'help', 'unknown-command', 'start'],
  ],
};

/** What runs on every runtime: the files and folders of src in the configuration that compiles them so. */
const {include} = JSON.parse(readFileSync(new URL('tsconfig.neutral.json', import.meta.url)));
const NEUTRAL = include.map((name) => name.replace('*.ts', '[^/]+$').replace('.ts', '\\.ts$'));

/** Folders that do not import each other. */
const APART = {
  'src/engine/families': FAMILIES,
  'src/cli': ['send', 'serve', 'verify', 'listen', 'diagnosis', 'completion', 'explore'],
};

const layers = Object.entries(ALL_LAYERS).map(([layer, below]) => ({
  name: `layer-${layer}`,
  comment: `src/${layer} imports from ${[...below, ...OPEN_TO_ALL].join(', ')} only`,
  severity: 'error',
  from: {path: `^src/${layer}/`},
  to: {path: '^src/', pathNot: `^src/(${[layer, ...below, ...OPEN_TO_ALL].join('|')})/`},
}));

const orders = Object.entries(ORDER).flatMap(([folder, lines]) =>
  lines.slice(0, -1).map((line, index) => ({
    name: `order-${ruleName(folder)}-${line[0]}`,
    comment: `in ${folder}, ${line.join(', ')} lie below ${lines
      .slice(index + 1)
      .flat()
      .join(', ')}`,
    severity: 'error',
    from: {path: pathOf(folder, line)},
    to: {path: pathOf(folder, lines.slice(index + 1).flat())},
  })),
);

const unordered = Object.entries(ORDER).map(([folder, lines]) => ({
  name: `no-order-${ruleName(folder)}`,
  comment: `every file and folder of ${folder} has its place in this order`,
  severity: 'error',
  from: {path: `^${folder}/`, pathNot: pathOf(folder, lines.flat())},
  to: {},
}));

const apart = Object.entries(APART).map(([folder, names]) => ({
  name: `apart-${ruleName(folder)}`,
  comment: `in ${folder}, ${names.join(', ')} do not import each other`,
  severity: 'error',
  from: {path: `^${folder}/(${names.join('|')})/`},
  to: {path: `^${folder}/(${names.join('|')})/`, pathNot: `^${folder}/$1/`},
}));

function ruleName(folder) {
  return folder.slice('src/'.length).replaceAll('/', '-');
}

function pathOf(folder, names) {
  return `^${folder}/(${names.join('|')})(\\.tsx?$|/)`;
}

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'no file imports itself by way of others, types included',
      severity: 'error',
      from: {},
      to: {circular: true},
    },
    {
      name: 'no-layer',
      comment: 'every folder of src has a line in this table',
      severity: 'error',
      from: {path: '^src/[^/]+/', pathNot: `^src/(${Object.keys(ALL_LAYERS).join('|')})/`},
      to: {},
    },
    ...layers,
    ...orders,
    ...unordered,
    ...apart,
    {
      name: 'runs-everywhere',
      comment: 'a module of Node is used through #platform, which has a version for other runtimes',
      severity: 'error',
      from: {path: `^(${NEUTRAL.join('|')})`},
      to: {dependencyTypes: ['core']},
    },
    {
      name: 'one-platform',
      comment:
        'package conditions choose the version of #platform: nobody imports one of them by its path',
      severity: 'error',
      from: {path: '^src/', pathNot: '^src/platform/(node|neutral)/'},
      to: {path: '^src/platform/(node|neutral)/', dependencyTypesNot: ['aliased-subpath-import']},
    },
    {
      name: 'no-command-below',
      comment: 'commands are imported by the command line alone',
      severity: 'error',
      from: {path: '^src/', pathNot: '^src/(commands/|command-list\\.ts)'},
      to: {path: '^src/commands/'},
    },
  ],
  options: {
    // Our compiler has no API that a tool could call.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: {path: 'node_modules'},
    enhancedResolveOptions: {extensions: ['.ts', '.tsx', '.js']},
  },
};
