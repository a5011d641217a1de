import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';

interface Listed {
  readonly id: string;
  readonly hidden?: boolean;
  readonly flags: Readonly<Record<string, {name: string; char?: string; hidden?: boolean}>>;
}

const PAGE = 'dist/man/paylens.1';
const commands = Object.values<Listed>(
  JSON.parse(readFileSync('oclif.manifest.json', 'utf8')).commands,
).filter(({hidden}) => !hidden);

const hasTool = (name: string, argv: string[]) => spawnSync(name, argv).status === 0;

describe('the manual page', () => {
  const source = readFileSync(PAGE, 'utf8');

  it('is the one that package.json names', () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8')).man).toBe(PAGE);
  });

  it.each(commands)('has $id with its flags', ({id, flags}) => {
    const name = `paylens ${id.replaceAll(':', ' ')}`;
    const start = source.indexOf(`\n.SS "${name}`);
    expect(start).toBeGreaterThan(0);
    const section = source.slice(start, source.indexOf('\n.S', start + 5)).replaceAll('\\-', '-');
    for (const flag of Object.values(flags)) {
      if (flag.hidden || ['json', 'quiet', 'no-color'].includes(flag.name)) continue;
      expect(section).toContain(`\\fB--${flag.name}\\fR`);
    }
  });

  it('has the exit codes of the guide', () => {
    expect(source).toContain('.TP\n\\fB7\\fR\na check did not pass');
  });

  it.skipIf(spawnSync('mandoc', ['-T', 'lint', PAGE]).error !== undefined)(
    'has no fault that mandoc finds',
    async () => {
      const {stdout} = await execa('mandoc', ['-T', 'lint', '-W', 'warning', PAGE], {
        reject: false,
      });
      expect(stdout).toBe('');
    },
  );

  it.skipIf(!hasTool('groff', ['--version']))('has no fault that groff finds', async () => {
    const {stdout, stderr} = await execa('groff', ['-man', '-Tutf8', '-ww', '-rLL=78n', PAGE]);
    expect(stderr).toBe('');
    const plain = stripped(stdout);
    expect(plain).toContain('paylens decrypt [PAYLOAD]');
    expect(plain).toContain('--device-type TYPE');
  });
});

/** Without what makes text bold on a terminal. */
function stripped(text: string): string {
  const ESC = String.fromCharCode(27);
  return text.replaceAll(new RegExp(`${ESC}\\[[\\d;]*m|.\\x08`, 'g'), '');
}
