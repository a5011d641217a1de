/** Measures paylens beside its peers, in one run; ends with exit code 7 if a goal is not met. */
import {cpus} from 'node:os';
import {benchAesDukpt} from './aes-dukpt.js';
import {benchBatch} from './batch.js';
import {benchDiagnose} from './diagnose.js';
import {benchPipeline} from './pipeline.js';
import {isMet} from './report.js';
import {benchServer} from './server.js';
import {benchTdesDukpt} from './tdes-dukpt.js';

console.log(`${cpus()[0]?.model}, Node ${process.versions.node}, V8 ${process.versions.v8}`);
console.log(`OpenSSL ${process.versions.openssl}; operations a second, median of 5 rounds`);

const goals = [
  ...benchTdesDukpt(),
  ...benchAesDukpt(),
  ...benchPipeline(),
  ...(await benchBatch()),
  ...(await benchServer()),
];
benchDiagnose();

const missed = goals.filter((goal) => !isMet(goal));
for (const {name, wanted, found} of missed) {
  console.log(`missed: ${name}: ${found.toFixed(2)} x, goal ${wanted} x`);
}
process.exitCode = missed.length === 0 ? 0 : 7;
