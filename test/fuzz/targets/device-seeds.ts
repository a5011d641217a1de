import {resultOrError} from '../../../src/contract/paylens-error.js';
import type {ProcessPayloadRequest} from '../../../src/contract/process-payload.js';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import type {TerminalType} from '../../../src/engine/families/registry.js';
import type {SimulatedRequest, Simulation} from '../../../src/simulator/simulate.js';
import {TEST_CARDS} from '../../../src/simulator/test-cards.js';
import {readSamples, type SampleKey} from '../../engine/samples.js';
import {SHAPES} from '../../engine/shapes.js';
import {simulate, writerOf} from '../../writers.js';
import type {FuzzInput} from '../fuzz-target.js';

const KSNS = ['FFFF9876543210E00001', '123456789012345600000001'];
const CARDS = TEST_CARDS.filter(({id}) => ['visa', 'unionpay-19'].includes(id));
const keys = testKeyRing();

/** Payloads of a terminal, with KSN, IV and serial if the request has them. */
export function deviceSeeds(deviceType: TerminalType): FuzzInput[] {
  const shapes = deviceType === 'idtech' || deviceType === 'generic' ? SHAPES[deviceType] : [];
  return [
    ...readSamples(deviceType).map(({request}) => inputOf(request)),
    ...shapes.map(([, devicePayload]) => inputOf({devicePayload})),
    ...simulations(deviceType).map(inputOf),
  ];
}

/** The keys of the samples that list the KSNs they serve. */
export function sampleKeys(deviceType: TerminalType): SampleKey[] {
  const all = readSamples(deviceType).flatMap(({keys: own}) => own);
  return all.filter(({ksnPrefix}) => ksnPrefix !== undefined);
}

type Parts = Pick<ProcessPayloadRequest, 'devicePayload' | 'ksn' | 'iv' | 'deviceSerial'>;

function inputOf({devicePayload, ksn = '', iv = '', deviceSerial = ''}: Parts): FuzzInput {
  return [devicePayload, ksn, iv, deviceSerial];
}

/** Every mode with every value of every option that the writer accepts. */
function simulations(deviceType: TerminalType): SimulatedRequest[] {
  const {modes, options} = writerOf(deviceType);
  const settings = options.flatMap(({name, values}) => values.map((value) => ({[name]: value})));
  return modes.flatMap((mode) =>
    [{}, ...settings].flatMap((setting) => {
      const all = KSNS.flatMap((ksn) =>
        CARDS.map((card): Simulation => ({deviceType, mode, card, ksn, keys, options: setting})),
      );
      return all
        .map((one) => resultOrError(() => simulate(one)))
        .filter((made) => 'deviceType' in made);
    }),
  );
}
