import type {DeviceType} from '../../contract/device-types.js';
import {genericWriter} from './generic/writer.js';
import {idtechWriter} from './idtech/writer.js';
import {DEVICES} from './index.js';
import {ingenicoRa1Writer} from './ingenico/ra1-writer.js';
import {ingenicoRbaWriter} from './ingenico/rba-writer.js';
import {wisepad2Writer, wisepadWriter} from './wisepad/writer.js';
import type {Writer} from './writer.js';

/** Apart from the readers, so that commands that only read need not load them. */
const WRITERS: Readonly<Partial<Record<DeviceType, Writer>>> = {
  generic: genericWriter,
  idtech: idtechWriter,
  'ingenico-ra1': ingenicoRa1Writer,
  'ingenico-rba': ingenicoRbaWriter,
  wisepad: wisepadWriter,
  wisepad2: wisepad2Writer,
};

/** The writer of a terminal type, if there is one. */
export function writerOf(type: DeviceType): Writer | undefined {
  return WRITERS[type] ?? DEVICES[type].writer;
}
