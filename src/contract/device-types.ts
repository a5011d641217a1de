import {frozen} from './frozen.js';

/**
 * The terminals of the interface, in its own spelling and order
 * (docs/interface.md#process-payload).
 */
export const DEVICE_TYPES = frozen([
  'generic',
  'idtech',
  'ingenico-ra1',
  'ingenico-rba',
  'miura',
  'prima',
  'verifone',
  'wisepad',
  'wisepad2',
  'phressiapad',
] as const);

/** The type whose payload names its ciphertexts and how they are encrypted, in JSON. */
export const DESCRIBED_TYPE = 'generic';

export type DeviceType = (typeof DEVICE_TYPES)[number];

/** True when `value` is one of the ten device types, in exactly that spelling. */
export function isDeviceType(value: unknown): value is DeviceType {
  return (DEVICE_TYPES as readonly unknown[]).includes(value);
}
