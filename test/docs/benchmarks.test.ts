import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';

/** `npm run bench` writes it. */
const page = readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
const measured = page.slice(page.indexOf('Measured on ')).trim();

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
