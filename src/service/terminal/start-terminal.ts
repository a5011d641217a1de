import {chooseCard, chooseKsn} from '../../simulator/choose-simulation.js';
import {ServiceLog} from '../information/log.js';
import {suiteKeys} from '../test-registry.js';
import {launchTerminal} from './launch-terminal.js';
import type {StartTerminalOptions, TestTerminal} from './test-terminal.js';

/**
 * Starts a terminal that answers the commands of its protocol over TCP. Throws 9001 for an option
 * that is not usable, 9015 for a key, 2400 for the KSN, 9020 when a port cannot be used.
 */
export async function startTerminal(options: StartTerminalOptions): Promise<TestTerminal> {
  const {checkTerminalOptions} = await import('./terminal-options.js');
  const checked = checkTerminalOptions(options);
  const {deviceType, card, ksn, mode, serial, damage, keys = [], port, controlPort} = checked;
  const simulation = {
    ...{deviceType, mode, serial, damage, options: checked.options ?? {}},
    card: chooseCard({card}),
    ksn: chooseKsn(ksn, undefined),
    keys: suiteKeys(keys),
  };
  return launchTerminal(simulation, {port, controlPort}, new ServiceLog(() => {}));
}
