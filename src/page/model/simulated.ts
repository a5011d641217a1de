import {PaylensError} from '../../contract/paylens-error.js';
import type {Mode} from '../../contract/process-payload.js';
import type {TerminalType} from '../../engine/families/registry.js';
import type {Writer} from '../../engine/writing.js';
import {chooseCard, chooseKsn} from '../../simulator/choose-simulation.js';
import type {Damage} from '../../simulator/damage.js';
import {type SimulatedRequest, simulate} from '../../simulator/simulate.js';
import {ringsOf} from './keys.js';

/** The texts of the form's fields by name, without the empty ones. */
export type SimulatedValues = Readonly<Record<string, string>>;

/** The field of an option: its name may also be the name of another field. */
export function fieldOfOption(name: string): string {
  return `option ${name}`;
}

/** The request that a terminal would send, under a typed BDK or the published one. Throws as `simulate`. */
export function simulated(
  deviceType: TerminalType,
  writer: Writer,
  values: SimulatedValues,
  bdk: string | undefined,
): SimulatedRequest {
  const {mode, card, pan, expiry, name: holder, damage, ksn, counter, serial, iv} = values;
  const options = writer.options.flatMap(({name}) => {
    const value = values[fieldOfOption(name)];
    return value === undefined ? [] : [[name, value] as const];
  });
  const rings = ringsOf({testKeys: bdk === undefined, typed: bdk ?? ''});
  try {
    const [first] = rings;
    if (!first) throw new PaylensError(2600);
    return simulate(writer, {
      ...{deviceType, serial, iv},
      mode: (mode as Mode | undefined) ?? writer.modes[0] ?? 'swiped',
      card: chooseCard({card, pan, expiry, name: holder}),
      ksn: chooseKsn(ksn, counterOf(counter)),
      keys: first.ring,
      options: Object.fromEntries(options),
      damage: damage as Damage | undefined,
    });
  } finally {
    for (const {ring} of rings) ring.wipe();
  }
}

function counterOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new PaylensError(2005, 'counter: expected an integer');
}
