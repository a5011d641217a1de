/**
 * Measures paylens and its peers in one run, and writes docs/benchmarks.md; exits with code 7 if a
 * goal is not met. With arguments it runs only the named sections and writes nothing. `hostile`, `loop`,
 * `memory` and `ledger` take minutes, `native` needs a C compiler and sources of others, and `inspector`
 * a machine that does nothing else, so these run only if named, and so does `masks`.
 */
import {cpus} from 'node:os';
import {parseArgs} from 'node:util';
import {benchAesDukpt} from './aes-dukpt.js';
import {benchBatch} from './batch.js';
import {benchDiagnose} from './diagnose.js';
import {benchHeldLoop} from './held-loop.js';
import {benchInspector} from './inspector.js';
import {benchLedger} from './ledger.js';
import {benchMasks} from './masks.js';
import {benchNative} from './native/native.js';
import {writePage} from './page.js';
import {benchPipeline} from './pipeline.js';
import {benchRefusals} from './refusals.js';
import {type Goal, isMet, told} from './report.js';
import {benchServer} from './server.js';
import {benchMemory} from './server-memory.js';
import {benchHostile, benchOverload} from './server-overload.js';
import {benchStartup} from './startup.js';
import {benchTdesDukpt} from './tdes-dukpt.js';

console.log(`${cpus()[0]?.model}, Node ${process.versions.node}, V8 ${process.versions.v8}`);
console.log(`OpenSSL ${process.versions.openssl}; operations a second, median of 5 rounds`);

const {values: sources, positionals: named} = parseArgs({
  options: {
    openemv: {type: 'string'},
    libdukpt: {type: 'string'},
    kind: {type: 'string'},
    renew: {type: 'boolean', default: false},
  },
  allowPositionals: true,
});

const SECTIONS: Readonly<Record<string, () => Goal[] | Promise<Goal[]>>> = {
  tdes: benchTdesDukpt,
  aes: benchAesDukpt,
  pipeline: benchPipeline,
  batch: benchBatch,
  startup: benchStartup,
  server: benchServer,
  overload: benchOverload,
  hostile: () => benchHostile(sources.kind),
  loop: () => benchHeldLoop(sources.kind),
  refusals: benchRefusals,
  memory: benchMemory,
  inspector: benchInspector,
  masks: benchMasks,
  native: () => benchNative(sources),
  ledger: () => benchLedger(sources.renew),
  diagnose: () => {
    benchDiagnose();
    return [];
  },
};
const NAMED_ONLY = ['hostile', 'loop', 'memory', 'inspector', 'masks', 'native', 'ledger'];
const USUAL = Object.keys(SECTIONS).filter((name) => !NAMED_ONLY.includes(name));

const goals: Goal[] = [];
for (const name of named.length > 0 ? named : USUAL) {
  const section = SECTIONS[name];
  if (!section) throw new Error(`${name}: expected one of ${Object.keys(SECTIONS).join(', ')}`);
  goals.push(...(await section()));
}
if (named.length === 0) writePage(told());

const missed = goals.filter((goal) => !isMet(goal));
for (const {name, wanted, found} of missed) {
  console.log(`missed: ${name}: ${found.toFixed(2)} x, goal ${wanted} x`);
}
process.exitCode = missed.length === 0 ? 0 : 7;
