import type {DeviceType} from '../../contract/device-types.js';
import type {Device} from './device.js';
import {generic} from './generic/reader.js';
import {idtech} from './idtech/reader.js';

/** Every terminal of the interface: a missing one does not compile. */
export const DEVICES = {generic, idtech} as unknown as Readonly<Record<DeviceType, Device>>;
