import {readdirSync, readFileSync, statSync} from 'node:fs';
import {diagnose} from '../src/diagnosis/diagnose.js';
import {diagnosisCases} from './ledger-cases.js';

/** What is the same on every machine: trials of fixed searches, and sizes of what was built. */
export function countsOf(root: URL): Record<string, number> {
  const trials = Object.entries(diagnosisCases()).map(([name, one]): [string, number] => {
    const limits = {now: () => performance.now(), budgetMs: 600_000};
    return [`trials of a diagnosis: ${name}`, diagnose(one, limits).tried];
  });
  const chunks = new URL('dist/chunks/', root);
  const kilobytes = (file: URL) => Math.round(statSync(file).size / 1000);
  return Object.fromEntries([
    ...trials,
    ['kB of the explorer', kilobytes(new URL('dist/page/explorer.html', root))],
    ['kB of the inspector', kilobytes(new URL('dist/page/inspector.html', root))],
    ['kB of the library', kilobytes(new URL('dist/neutral/index.js', root))],
    ['chunks of the programs', readdirSync(chunks).filter((name) => name.endsWith('.js')).length],
  ]);
}

/** A committed measurement. */
export interface Ledger {
  readonly measured: string;
  /** Each with the tolerance that its own noise asks for, as a share. */
  readonly ratios: Readonly<Record<string, {readonly ratio: number; readonly tolerance: number}>>;
  readonly counts: Readonly<Record<string, number>>;
  /** Why a figure became worse, by its name. */
  readonly reasons: Readonly<Record<string, string>>;
}

export function ledgerFile(root: URL): URL {
  return new URL('bench/ledger.json', root);
}

export function readLedger(root: URL): Ledger {
  return JSON.parse(readFileSync(ledgerFile(root), 'utf8'));
}

/** The counts that differ from those of the ledger, in sentences. */
export function countFaults({counts}: Ledger, found: Readonly<Record<string, number>>): string[] {
  const names = new Set([...Object.keys(counts), ...Object.keys(found)]);
  return [...names]
    .filter((name) => counts[name] !== found[name])
    .map((name) => `${name}: ${found[name] ?? 'none'}, in the ledger ${counts[name] ?? 'none'}`);
}
