import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {countFaults, readLedger} from '../../bench/ledger-counts.js';
import {TERMINAL_TYPES} from '../../src/engine/families/registry.js';

/** `npm run bench` writes it. */
const page = readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
const measured = page.slice(page.indexOf('Measured on '), page.indexOf('## Ledger')).trim();

describe('the table of benchmarks', () => {
  it('has figures and ratios, and no targets', () => {
    expect(measured).toMatch(/^\| work \| program \| figure \| ratio \|$/m);
    expect(measured).not.toMatch(/\bgoal\b|\bat (?:least|most)\b/);
  });

  it('says when and where it was measured', () => {
    expect(measured).toMatch(
      /^Measured on \d{4}-\d\d-\d\d: .+, \d+ cores, .+, Node \d+\.\d+\.\d+ /,
    );
  });

  it.each([
    'npm dukpt',
    'node:crypto per block',
    '@noble/ciphers',
    'frame to JSON',
    'two workers',
    'bare node:http',
    'bare + HMAC',
    'fastify alone',
    'node -e 0',
    'oclif',
  ])('names %s', (program) => {
    expect(measured).toMatch(new RegExp(`^\\|[^|]*\\| [^|]*${program.replace('+', '\\+')}`, 'm'));
  });
});

describe('the ledger', () => {
  const ledger = readLedger(new URL('../../', import.meta.url));

  it.each(TERMINAL_TYPES.filter((type) => type !== 'ingenico-ra1'))(
    'has the time and the memory of a read of %s',
    (type) => {
      expect(ledger.ratios).toHaveProperty([`read: ${type}, beside the kernel`]);
      expect(ledger.ratios).toHaveProperty([`KiB allocated by a read: ${type}`]);
    },
  );

  it('tells a count that is another one, is missing or is new', () => {
    expect(countFaults(ledger, ledger.counts)).toEqual([]);
    const {'kB of the explorer': size = 0, 'kB of the inspector': _, ...rest} = ledger.counts;
    const found = {...rest, 'kB of the explorer': size + 1, 'kB of a third page': 1};
    const names = countFaults(ledger, found).map((fault) => fault.split(':')[0]);
    expect(names.toSorted()).toEqual([
      'kB of a third page',
      'kB of the explorer',
      'kB of the inspector',
    ]);
  });
});
