import {describe, expect, it} from 'vitest';
import {
  checkFirmware,
  DeviceRegistry,
  type RegisteredDevice,
} from '../../../src/service/registry/device-registry.js';

function device(serial: string, rest: Partial<RegisteredDevice> = {}): RegisteredDevice {
  return {partnerId: 'A', serial, status: 'active', ...rest};
}

function codeOf(work: () => unknown): number | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as {code: number}).code;
  }
}

describe('a device is found', () => {
  const registry = new DeviceRegistry([device('00aB12')]);

  it.each(['00aB12', 'AB12', 'ab12', '000ab12', ' ab12 '])('by the serial %j', (serial) => {
    expect(registry.require({partnerId: 'A', serial}).serial).toBe('00aB12');
  });

  it.each([
    ['another serial', {partnerId: 'A', serial: 'ab120'}],
    ['another partner', {partnerId: 'B', serial: 'ab12'}],
    ['a partner of another case', {partnerId: 'a', serial: 'ab12'}],
    ['a client that it does not have', {partnerId: 'A', serial: 'ab12', clientId: 'C'}],
  ])('not by %s: 1202', (_, query) => {
    expect(codeOf(() => registry.require(query))).toBe(1202);
  });

  it('not under a partner and serial that only join to the same text', () => {
    const other = new DeviceRegistry([device('B:C', {partnerId: 'A'})]);
    expect(codeOf(() => other.require({partnerId: 'A:B', serial: 'C'}))).toBe(1202);
  });
});

describe('a device of several clients', () => {
  const registry = new DeviceRegistry([
    device('1', {clientId: 'C1'}),
    device('1', {clientId: 'C2', status: 'inactive'}),
  ]);

  it('needs the clientId: 1205', () => {
    expect(codeOf(() => registry.require({partnerId: 'A', serial: '1'}))).toBe(1205);
  });

  it('is found by it', () => {
    expect(registry.require({partnerId: 'A', serial: '1', clientId: 'C1'}).clientId).toBe('C1');
  });

  it('has a status for each', () => {
    const query = {partnerId: 'A', serial: '1', clientId: 'C2'};
    expect(codeOf(() => registry.require(query))).toBe(1203);
  });
});

describe('a device processes', () => {
  it.each([
    ['active', undefined],
    ['activating', undefined],
    ['inactive', 1203],
    ['stored', 1203],
  ] as const)('%s: %s', (status, expected) => {
    const registry = new DeviceRegistry([device('1', {status})]);
    expect(codeOf(() => registry.require({partnerId: 'A', serial: '1'}))).toBe(expected);
  });
});

describe('firmware', () => {
  it.each([
    ['one of the accepted versions', ['1.0', '1.1'], '1.1', undefined],
    ['another version', ['1.0', '1.1'], '1.2', 1204],
    ['the start of an accepted one', ['1.0.1'], '1.0', 1204],
    ['any version where none is set', undefined, '9', undefined],
    ['any version where the list is empty', [], '9', undefined],
  ])('%s', (_, firmware, sent, expected) => {
    expect(codeOf(() => checkFirmware(device('1', {firmware}), sent))).toBe(expected);
  });
});

describe('add', () => {
  const first = device('07', {clientId: 'C'});

  it.each([
    ['the same serial with other zeros', device('7', {clientId: 'C'}), true],
    ['another client', device('7', {clientId: 'D'}), false],
    ['no client', device('7'), false],
    ['another partner', device('7', {clientId: 'C', partnerId: 'B'}), false],
  ])('knows %s', (_, second, twin) => {
    const registry = new DeviceRegistry([first]);
    expect(registry.add(second)).toBe(twin ? first : undefined);
    expect(registry.size).toBe(twin ? 1 : 2);
  });
});
