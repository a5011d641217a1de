import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';

const README = pathOf('README.md');
const PAGE = pathOf('docs/benchmarks.md');
/** `npm run bench` writes it. */
const page = readFileSync(PAGE, 'utf8');
const measured = page.slice(page.indexOf('Measured on ')).trim();

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}

describe('the table of benchmarks', () => {
  it('stands in the README as on its page', () => {
    expect(readFileSync(README, 'utf8')).toContain(
      `<!-- benchmarks: made by \`npm run bench\` -->\n${measured}\n<!-- end of benchmarks -->`,
    );
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
