import {describe, expect, it} from 'vitest';
import {DeviceCache} from '../../../src/engine/dukpt/device-cache.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';

const KEY = Int32Array.of(1, 2, 3, 4);

describe('DeviceCache', () => {
  it('gives a device the registers that it had before', () => {
    const cache = new DeviceCache<string>();
    const registers = cache.registers('A', 'tdes');
    cache.registers('B', 'tdes');
    expect(cache.registers('A', 'tdes')).toBe(registers);
  });

  it('zeroes and forgets devices not seen for long when it is full', () => {
    const cache = new DeviceCache<string>(4);
    const [a, b] = ['A', 'B'].map((initial) => cache.registers(initial, 'tdes'));
    for (const registers of [a, b]) registers?.store(8, KEY);
    for (const initial of ['C', 'A', 'D', 'E']) cache.registers(initial, 'tdes');
    const kept = [a, b].map((registers) => registers?.load(8, new Int32Array(4)));
    expect(kept).toEqual([8, undefined]);
  });

  it('holds no more devices than its limit', () => {
    const cache = new DeviceCache<string>(10);
    const all = Array.from({length: 100}, (_, i) => cache.registers(`${i}`, 'tdes'));
    for (const registers of all) registers.store(8, KEY);
    cache.wipe();
    const strange = all.filter((registers) => registers.load(8, new Int32Array(4)) !== undefined);
    expect(strange.length).toBeGreaterThanOrEqual(90);
  });

  it('holds no more than 1024 devices unless it is told', () => {
    const cache = new DeviceCache<number>();
    const all: ReturnType<typeof cache.registers>[] = [];
    for (let device = 0; device < 1026; device++) {
      const registers = cache.registers(device, 'tdes');
      registers.store(8, KEY);
      all.push(registers);
      if (device < 1023) continue;
      const kept = all.filter((one) => one.load(8, new Int32Array(4)) !== undefined);
      expect(kept.length).toBeLessThanOrEqual(1024);
    }
  });

  it('zeroes all registers when wiped', () => {
    const cache = new DeviceCache<string>();
    const registers = cache.registers('A', 'aes');
    registers.store(0, KEY);
    cache.wipe();
    expect(registers.load(1, new Int32Array(8))).toBeUndefined();
  });
});

describe('DeviceRegisters', () => {
  it('go on from the longest prefix of the counter that is kept', () => {
    const registers = new DeviceCache<string>().registers('A', 'tdes');
    for (const prefix of [0, 8, 12]) registers.store(prefix, KEY);
    const starts = [15, 12, 11, 7].map((counter) => registers.load(counter, new Int32Array(4)));
    expect(starts).toEqual([12, 12, 8, 0]);
  });

  it('do not take the key of another prefix that ends at the same bit', () => {
    const registers = new DeviceCache<string>().registers('A', 'tdes');
    registers.store(0x18, KEY);
    expect(registers.load(0x28, new Int32Array(4))).toBeUndefined();
  });

  it('keep their keys for the device that they have', () => {
    const registers = new DeviceCache<string>().registers('A', 'tdes');
    registers.claim(parseKsn('FFFF9876543210E00001')).store(8, KEY);
    registers.claim(parseKsn('FFFF9876543210E00009'));
    expect(registers.load(9, new Int32Array(4))).toBe(8);
  });

  it.each([
    ['another device of the key set', 'FFFF9876543210C00001'],
    ['a device of another key set', 'FFFF9875543210E00001'],
    ['a device whose KSN of 12 bytes begins alike', 'FFFF9876543210E000000001'],
  ])('forget their keys for %s', (_, ksn) => {
    const registers = new DeviceCache<string>().registers('A', 'tdes');
    registers.claim(parseKsn('FFFF9876543210E00001')).store(8, KEY);
    registers.claim(parseKsn(ksn));
    expect(registers.load(9, new Int32Array(4))).toBeUndefined();
  });

  it('hold prefixes of all 32 bits of an AES counter', () => {
    const registers = new DeviceCache<string>().registers('A', 'aes');
    registers.store(0x80000000, KEY);
    expect(registers.load(0x80000001, new Int32Array(8))).toBe(0x80000000);
  });
});
