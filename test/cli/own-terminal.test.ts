import {existsSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {decrypt, diagnose, inspect, simulate} from '../../src/index.js';
import {ACME_MODULE, acme, acmeFrame, moduleFile} from '../acme.js';
import {runBin, runBins} from './run-bin.js';
import {runCommand} from './run-command.js';

const file = moduleFile(ACME_MODULE, 'acme.mjs');
const mine = await acme();
const terminals = [mine];

/** What a command prints with --json. */
async function json(command: Parameters<typeof runCommand>[0], ...argv: string[]) {
  const {stdout, exitCode} = await runCommand(command, [...argv, '--json']);
  return {...JSON.parse(stdout), exitCode};
}

describe('--terminal', () => {
  it('makes decrypt answer as the library does', async () => {
    const argv = ['--payload', acmeFrame(), '--test-keys', '--terminal', file];
    const {success, messageId, exitCode, ...found} = await json('decrypt', ...argv);
    expect({success, exitCode}).toEqual({success: true, exitCode: 0});
    expect(messageId).toMatch(/^\d+$/);
    expect(found).toEqual(decrypt(acmeFrame(), {terminals, testKeys: true}));
  });

  it('makes inspect answer as the library does', async () => {
    const found = await json('inspect', '--payload', acmeFrame(), '--terminal', file);
    const {form, unit, parts, checks} = inspect(acmeFrame(), {terminals});
    expect(found).toMatchObject({deviceType: 'acme-m1', form, unit, parts, checks});
  });

  it('makes simulate answer as the library does', async () => {
    const argv = ['--device-type', 'acme-m1', '--card', 'amex', '--test-keys', '--terminal', file];
    const {exitCode, ...found} = await json('simulate', ...argv);
    expect(found).toEqual(
      await simulate({deviceType: 'acme-m1', card: 'amex', testKeys: true, terminals}),
    );
    const {modes} = await json('simulate', '-d', 'acme-m1', '--list-options', '--terminal', file);
    expect(modes).toEqual(['swiped']);
  });

  it('makes diagnose answer as the library does, with the command that decrypts', async () => {
    const argv = ['--payload', acmeFrame(), '--test-keys', '--reveal', '--terminal', file];
    const {exitCode, elapsedMs, next, ...found} = await json('diagnose', ...argv);
    const {
      elapsedMs: _,
      next: other,
      ...expected
    } = await diagnose({payload: acmeFrame()}, {terminals});
    expect(found).toEqual(expected);
    expect(next).toBe(other?.replace('FILE', file));
    const [, ...words] = next.split(' ');
    const {stdout} = await runBin([...words, '--json']);
    expect(JSON.parse(stdout).extracted.PAN).toBe('4111111111111111');
  });

  it('gives --device-type its types, and names them where another is asked for', async () => {
    const named = ['--payload', acmeFrame(), '--test-keys', '--terminal', file, '--device-type'];
    expect(await json('decrypt', ...named, 'acme-m1')).toMatchObject({success: true});
    const {errCode, errMessage} = await json('decrypt', ...named, 'acme-m2');
    expect({errCode, errMessage}).toEqual({
      errCode: 9001,
      errMessage: expect.stringMatching(
        /--device-type [\w-]+: expected one of .*idtech.*, acme-m1$/,
      ),
    });
    expect(await json('decrypt', '--payload', '00', '--device-type', 'acme-m1')).toMatchObject({
      errCode: 9001,
    });
  });

  it('takes several files and arrays, one file once', async () => {
    const other = moduleFile(
      ACME_MODULE.replace('export default {', 'const one = {').replace("'acme-m1'", "'acme-m2'") +
        '\nexport default [one, {...one, type: "acme-m3"}];\n',
    );
    const argv = ['--payload', acmeFrame(), '--test-keys', '--terminal', file, '--terminal', other];
    expect(await json('decrypt', ...argv)).toMatchObject({
      errCode: 2000,
      errMessage: expect.stringContaining('acme-m1, acme-m2, acme-m3'),
    });
    const twice = ['--payload', acmeFrame(), '--test-keys', '--terminal', file];
    expect(await json('decrypt', ...twice, `--terminal=${file}`)).toMatchObject({success: true});
  });

  it('takes a request for the type', async () => {
    const request = JSON.stringify({deviceType: 'acme-m1', devicePayload: acmeFrame()});
    const argv = ['--payload', request, '--test-keys'];
    expect(await json('decrypt', ...argv, '--terminal', file)).toMatchObject({success: true});
    expect(await json('decrypt', ...argv)).toMatchObject({errCode: 2001});
  });
});

describe('a module', () => {
  const SECRET = '4111111111111111';
  const FAULTY: readonly (readonly [name: string, text: string, message: RegExp])[] = [
    [
      'throws',
      `throw new TypeError('${SECRET}')`,
      /mine.mjs: cannot be loaded: threw TypeError at mine.mjs:1:7$/,
    ],
    ['throws text', `throw '${SECRET}'`, /cannot be loaded: threw text of 16 characters$/],
    ['does not parse', `const card = '${SECRET}';\nexport default {;`, /threw SyntaxError$/],
    ['imports what is missing', "import 'paylens-is-missing';", /threw Error ERR_MODULE_NOT_FOUND/],
    ['exports nothing', 'export const mine = {};', /mine.mjs: has no default export$/],
    ['exports no terminal', 'export default [];', /mine.mjs: exports no terminal$/],
    [
      'exports text',
      `export default '${SECRET}'`,
      /mine.mjs: expected an object, found text of 16/,
    ],
    ['exports a promise', 'export default Promise.reject(new Error("x"))', /found a promise/],
    [
      'exports a part of one',
      'export default {type: "mine"}',
      /mine.mjs.manufacturer: expected text/,
    ],
    [
      'takes a type of paylens',
      ACME_MODULE.replace("'acme-m1'", "'idtech'"),
      /mine.mjs.type: idtech is already taken/,
    ],
    [
      'exports one twice',
      `${ACME_MODULE.replace('export default {', 'const one = {')}\nexport default [one, one]`,
      /mine.mjs\[1\].type: acme-m1 is already taken/,
    ],
  ];

  it('that is none is error 9040', async () => {
    const argv = ['decrypt', '--payload', acmeFrame(), '--test-keys', '--json', '--terminal'];
    const runs = await runBins(FAULTY.map(([, text]) => [...argv, moduleFile(text)]));
    const found = runs.map(({stdout, exitCode}, i) => {
      const {errCode, errMessage} = JSON.parse(stdout);
      return {name: FAULTY[i]?.[0], errCode, errMessage, exitCode};
    });
    const expected = FAULTY.map(([name, , message]) => {
      return {name, errCode: 9040, errMessage: expect.stringMatching(message), exitCode: 4};
    });
    expect(found).toEqual(expected);
    expect(JSON.stringify(runs.map(({stdout, stderr}) => stdout + stderr))).not.toContain(SECRET);
  });

  it('that is not there, or a folder, cannot be read', async () => {
    for (const name of [`${file}.no`, path.dirname(file)]) {
      const argv = ['--payload', '00', '--terminal', name];
      const {errCode, exitCode} = await json('decrypt', ...argv);
      expect({errCode: [9002, 9040].includes(errCode), exitCode}).toEqual({
        errCode: true,
        exitCode: 4,
      });
    }
  });

  it.each([
    ['decrypt', []],
    ['inspect', []],
    ['diagnose', ['--time-limit', '2s']],
  ] as const)('whose terminal fails is reported by %s in its name', async (command, flags) => {
    const own = moduleFile(ACME_MODULE.replace("  take('M1', 2);", `  fail('${SECRET}');`));
    const keys = command === 'inspect' ? [] : ['--test-keys'];
    const argv = ['--payload', acmeFrame(), ...keys, ...flags, '--terminal', own, '--json'];
    for (const run of [runCommand(command, argv), runBin([command, ...argv])]) {
      const {stdout, stderr, exitCode} = await run;
      expect(JSON.parse(stdout)).toMatchObject({
        errCode: 9040,
        errMessage: expect.stringContaining('acme-m1, read: threw ReferenceError at mine.mjs:'),
      });
      expect({exitCode, isSecret: (stdout + stderr).includes(SECRET)}).toEqual({
        exitCode: 4,
        isSecret: false,
      });
    }
  });
});

describe('a batch with --terminal', () => {
  let reads = '';
  beforeAll(async () => {
    const argv = ['simulate', '-d', 'acme-m1', '--test-keys', '--terminal', file, '--count', '900'];
    const {stdout} = await runBin(argv);
    reads = `${stdout}${acmeFrame()}\n`;
  });

  it.each(['1', '3'])('answers every line in %s threads', async (threads) => {
    const argv = ['decrypt', '--batch', '--test-keys', '--threads', threads, '--terminal', file];
    const {stdout, exitCode} = await runBin(argv, {input: reads});
    const answers = stdout.trimEnd().split('\n');
    const pans = answers.map((line) => JSON.parse(line).extracted?.PAN);
    expect({exitCode, count: pans.length, pans: new Set(pans)}).toEqual({
      exitCode: 0,
      count: 901,
      pans: new Set(['4111111111111111']),
    });
  });

  it('fails line by line where the terminal does, and whole where its module does', async () => {
    const own = moduleFile(ACME_MODULE.replace('return {form:', 'return {from:'));
    const argv = ['decrypt', '--batch', '--test-keys', '--threads', '2', '--terminal'];
    const {stdout, exitCode} = await runBin([...argv, own], {input: reads});
    const codes = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).errCode);
    expect({exitCode, codes: new Set(codes)}).toEqual({exitCode: 7, codes: new Set([9040])});
    writeFileSync(
      own,
      `import {isMainThread} from 'node:worker_threads';\nif (!isMainThread) throw new Error();\n${ACME_MODULE}`,
    );
    const late = await runBin([...argv, own], {input: reads.repeat(20)});
    expect(late).toMatchObject({exitCode: 4, stderr: expect.stringContaining('Error 9040')});
  });
});

describe('nothing but the flag runs a file', () => {
  const marked = () => {
    const own = moduleFile('');
    const mark = path.join(path.dirname(own), 'mark');
    writeFileSync(own, `import {writeFileSync} from 'node:fs';\nwriteFileSync('${mark}', '');\n`);
    return {own, mark};
  };

  it.each([
    [
      'a request',
      (own: string) =>
        JSON.stringify({
          deviceType: 'idtech',
          devicePayload: '00',
          terminal: own,
          terminals: [own],
        }),
    ],
    ['the text of the payload', (own: string) => `--terminal=${own}`],
  ])('not %s', async (_, payloadOf) => {
    const {own, mark} = marked();
    const argv = ['decrypt', '--test-keys', `--payload=${payloadOf(own)}`];
    const diagnose = ['diagnose', '--test-keys', '--time-limit', '1s'];
    const text = payloadOf(own);
    await runBins([
      argv,
      ['decrypt', '--test-keys', '--', text],
      [...diagnose, `--payload=${text}`],
    ]);
    expect(existsSync(mark)).toBe(false);
  });

  it('not the environment', async () => {
    const {own, mark} = marked();
    const env = {PAYLENS_TERMINAL: own, PAYLENS_TERMINALS: own, TERMINAL: own};
    await runBin(['decrypt', '--test-keys', '--payload', acmeFrame()], {env});
    expect(existsSync(mark)).toBe(false);
  });

  it('not other commands', async () => {
    const {own, mark} = marked();
    const names = ['send payload', 'serve', 'verify', 'sign', 'derive'];
    const argvs = names.map((name) => [...name.split(' '), '--terminal', own, '--json']);
    for (const {argv, stdout} of await runBins(argvs))
      expect([argv, JSON.parse(stdout).errCode]).toEqual([argv, 9001]);
    expect(existsSync(mark)).toBe(false);
  });

  it('which says in its help that it runs the file', async () => {
    const {stdout} = await runBin(['decrypt', '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'exports a terminal of your own; the file is run (repeatable)',
    );
  });
});
