import type {DeviceType} from '../../contract/device-types.js';
import type {About} from './about.js';
import {aboutGeneric} from './generic/about.js';
import {aboutIdtech} from './idtech/about.js';
import {aboutRa1, aboutRba} from './ingenico/about.js';
import {aboutMiura} from './miura/about.js';
import {aboutPhressiapad} from './phressiapad/about.js';
import {aboutPrima} from './prima/about.js';
import {aboutVerifone} from './verifone/about.js';
import {aboutWisepad, aboutWisepad2} from './wisepad/about.js';

/** What is told of every terminal: a missing one does not compile. */
export const ABOUTS: Readonly<Record<DeviceType, About>> = {
  generic: aboutGeneric,
  idtech: aboutIdtech,
  'ingenico-ra1': aboutRa1,
  'ingenico-rba': aboutRba,
  miura: aboutMiura,
  prima: aboutPrima,
  verifone: aboutVerifone,
  wisepad: aboutWisepad,
  wisepad2: aboutWisepad2,
  phressiapad: aboutPhressiapad,
};
