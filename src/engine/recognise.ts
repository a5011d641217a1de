import {DEVICE_TYPES, type DeviceType} from '../contract/device-types.js';
import {DEVICES} from './devices/index.js';
import {readPayload} from './read-payload.js';

/** The device types whose own form the payload has, intact; borrowed forms do not count. */
export function recognise(payload: string): DeviceType[] {
  return DEVICE_TYPES.filter((type) => DEVICES[type]?.recognises && fits(type, payload));
}

function fits(type: DeviceType, payload: string): boolean {
  try {
    readPayload(type, payload);
    return true;
  } catch {
    return false;
  }
}
