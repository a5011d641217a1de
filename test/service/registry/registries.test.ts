import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import type {RingKey} from '../../../src/engine/dukpt/ring-key.js';
import {partnersFrom} from '../../../src/keyfile/partner-entry.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {deviceLine} from '../../../src/service/registry/device-line.js';
import {DeviceRegistry} from '../../../src/service/registry/device-registry.js';
import {
  partnerDirectory,
  type RegistrySource,
  registryOf,
} from '../../../src/service/registry/registry.js';
import {selectDevice} from '../../../src/service/registry/select-device.js';

// ANSI X9.24-1:2009, Annex A: the published BDK, KSN and key.
const BDK = '0123456789ABCDEFFEDCBA9876543210';
const KSN = 'FFFF9876543210E00001';

function source(): RegistrySource {
  const key: RingKey = {kind: 'bdk', secret: new Secret(Buffer.from(BDK, 'hex'))};
  const partners = partnersFrom([
    {partnerId: 'A', partnerKey: 'k'.repeat(32), sharedKey: 's'.repeat(32)},
  ]);
  const devices = new DeviceRegistry([{partnerId: 'A', serial: '1', status: 'active'}]);
  return {keys: [key], partners, devices, allowUnregistered: false};
}

describe('the registry of a source', () => {
  const registry = registryOf(source());

  it('finds partners by their exact id', () => {
    expect(['A', 'a', 'B'].map((id) => registry.partners(id)?.partnerId)).toEqual([
      ...['A', undefined, undefined],
    ]);
  });

  it('has its keys', () => {
    expect(() => registry.keys.transaction(parseKsn(KSN))).not.toThrow();
  });

  it('refuses a partner that stands twice', () => {
    const {partners} = source();
    expect(() => partnerDirectory([...partners, ...partners])).toThrow('is in two keyfiles');
  });
});

describe('the demo registry', () => {
  const {partners, devices, allowUnregistered} = demoRegistry();

  it('has one partner with every method', () => {
    expect([...(partners(DEMO_PARTNER.partnerId)?.methods ?? [])]).toEqual([
      ...['transparent', 'basic', 'digest', 'digest-preemptive', 'hmac', 'rsa'],
    ]);
  });

  it('has one partner that may not sign', () => {
    expect([...(partners('DEMO-UNSIGNED')?.methods ?? [])]).toEqual(['transparent', 'basic']);
  });

  it('knows nobody else', () => {
    expect(partners('demo')).toBeUndefined();
  });

  it('processes what is not registered', () => {
    expect(allowUnregistered).toBe(true);
  });

  it.each([
    ['DEMO0001', undefined, 'active'],
    ['DEMO0002', undefined, 'activating'],
    ['DEMO0003', undefined, 1203],
    ['DEMO0004', undefined, 1203],
    ['DEMO0005', undefined, 1205],
    ['DEMO0005', 'client-1', 'active'],
    ['DEMO0005', 'client-2', 'active'],
    ['DEMO0006', undefined, 1202],
  ])('has the device %s of %s: %s', (serial, clientId, expected) => {
    const query = {partnerId: 'DEMO', serial, clientId};
    expect(statusOr(() => devices.require(query).status)).toBe(expected);
  });

  it('accepts two versions of one device', () => {
    expect(devices.require({partnerId: 'DEMO', serial: 'DEMO0001'}).firmware).toEqual([
      ...['1.0', '1.1'],
    ]);
  });
});

function statusOr(work: () => string): string | number {
  try {
    return work();
  } catch (error) {
    return (error as {code: number}).code;
  }
}

describe('the device that is meant', () => {
  const lines = [
    {partnerId: 'A', serial: '01'},
    {partnerId: 'B', serial: '1'},
    {partnerId: 'B', serial: '1', clientId: 'C'},
    {partnerId: 'B', serial: '2'},
  ].map((each) => deviceLine({...each, status: 'active'}));

  it.each([
    [{serial: '2'}, 3],
    [{serial: '1', partner: 'A'}, 0],
    [{serial: '1', client: 'C'}, 2],
    [{serial: '1', partner: 'B', client: ''}, 1],
  ])('by %j is the one of line %i', ({serial, ...owner}, index) => {
    expect(selectDevice(lines, serial, owner)).toBe(lines[index]);
  });

  it.each([
    [{serial: '1'}, '3 devices match'],
    [{serial: '1', partner: 'B'}, '2 devices match'],
    [{serial: '3'}, 'there is no device 3 '],
    [{serial: '1', partner: 'A', client: 'C'}, 'there is no device 1 '],
  ])('by %j is none: %s', ({serial, ...owner}, why) => {
    expect(() => selectDevice(lines, serial, owner)).toThrow(
      expect.objectContaining({code: 9001, detail: expect.stringContaining(why)}),
    );
  });
});
