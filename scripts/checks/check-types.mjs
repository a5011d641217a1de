// Holds the public types against their report by API Extractor. `npm run types` renews the report, if
// CHANGELOG.md has said more since the last time.
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {Extractor, ExtractorConfig} from '@microsoft/api-extractor';

const root = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));
const known = path.join(root, 'scripts/checks/public-types.api.md');
const work = path.join(root, 'node_modules/.cache/paylens-types');
const HEAD = /^<!-- changelog (\w+) -->\n/;

const COMPILER = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  lib: ['es2023', 'dom', 'esnext.disposable'],
  types: ['node'],
};

const report = makeReport();
const old = existsSync(known) ? readFileSync(known, 'utf8') : '';
if (old.replace(HEAD, '') === report) {
  console.log(`types: as in the report, ${report.split('\n').length} lines`);
} else if (!process.argv.includes('--renew')) {
  console.error(`the public types have changed: ${firstDifference(old, report)}
Say so in CHANGELOG.md, then run \`npm run types\` and commit ${path.relative(root, known)}.`);
  process.exitCode = 1;
} else if (HEAD.exec(old)?.[1] === changelogHash()) {
  console.error('the public types have changed: CHANGELOG.md has to say so first');
  process.exitCode = 1;
} else {
  writeFileSync(known, `<!-- changelog ${changelogHash()} -->\n${report}`);
}

/** One report of all entry points: a module that exports them all is analysed. */
function makeReport() {
  mkdirSync(path.join(work, 'temp'), {recursive: true});
  const entry = path.join(root, 'dist/all-entries.d.ts');
  writeFileSync(entry, entries().join('\n'));
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: path.join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry,
      compiler: {overrideTsconfig: {compilerOptions: COMPILER, files: [entry]}},
      apiReport: {
        enabled: true,
        reportFileName: 'types.api.md',
        reportFolder: work,
        reportTempFolder: path.join(work, 'temp'),
        includeForgottenExports: true,
      },
      docModel: {enabled: false},
      dtsRollup: {enabled: false},
      tsdocMetadata: {enabled: false},
      newlineKind: 'lf',
      messages: {
        extractorMessageReporting: {default: {logLevel: 'none'}},
        tsdocMessageReporting: {default: {logLevel: 'none'}},
      },
    },
  });
  try {
    const {succeeded} = Extractor.invoke(config, {
      localBuild: true,
      messageCallback: (message) => {
        message.handled = message.logLevel !== 'error';
      },
    });
    if (!succeeded) throw new Error('API Extractor found errors in dist');
  } finally {
    rmSync(entry);
  }
  return readFileSync(path.join(work, 'types.api.md'), 'utf8');
}

function entries() {
  const terminals = readdirSync(path.join(root, 'dist/terminals'))
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => `terminals/${path.basename(file, '.d.ts')}`);
  return ['index', 'decrypt', 'emv', 'samples/index', 'server', ...terminals.sort()].map((name) => {
    return `export * as ${name.replaceAll(/\W/g, '_')} from './${name}.js';`;
  });
}

function firstDifference(before, after) {
  const lines = new Set(before.split('\n'));
  const added = after.split('\n').find((line) => !lines.has(line));
  return (added ?? 'something is gone').slice(0, 300);
}

function changelogHash() {
  const [, newest] = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  return createHash('sha256').update(newest).digest('hex').slice(0, 16);
}
