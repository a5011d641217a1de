import type {Writer} from '../engine/devices/writer.js';
import {nextKsn} from '../engine/dukpt/ksn.js';
import {type SimulatedRequest, type Simulation, simulate} from './simulate.js';

/**
 * Makes `count` payloads one after the other, as one device sends them: its counter advances, unless
 * the damage is a repeated counter. Throws what `simulate` throws, and 2400 when the counter is used
 * up.
 */
export function* simulateStream(
  writer: Writer,
  simulation: Simulation,
  count: number,
): Generator<SimulatedRequest, void> {
  let {ksn} = simulation;
  for (let made = 0; made < count; made++) {
    if (made > 0 && simulation.damage !== 'repeated-counter') ksn = nextKsn(ksn);
    yield simulate(writer, {...simulation, ksn});
  }
}
