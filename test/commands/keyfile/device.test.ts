import {existsSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {COMMANDS} from '../../../src/command-list.js';
import {runBin} from '../../cli/run-bin.js';
import {runCommand} from '../../cli/run-command.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

let folder = '';
let path = '';
beforeEach(() => {
  folder = tempFolder();
  path = join(folder, 'devices.jsonl');
  // Only its folder counts: no keyfile is there.
  vi.stubEnv('PAYLENS_KEYFILE', join(folder, 'keyfile.age'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('device add', () => {
  it('writes a line beside the keyfile, which it does not open', async () => {
    const {exitCode} = await run('device:add', '4711', '--partner', 'A', '--firmware', '1.0');
    expect(exitCode).toBe(0);
    expect(devices()).toEqual([
      {partnerId: 'A', serial: '4711', status: 'active', firmware: ['1.0']},
    ]);
    expect(existsSync(join(folder, 'keyfile.age'))).toBe(false);
  });

  it('writes the file that --devices names, and its folder', async () => {
    const other = join(folder, 'new', 'list.jsonl');
    await run('device:add', '1', '--partner', 'A', '--devices', other);
    expect(devices(other)).toHaveLength(1);
  });

  it.each([
    ['the same serial', ['0ab1', '--partner', 'A'], 2],
    ['the same with other zeros and case', ['00AB1', '--partner', 'A'], 2],
    ['the same of another client', ['ab1', '--partner', 'A', '--client', 'C'], 0],
    ['the same of another partner', ['ab1', '--partner', 'B'], 0],
  ])('once 0ab1 is registered, for %s', async (_, argv, expected) => {
    await run('device:add', '0ab1', '--partner', 'A');
    expect((await run('device:add', ...argv)).exitCode).toBe(expected);
    expect(devices()).toHaveLength(expected === 0 ? 2 : 1);
  });

  it.each([
    ['a control character', ['a\u0007', '--partner', 'A']],
    ['an empty serial', ['', '--partner', 'A']],
  ])('refuses %s with 9002', async (_, argv) => {
    expect((await run('device:add', ...argv)).stderr).toContain('Error 9002');
  });

  it("takes --client '' for none, as list does", async () => {
    await run('device:add', '1', '--partner', 'A', '--client', '');
    expect(devices()).toEqual([{partnerId: 'A', serial: '1', status: 'active'}]);
    expect((await run('device:list', '--client', '', '--json')).stdout).toContain('"serial": "1"');
  });

  it.each(['d.json', 'd.jsonl', 'd.csv'])(
    'refuses an array of JSON in %s by name',
    async (name) => {
      const array = file(name, '\n[{"partnerId":"A","serial":"1"}]');
      const {stderr, exitCode} = await run('device:import', array);
      expect(stderr).toContain(`${array}: expected CSV or a JSON object per line, found an array`);
      expect(exitCode).toBe(4);
    },
  );

  it('counts what it imported', async () => {
    for (const [count, noun] of [
      ['1', 'device'],
      ['2', 'devices'],
      ['0', 'devices'],
    ] as const) {
      const lines = Array.from({length: Number(count)}, (_, i) => `{"serial":"${count}${i}"}`);
      const from = file('d.jsonl', lines.join('\n'));
      const {stderr} = await run('device:import', from, '--partner', 'A');
      expect(stderr).toContain(`Imported ${count} ${noun} into `);
    }
  });

  it('keeps the mode of the file and the link to it', async () => {
    const target = join(folder, 'target.jsonl');
    writeFileSync(target, '\n', {mode: 0o644});
    symlinkSync(target, path);
    await run('device:add', '1', '--partner', 'A');
    expect(devices(target)).toHaveLength(1);
    expect(statSync(target).mode & 0o777).toBe(0o644);
  });

  it('loses no device when several run at once', async () => {
    const serials = ['1', '2', '3', '4'];
    const env = {PAYLENS_KEYFILE: join(folder, 'keyfile.age')};
    await Promise.all(
      serials.map((serial) => runBin(['device', 'add', serial, '--partner', 'A'], {env})),
    );
    expect(
      devices()
        .map(({serial}) => serial)
        .sort(),
    ).toEqual(serials);
  });
});

describe('device list, set and remove', () => {
  const LINES = [
    '{"partnerId":"A","serial":"0001","status":"active","site":"Kassa 1"}',
    '{"partnerId":"A","serial":"2","clientId":"C1","status":"stored"}',
    '{"partnerId":"A","serial":"2","clientId":"C2","status":"active","firmware":["1.0"]}',
    '{"partnerId":"B","serial":"2","status":"active"}',
  ];
  beforeEach(() => writeFileSync(path, `${LINES.join('\n')}\n`));

  it.each([
    ['all', [], ['0001', '2', '2', '2']],
    ['those of a partner', ['--partner', 'B'], ['2']],
    ['those of a client', ['--client', 'C1'], ['2']],
    ['those of a status', ['--status', 'stored'], ['2']],
  ])('list shows %s', async (_, argv, serials) => {
    const {stdout} = await run('device:list', '--json', ...argv);
    expect(JSON.parse(stdout).map(({serial}: {serial: string}) => serial)).toEqual(serials);
  });

  it('set changes the members that are named and keeps what it does not know', async () => {
    await run('device:set', '1', '--status', 'inactive', '--firmware', '2.0', '--firmware', '2.1');
    expect(devices()[0]).toEqual({
      partnerId: 'A',
      serial: '0001',
      status: 'inactive',
      firmware: ['2.0', '2.1'],
      site: 'Kassa 1',
    });
  });

  it('set leaves the other lines as they are, byte for byte', async () => {
    await run('device:set', '1', '--status', 'inactive');
    expect(readFileSync(path, 'utf8').split('\n').slice(1)).toEqual([...LINES.slice(1), '']);
  });

  it('set --any-firmware takes the versions away', async () => {
    await run('device:set', '2', '--client', 'C2', '--any-firmware');
    expect(devices()[2]).not.toHaveProperty('firmware');
  });

  it.each([
    ['an unknown serial', ['3']],
    ['one of several partners and clients', ['2']],
    ['one of several clients', ['2', '--partner', 'A']],
  ])('set says 9001 for %s', async (_, argv) => {
    const {stderr} = await run('device:set', ...argv, '--status', 'inactive');
    expect(stderr).toContain('Error 9001');
  });

  it('set without a change is wrong usage', async () => {
    expect((await run('device:set', '1')).exitCode).toBe(2);
  });

  it('remove takes one device out', async () => {
    await run('device:remove', '2', '--partner', 'A', '--client', 'C1', '--yes');
    expect(readFileSync(path, 'utf8')).toBe(`${[LINES[0], LINES[2], LINES[3]].join('\n')}\n`);
  });

  it('remove leaves a file that is still read when the last one goes', async () => {
    writeFileSync(path, `${LINES[3]}\n`);
    await run('device:remove', '2', '--yes');
    expect(JSON.parse((await run('device:list', '--json')).stdout)).toEqual([]);
  });

  it('remove without a terminal to confirm on removes nothing', async () => {
    expect((await run('device:remove', '1')).exitCode).toBe(2);
    expect(devices()).toHaveLength(4);
  });

  it.each([
    ['no JSON', '{"partnerId":"A"', 'line 2: column 17: expected a comma or a closing brace'],
    ['a member twice', '{"serial":"1","serial":"2"}', 'line 2: column 15: duplicate member'],
    ['an array', '[]', 'line 2: expected a JSON object, found an array'],
    ['no serial', '{"partnerId":"A","status":"active"}', 'line 2: serial: expected'],
    ['a number for a serial', '{"partnerId":"A","serial":1,"status":"active"}', 'serial: expected'],
    ['another status', '{"partnerId":"A","serial":"9","status":"x"}', 'line 2: status: expected'],
    ['a repeated device', LINES[0]?.replace('0001', '1') ?? '', 'line 2: duplicates the device'],
  ])('a file with %s is refused with the line', async (_, line, message) => {
    writeFileSync(path, `${LINES[0]}\n${line}\n`);
    const {stderr, exitCode} = await run('device:list');
    expect(stderr).toContain(message);
    expect(exitCode).toBe(4);
  });

  it('a file that was named must be there', async () => {
    const {stderr} = await run('device:list', '--devices', join(folder, 'no.jsonl'));
    expect(stderr).toContain('Error 9002');
  });
});

describe('device import', () => {
  it('reads CSV with quotes, several versions and empty fields', async () => {
    const csv =
      '\uFEFFPartner_ID,Serial,clientId,status,firmware\r\n' +
      'A,1,,stored,1.0;1.1\r\n"A",2,"C, one",,\r\n';
    const {stdout, exitCode} = await run('device:import', file('d.csv', csv), '--json');
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, {path, imported: 2, faults: []}]);
    expect(devices()).toEqual([
      {partnerId: 'A', serial: '1', status: 'stored', firmware: ['1.0', '1.1']},
      {partnerId: 'A', serial: '2', clientId: 'C, one', status: 'active'},
    ]);
  });

  it.each([
    ['semicolons', 'partnerId;Serial;clientId;firmware\r\nA;1;"C; one, two";"1.0;1.1"\r\n'],
    [
      'semicolons after a byte order mark',
      '\uFEFF"partnerId";"serial";firmware;clientId\n"A";1;"1.0; 1.1";"C; one, two"',
    ],
    [
      'semicolons that a spreadsheet announces',
      'sep=;\r\nserial;partnerId;clientId;firmware\r\n1;A;"C; one, two";"1.0;1.1"\r\n',
    ],
    ['tabs', 'serial\tpartnerId\tclientId\tfirmware\n1\tA\tC; one, two\t1.0;1.1\n'],
    [
      'commas that a spreadsheet announces',
      'sep=,\nserial,partnerId,clientId,firmware\n1,A,"C; one, two",1.0;1.1\n',
    ],
  ])('reads columns between %s', async (_, csv) => {
    expect((await run('device:import', file('d.csv', csv))).exitCode).toBe(0);
    const device = {partnerId: 'A', serial: '1', clientId: 'C; one, two', status: 'active'};
    expect(devices()).toEqual([{...device, firmware: ['1.0', '1.1']}]);
  });

  it('reads a single column whatever it holds', async () => {
    await run('device:import', file('d.csv', 'serial\n1\n2\n'), '--partner', 'A');
    expect(devices().map(({serial}) => serial)).toEqual(['1', '2']);
  });

  it.each([
    ['a field too many', 'serial;firmware\n1;2;3\n', 'line 2: expected 2 fields, found 3'],
    [
      'another separator in a line',
      'serial;status\n1,active\n',
      'line 2: expected 2 fields, found 1',
    ],
    ['text behind a quote', 'serial;status\n"1",active\n', 'line 2: expected a semicolon after'],
    ['an unknown column', 'sep=;\nserial;site\n1;2\n', 'line 2: expected column names'],
  ])('names the line of semicolons with %s', async (_, csv, message) => {
    const {stderr} = await run('device:import', file('d.csv', csv), '--partner', 'A');
    expect(stderr).toContain(message);
  });

  it('names a file without column names, and what is expected in it', async () => {
    const {stderr} = await run('device:import', file('notes.txt', 'My devices\n'));
    expect(stderr).toMatch(/notes\.txt: 1 line is invalid\n {2}line 1: expected column names \(/);
    expect(stderr).toMatch(/^Nothing was imported\./m);
  });

  it('reads JSONL and keeps members that it does not know', async () => {
    const lines = '{"serial":"1","site":"X"}\r\n\n{"partnerId":"B","serial":"1"}';
    await run('device:import', file('d.jsonl', lines), '--partner', 'A', '--status', 'stored');
    expect(devices()).toEqual([
      {partnerId: 'A', serial: '1', status: 'stored', site: 'X'},
      {partnerId: 'B', serial: '1', status: 'stored'},
    ]);
  });

  it.each([
    ['CSV', 'serial,partnerId\n1,A\n'],
    ['JSONL', '{"serial":"1","partnerId":"A"}\n'],
  ])('reads %s from stdin by its first character', async (_, input) => {
    const env = {PAYLENS_KEYFILE: join(folder, 'keyfile.age')};
    expect((await runBin(['device', 'import', '-'], {input, env})).exitCode).toBe(0);
    expect(devices()).toHaveLength(1);
  });

  const BAD = 'partnerId,serial,status\nA,1,active\nA,,active\nA,2,x\nA,01,active\nA,3\nA,4,active';
  const FAULTS = [
    {line: 3, fault: 'serial: expected 1 to 128 printable characters'},
    {line: 4, fault: 'status: expected active, activating, inactive, stored'},
    {line: 5, fault: 'duplicates the device on line 2'},
    {line: 6, fault: 'expected 3 fields, found 2'},
  ];

  it('imports none when a line is at fault, and tells each by its number', async () => {
    const {stderr, exitCode} = await run('device:import', file('d.csv', BAD));
    for (const {line, fault} of FAULTS) expect(stderr).toContain(`line ${line}: ${fault}`);
    expect([exitCode, existsSync(path)]).toEqual([4, false]);
  });

  it('has every fault in the JSON of the error', async () => {
    const {stdout} = await run('device:import', file('d.csv', BAD), '--json');
    expect(JSON.parse(stdout)).toMatchObject({success: false, errCode: 9002, faults: FAULTS});
  });

  it('refuses a device that is registered already', async () => {
    await run('device:add', '7', '--partner', 'A');
    const {stderr} = await run('device:import', file('d.csv', 'partnerId,serial\nA,007\n'));
    expect(stderr).toContain('line 2: is already registered');
    expect(devices()).toHaveLength(1);
  });

  it.each([
    ['an unknown column', 'serial,partnerId,site\n', 'column 3 is not a known column'],
    ['a column twice', 'serial,partnerId,Serial\n', 'duplicate column name'],
    ['no serial', 'partnerId,status\n', 'serial is missing'],
    ['no partner anywhere', 'serial,status\n', 'partnerId is missing, and --partner was not given'],
    ['no names at all', '4711,A\n', 'column 1 is not a known column'],
  ])('refuses CSV with %s', async (_, csv, message) => {
    const {stderr, exitCode} = await run('device:import', file('d.csv', csv));
    expect(stderr).toContain(message);
    expect(exitCode).toBe(4);
  });

  it.each([
    ['what is not UTF-8', Buffer.of(0x73, 0xff), 'expected UTF-8'],
    ['a file that is missing', undefined, 'no such file'],
  ])('says 9002 for %s', async (_, bytes, message) => {
    const name = bytes ? file('d.csv', bytes) : join(folder, 'no.csv');
    expect((await run('device:import', name)).stderr).toContain(message);
  });

  it('imports 100,000 devices in one save', async () => {
    const rows = Array.from({length: 100_000}, (_, i) => `A,${80_000_000 + i},${i % 5}`);
    const csv = file('d.csv', ['partnerId,serial,clientId', ...rows].join('\n'));
    const {stdout} = await run('device:import', csv, '--json');
    expect(JSON.parse(stdout).imported).toBe(100_000);
    expect(devices().at(-1)).toMatchObject({serial: '80099999', clientId: '4'});
  });
});

function run(id: keyof typeof COMMANDS, ...argv: string[]) {
  return runCommand(id, argv);
}

function file(name: string, content: string | Uint8Array): string {
  const written = join(folder, name);
  writeFileSync(written, content);
  return written;
}

function devices(file = path): Record<string, unknown>[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
