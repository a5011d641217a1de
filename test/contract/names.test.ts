import {describe, expect, it} from 'vitest';
import {AUTH_METHODS, isAuthMethod, SHARED_KEY_ENCODINGS} from '../../src/contract/auth-method.js';
import {DEVICE_TYPES, isDeviceType} from '../../src/contract/device-types.js';
import {OPERATION_BY_PATH, OPERATIONS, pathOf} from '../../src/contract/operation.js';

describe('the names of the interface', () => {
  it('are ten for the device types', () => {
    expect(DEVICE_TYPES).toEqual([
      ...['generic', 'idtech', 'ingenico-ra1', 'ingenico-rba', 'miura'],
      ...['prima', 'verifone', 'wisepad', 'wisepad2', 'phressiapad'],
    ]);
  });

  it.each(DEVICE_TYPES)('hold %s', (name) => {
    expect(isDeviceType(name)).toBe(true);
  });

  it.each(['IDTECH', 'idtech ', '', undefined, 1])('hold no device type %j', (name) => {
    expect(isDeviceType(name)).toBe(false);
  });

  it('are six for the methods', () => {
    expect(AUTH_METHODS).toEqual([
      ...['transparent', 'basic', 'digest', 'digest-preemptive', 'hmac', 'rsa'],
    ]);
  });

  it.each([
    ['hmac', true],
    ['HMAC', false],
    ['', false],
  ])('make %j a method: %s', (name, expected) => {
    expect(isAuthMethod(name)).toBe(expected);
  });

  it('are three for the encodings of a shared key', () => {
    expect(SHARED_KEY_ENCODINGS).toEqual(['utf8', 'hex', 'base64']);
  });
});

describe('the paths of the operations', () => {
  it('are six', () => {
    expect(Object.fromEntries(OPERATION_BY_PATH)).toEqual({
      '/api/v1/partner/validate': 'validate-partner',
      '/api/partner/validate': 'validate-partner',
      '/api/v1/device/validate': 'validate-device',
      '/api/device/validate': 'validate-device',
      '/api/v1/decrypt/parser': 'process-payload',
      '/api/decrypt/parser': 'process-payload',
    });
  });

  it.each(OPERATIONS)('of %s have the version unless it is not wanted', (operation) => {
    expect(pathOf(operation)).toBe(pathOf(operation, false).replace('/api/', '/api/v1/'));
  });
});
