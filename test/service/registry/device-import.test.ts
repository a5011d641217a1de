import {describe, expect, it} from 'vitest';
import {
  DeviceCollector,
  type ImportDefaults,
  type ImportFormat,
  importLines,
} from '../../../src/service/registry/device-import.js';
import {DeviceRegistry} from '../../../src/service/registry/device-registry.js';

const DEFAULTS: ImportDefaults = {partnerId: 'A', status: 'active'};

function read(text: string, format: ImportFormat = 'csv', defaults = DEFAULTS): unknown[] {
  return [...importLines(text, format, defaults)].map((each) =>
    'fault' in each ? `${each.line}: ${each.fault}` : {line: each.line, ...each.device.device},
  );
}

const device = (line: number, serial: string, rest: object = {}) => ({
  ...{line, partnerId: 'A', serial, status: 'active'},
  ...rest,
});

describe('CSV', () => {
  it.each([
    ['the least', 'serial\n1', [device(2, '1')]],
    ['nothing', '', []],
    ['names only', 'serial\n', []],
    [
      'names in other spellings',
      'Serial,CLIENT_ID,partner-id\n1,C,B',
      [device(2, '1', {clientId: 'C', partnerId: 'B'})],
    ],
    ['blanks around values', 'serial,status\n 1 , stored ', [device(2, '1', {status: 'stored'})]],
    ['empty fields', 'serial,clientId,firmware\n1,,', [device(2, '1')]],
    [
      'several versions',
      'serial,firmware\n1,1.0; 1.1;',
      [device(2, '1', {firmware: ['1.0', '1.1']})],
    ],
    ['semicolons', 'serial;clientId\n1;C', [device(2, '1', {clientId: 'C'})]],
    ['tabs', 'serial\tclientId\n1\tC', [device(2, '1', {clientId: 'C'})]],
    [
      'a line that names the separator',
      'sep=;\r\nserial;clientId\r\n1;C',
      [device(3, '1', {clientId: 'C'})],
    ],
  ])('is read: %s', (_, text, devices) => {
    expect(read(text)).toEqual(devices);
  });

  it.each([
    ['too few fields', 'serial,clientId\n1', '2: expected 2 fields, found 1'],
    ['too many fields', 'serial\n1,2', '2: expected 1 fields, found 2'],
    ['a quote that stays open', 'serial\n"1', '2: unterminated quoted field'],
  ])('names the line of %s', (_, text, fault) => {
    expect(read(text)).toEqual([fault]);
  });

  it.each([
    ['another name', 'serial,colour\n1,red', 'column 2 is not a known column'],
    ['several other names', 'colour,serial,size\n', 'column 1 is not a known column'],
    ['more commas than semicolons', 'serial;a,b,c\n', 'column 2 is not a known column'],
    ['a name twice', 'serial,Serial\n1,1', 'duplicate column name'],
    ['no serial', 'clientId\nC', 'serial is missing'],
  ])('is refused with %s', (_, text, why) => {
    const names = '(partnerId, serial, clientId, status, firmware)';
    expect(read(text)).toEqual([`1: expected column names ${names}: ${why}`]);
  });

  it('needs a partner from somewhere', () => {
    const [fault] = read('serial\n1', 'csv', {status: 'active'});
    expect(fault).toMatch(/^1: .*: partnerId is missing, and --partner was not given$/);
  });

  it('takes the partner of its column where none is given', () => {
    const [found] = read('serial,partnerId\n1,B', 'csv', {status: 'active'});
    expect(found).toEqual(device(2, '1', {partnerId: 'B'}));
  });
});

describe('JSONL', () => {
  it('is read line by line, empty ones left out', () => {
    const text = '{"serial":"1"}\n\n{"serial":"2","status":"stored"}\n';
    expect(read(text, 'jsonl')).toEqual([device(1, '1'), device(3, '2', {status: 'stored'})]);
  });
});

describe('the collector', () => {
  function collect(text: string, registered: readonly string[] = []) {
    const known = registered.map((serial) => ({
      ...{partnerId: 'A', serial, status: 'active' as const},
    }));
    const collector = new DeviceCollector(new DeviceRegistry(known));
    for (const line of importLines(text, 'csv', DEFAULTS)) collector.take(line);
    return collector;
  }

  it('takes what is new', () => {
    expect(collect('serial\n1\n2').devices.map(({device: {serial}}) => serial)).toEqual(['1', '2']);
  });

  it.each([
    [
      'what stands twice',
      'serial\n1\n01',
      [],
      [{line: 3, fault: 'duplicates the device on line 2'}],
    ],
    ['what is registered', 'serial\n1', ['1'], [{line: 2, fault: 'is already registered'}]],
    ['what is at fault', 'serial\n"1', [], [{line: 2, fault: 'unterminated quoted field'}]],
  ])('names %s', (_, text, registered, faults) => {
    expect(collect(text, registered).faults).toEqual(faults);
  });
});
