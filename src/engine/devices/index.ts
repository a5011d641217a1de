import type {DeviceType} from '../../contract/device-types.js';
import type {Device} from './device.js';
import {generic} from './generic/reader.js';
import {idtech} from './idtech/reader.js';
import {wisepad, wisepad2} from './wisepad/reader.js';

/** Every terminal of the interface: a missing one does not compile. */
export const DEVICES = {generic, idtech, wisepad, wisepad2} as unknown as Readonly<
  Record<DeviceType, Device>
>;
