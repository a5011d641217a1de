import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {
  changeDevice,
  deviceFrom,
  deviceLine,
  parseDeviceLine,
} from '../../../src/service/registry/device-line.js';
import type {RegisteredDevice} from '../../../src/service/registry/device-registry.js';

const LEAST: RegisteredDevice = {partnerId: 'A', serial: '1', status: 'active'};

function detailOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof PaylensError && error.code === 9002) return error.detail;
  }
  throw new Error('expected 9002');
}

describe('the members of a device', () => {
  it.each<[string, Partial<RegisteredDevice>]>([
    ['the least', {}],
    ['a client', {clientId: 'C'}],
    ['firmware', {firmware: ['1.0', '1.1']}],
    ['client and firmware', {clientId: 'C', firmware: []}],
    ['texts of 128 characters', {partnerId: 'A'.repeat(128), serial: 'é'.repeat(128)}],
    ...(['activating', 'inactive', 'stored'] as const).map(
      (status): [string, Partial<RegisteredDevice>] => [status, {status}],
    ),
  ])('are taken: %s', (_, members) => {
    expect(deviceFrom({...LEAST, ...members, other: 1}, 'line 1')).toStrictEqual({
      ...LEAST,
      ...members,
    });
  });

  const TEXT = 'expected 1 to 128 printable characters';
  it.each([
    ...['partnerId', 'serial', 'clientId'].flatMap((member) => [
      [member, '', TEXT],
      [member, ' ', TEXT],
      [member, 1, TEXT],
      [member, null, TEXT],
      [member, 'a\tb', TEXT],
      [member, 'a'.repeat(129), TEXT],
    ]),
    ['status', 'ACTIVE', 'expected active, activating, inactive, stored'],
    ['status', undefined, 'expected active, activating, inactive, stored'],
    ['firmware', '1.0', 'expected an array of strings'],
    ['firmware', ['1.0', 1], 'expected an array of strings'],
    ['firmware', [1, '1.0'], 'expected an array of strings'],
    ['firmware', null, 'expected an array of strings'],
  ] as [string, unknown, string][])('are refused: %s %j', (member, value, why) => {
    expect(detailOf(() => deviceFrom({...LEAST, [member]: value}, 'line 7'))).toBe(
      `line 7: ${member}: ${why}`,
    );
  });

  it.each(['partnerId', 'serial'])('must have %s', (member) => {
    expect(detailOf(() => deviceFrom({...LEAST, [member]: undefined}, 'x'))).toContain(member);
  });
});

describe('a line', () => {
  it('keeps its text', () => {
    const text = '{"partnerId":"A", "serial":"1", "status":"active", "note":1}';
    expect(parseDeviceLine(text, 'line 1')).toEqual({device: LEAST, text});
  });

  it('is written without what is not there', () => {
    expect(deviceLine(LEAST).text).toBe('{"partnerId":"A","serial":"1","status":"active"}');
  });

  it('keeps members that are not ours when its device changes', () => {
    const before = parseDeviceLine('{"note":1,"partnerId":"A","serial":"1","status":"active"}', '');
    expect(JSON.parse(changeDevice(before, {status: 'stored'}).text)).toEqual({
      ...LEAST,
      status: 'stored',
      note: 1,
    });
  });

  it.each([
    ['{"a":1', 'line 3: column 7: expected a comma or a closing brace, found the end'],
    ['[]', 'line 3: expected a JSON object, found an array'],
  ])('is refused: %s', (text, why) => {
    expect(detailOf(() => parseDeviceLine(text, 'line 3'))).toBe(why);
  });
});
