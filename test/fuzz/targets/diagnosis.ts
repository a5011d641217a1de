import {PaylensError, resultOrError} from '../../../src/contract/paylens-error.js';
import {KNOWN_TERMINALS, TERMINAL_TYPES} from '../../../src/engine/families/registry.js';
import {isCase, parseCase} from '../../../src/input/case.js';
import {collectClues} from '../../../src/input/clues.js';
import {repairedInterpretations} from '../../../src/input/interpret.js';
import {type FuzzTarget, shapeOf} from '../fuzz-target.js';
import {deviceSeeds} from './device-seeds.js';
import {demandSilence, kindOf, patternOf, textOf} from './errors.js';

const KEY = '0123456789ABCDEFFEDCBA9876543210';
const SECRETS = patternOf([KEY]);
const CASE = JSON.stringify({
  payload: '02C400C037001C0A8692',
  ciphertexts: [
    {name: 'track 1', hex: '00112233445566778899AABBCCDDEEFF'},
    {value: '0011223344556677'},
  ],
  ksn: 'FFFF 9876 5432 10E0 0001',
  iv: '0000000000000000',
  pan: '4012888888881881',
  keys: [{kind: 'bdk', hex: KEY}],
});

/**
 * The clues that diagnose collects before trying a key: payload or case, KSN, IV, card number,
 * device type.
 */
export const diagnosisTarget: FuzzTarget = {
  name: 'diagnosis',
  tokens: ['%3B', '\\u0002', '&#59;', '<STX>', '0x', ': ', 'KSN: ', 'BDK=', '==', '\\x02'],
  seeds: () => [
    [CASE, '', '', '', ''],
    ...TERMINAL_TYPES.flatMap((type) => deviceSeeds(type).slice(0, 12)).map(
      ([text = '', ksn = '']) => [text, ksn, '', '', ''],
    ),
  ],
  run: ([text = '', ksn = '', iv = '', pan = '', deviceType = '']) => {
    const whole = isCase(text) ? resultOrError(() => parseCase(text)) : undefined;
    if (whole instanceof PaylensError) {
      demandSilence(whole, SECRETS);
      return {features: [kindOf(whole)], answer: textOf(whole)};
    }
    const type = KNOWN_TERMINALS.has(deviceType) ? {deviceType} : {};
    const none = {ciphertexts: [], writtenKeys: [], keys: []};
    const clues = collectClues(whole ?? {...none, ...type, payload: text, ksn, iv, pan});
    const repaired = repairedInterpretations(text, clues.terminals).length;
    const {interpretations, refusals, ksns, ivs, pans, keys} = clues;
    const forms = interpretations.map(({reader, form}) => `${reader?.type} ${shapeOf(form)}`);
    const labels = interpretations.flatMap(({findings}) => findings.map(({label}) => label));
    const counts = [ksns.message, ivs, pans, keys].map(({length}) => Math.min(length, 2));
    return {
      features: [...forms, ...labels, ...refusals.map(({error}) => kindOf(error)), `${counts}`],
      answer: [forms, labels, ksns, pans, keys, repaired],
    };
  },
};
