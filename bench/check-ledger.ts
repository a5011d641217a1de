// Compares the counts and sizes of bench/ledger.json with those of this build, exactly: a change names
// them, in the ledger, with its reason if it costs. `--renew` writes them. The ratios are compared by
// `npm run bench -- ledger`, which takes minutes.
import {writeFileSync} from 'node:fs';
import {countFaults, countsOf, ledgerFile, readLedger} from './ledger-counts.js';

const root = new URL('../', import.meta.url);
const ledger = readLedger(root);
const counts = countsOf(root);
if (process.argv.includes('--renew')) {
  writeFileSync(ledgerFile(root), `${JSON.stringify({...ledger, counts}, undefined, 2)}\n`);
}
const faults = process.argv.includes('--renew') ? [] : countFaults(ledger, counts);
for (const fault of faults) console.error(fault);
console.log(`ledger: ${Object.keys(counts).length} counts, ${faults.length} of them another one`);
if (faults.length > 0) process.exit(1);
