import {DEVICE_TYPES, type DeviceType} from '../contract/device-types.js';
import {DEVICES} from './devices/index.js';
import {readPayload} from './read-payload.js';

/** The device types whose own form the payload has, intact; borrowed forms do not count. */
export function recognise(payload: string): DeviceType[] {
  return DEVICE_TYPES.filter((type) => tries(type, payload) && fits(type, payload));
}

function tries(type: DeviceType, payload: string): boolean {
  const recognises = DEVICES[type]?.recognises ?? false;
  return typeof recognises === 'boolean' ? recognises : recognises(payload);
}

function fits(type: DeviceType, payload: string): boolean {
  try {
    readPayload(type, payload);
    return true;
  } catch {
    return false;
  }
}
