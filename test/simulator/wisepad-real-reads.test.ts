import {describe, expect, it} from 'vitest';
import type {DeviceType} from '../../src/contract/device-types.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {processPayload} from '../../src/engine/process-payload.js';
import type {Simulation} from '../../src/simulator/simulate.js';
import {TEST_CARDS, type TestCard} from '../../src/simulator/test-cards.js';
import {readSamples} from '../engine/samples.js';
import {simulate} from '../writers.js';

const keys = testKeyRing();
const unsent = {name: 'X', expiry: '2212', serviceCode: '201'};
const [visa] = TEST_CARDS as readonly [TestCard];

/** Of test/samples, where the source of each stands; all under the ANSI X9.24 test BDK. */
const READS: readonly {
  readonly id: string;
  readonly type: DeviceType;
  readonly simulation: Omit<Simulation, 'keys' | 'deviceType'>;
}[] = [
  {
    id: 'wisepad-fid60-t1',
    type: 'wisepad',
    simulation: {
      mode: 'swiped',
      card: {
        ...unsent,
        pan: '4761739001010119',
        track1: '%B4761739001010119^DI TEST/CARD 01           ^2212201117589005400000004026328?',
      },
      ksn: '02820620140175E0001D',
      options: {tracks: '1'},
    },
  },
  {
    id: 'wisepad-fid60-t1t2-ascii',
    type: 'wisepad',
    simulation: {
      mode: 'swiped',
      card: {
        ...unsent,
        pan: '12012655020136100',
        track1: '%B0000000000000000^00000000000000000000000000^0000201000000000000000000000000?',
        track2: ';12012655020136100=4319895100232318011?',
      },
      ksn: '02821015140084E00019',
    },
  },
  {
    id: 'wn-wisepad-keyed-pan',
    type: 'wisepad',
    simulation: {
      mode: 'keyed',
      card: {...unsent, pan: '6385087787065456', expiry: '2110'},
      ksn: '88888813710009600123',
    },
  },
  {
    id: 'payroc-wp2-swipe-t2',
    type: 'wisepad2',
    simulation: {
      mode: 'swiped',
      card: {...unsent, pan: '6510000000000216', track2: ';6510000000000216=19122011000074900000?'},
      ksn: '88888B29100166E0028F',
      options: {tracks: '2'},
    },
  },
];

describe('the BBPOS writer makes published reads again, byte for byte:', () => {
  it.each(READS)('$id', ({id, type, simulation}) => {
    const published = readSamples(type).find((sample) => sample.id === id)?.request;
    const made = simulate({...simulation, deviceType: type, keys});
    expect({ksn: undefined, ...made}).toStrictEqual({ksn: undefined, ...published});
  });
});

describe('BBPOS, every setting gives the card back:', () => {
  const forms = ['json', 'dump', 'labels', 'lines', 'query'];
  const settings: readonly Pick<Simulation, 'mode' | 'options'>[] = [
    ...forms.flatMap((form) => [
      {mode: 'swiped' as const, options: {form}},
      {mode: 'swiped' as const, options: {form, format: '54'}},
      {mode: 'keyed' as const, options: {form}},
    ]),
    ...['1', '2', '12'].flatMap((tracks) =>
      ['60', '54'].map((format) => ({mode: 'swiped' as const, options: {tracks, format}})),
    ),
    ...['C2+C8', 'C2', 'C8', 'C5', 'C6'].map((message) => ({
      mode: 'emv' as const,
      options: {message},
    })),
    {mode: 'swiped', options: {form: 'tlv'}},
  ];

  it.each(settings)('$mode $options', ({mode, options = {}}) => {
    const ksn = 'FFFF9876543210E00001';
    const request = simulate({deviceType: 'wisepad', mode, card: visa, ksn, keys, options});
    const {meta, extracted} = processPayload(request, keys);
    expect({mode: meta.mode, pan: extracted.PAN}).toStrictEqual({mode, pan: visa.pan});
  });
});
