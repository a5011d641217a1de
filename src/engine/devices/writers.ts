import type {DeviceType} from '../../contract/device-types.js';
import {genericWriter} from './generic/writer.js';
import {idtechWriter} from './idtech/writer.js';
import {ingenicoRa1Writer} from './ingenico/ra1-writer.js';
import {ingenicoRbaWriter} from './ingenico/rba-writer.js';
import {miuraWriter} from './miura/writer.js';
import {phressiapadWriter} from './phressiapad/writer.js';
import {primaWriter} from './prima/writer.js';
import {verifoneWriter} from './verifone/writer.js';
import {wisepad2Writer, wisepadWriter} from './wisepad/writer.js';
import type {Writer} from './writer.js';

/** Apart from the readers, so that commands that only read need not load them. */
const WRITERS: Readonly<Record<DeviceType, Writer>> = {
  generic: genericWriter,
  idtech: idtechWriter,
  'ingenico-ra1': ingenicoRa1Writer,
  'ingenico-rba': ingenicoRbaWriter,
  miura: miuraWriter,
  phressiapad: phressiapadWriter,
  prima: primaWriter,
  verifone: verifoneWriter,
  wisepad: wisepadWriter,
  wisepad2: wisepad2Writer,
};

/** The writer of a terminal type. */
export function writerOf(type: DeviceType): Writer {
  return WRITERS[type];
}
