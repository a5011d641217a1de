import {PaylensError, resultOrError} from '../../../src/contract/paylens-error.js';
import {
  FURTHER_TYPES,
  KNOWN_TERMINALS,
  TERMINAL_TYPES,
} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {recogniseOne} from '../../../src/engine/recognise.js';
import {demand, type FuzzTarget} from '../fuzz-target.js';
import {repairFrame} from '../repair-frame.js';
import {deviceSeeds} from './device-seeds.js';
import {kindOf, textOf} from './errors.js';
import {tokensOf} from './tokens.js';

/** Whose payload it is, where nobody says so. */
export const recognitionTarget: FuzzTarget = {
  name: 'recognition',
  tokens: [...new Set(FURTHER_TYPES.flatMap(tokensOf))],
  seeds: () =>
    TERMINAL_TYPES.flatMap((type) => deviceSeeds(type).map(([payload = '']) => [payload])),
  repair: repairFrame,
  run: ([payload = '']) => {
    const type = resultOrError(() => recogniseOne(payload, KNOWN_TERMINALS));
    if (type instanceof PaylensError) return {features: [kindOf(type)], answer: textOf(type)};
    const reading = resultOrError(() => readPayload(KNOWN_TERMINALS.get(type), payload));
    const isRead = !(reading instanceof PaylensError);
    // A string of MagTek without a track is MagTek's, and no card.
    const isClaimed = KNOWN_TERMINALS.claiming(payload).some((one) => one.type === type);
    demand(
      isRead || isClaimed || reading.code !== 2100,
      'what is recognised has the form of that terminal',
    );
    return {features: [`${type} ${isRead ? reading.form : kindOf(reading)}`], answer: type};
  },
};
