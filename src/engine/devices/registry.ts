import type {DeviceType} from '../../contract/device-types.js';
import {generic} from './generic/reader.js';
import {idtech} from './idtech/reader.js';
import {ingenicoRa1} from './ingenico/ra1.js';
import {ingenicoRba} from './ingenico/rba.js';
import {miura} from './miura/reader.js';
import {phressiapad} from './phressiapad/reader.js';
import {prima} from './prima/reader.js';
import type {Device} from './terminal.js';
import {verifone} from './verifone/reader.js';
import {wisepad, wisepad2} from './wisepad/reader.js';

/** Every terminal of the interface: a missing one does not compile. */
export const DEVICES: Readonly<Record<DeviceType, Device>> = {
  generic,
  idtech,
  'ingenico-ra1': ingenicoRa1,
  'ingenico-rba': ingenicoRba,
  miura,
  prima,
  verifone,
  wisepad,
  wisepad2,
  phressiapad,
};
