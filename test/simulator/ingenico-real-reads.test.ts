import {describe, expect, it} from 'vitest';
import type {DeviceType} from '../../src/contract/device-types.js';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {processPayload} from '../../src/engine/process-payload.js';
import type {Simulation} from '../../src/simulator/simulate.js';
import {TEST_CARDS, type TestCard} from '../../src/simulator/test-cards.js';
import {readSamples} from '../engine/samples.js';
import {simulate} from '../writers.js';

const keys = testKeyRing();
const KSN = 'FFFF9876543210E00001';
const [visa] = TEST_CARDS as readonly [TestCard];
const unsent = {name: 'X', expiry: '2212', serviceCode: '201'};

/** From test/samples, which names the source of each. */
const READS: readonly {
  readonly id: string;
  readonly type: DeviceType;
  readonly simulation: Omit<Simulation, 'keys' | 'deviceType'>;
}[] = [
  {
    id: 'rba-23-tdes-t1t2',
    type: 'ingenico-rba',
    simulation: {
      mode: 'swiped',
      card: {
        ...unsent,
        pan: '4761739001010010',
        track1: '%B4761739001010010^TEST CARD 04/^22122011143878089?',
        track2: ';4761739001010010=22122011143878089?',
      },
      ksn: 'FFFF9876543210E0000A',
    },
  },
  {
    id: 'synth-rba-23-manual',
    type: 'ingenico-rba',
    simulation: {
      mode: 'keyed',
      card: {...unsent, pan: '4012888888881881', expiry: '2712', cvv: '123'},
      ksn: 'FFFF9876543210E00401',
      serial: '80612860',
      options: {frame: 'off', separator: '[FS]'},
    },
  },
];

describe('the Ingenico writers make published payloads again, byte for byte:', () => {
  it.each(READS)('$id', ({id, type, simulation}) => {
    const published = readSamples(type).find((sample) => sample.id === id)?.request;
    const {ksn, ...made} = simulate({...simulation, deviceType: type, keys});
    expect(made).toStrictEqual(published);
  });
});

function codeOf(deviceType: DeviceType, mode: Simulation['mode'], options: Simulation['options']) {
  try {
    const request = simulate({
      deviceType,
      mode,
      card: visa,
      ksn: KSN,
      keys,
      options: options ?? {},
    });
    processPayload(request, keys);
    return undefined;
  } catch (error) {
    return error instanceof PaylensError ? error.code : error;
  }
}

describe('closed schemes answer 2111:', () => {
  it.each(['swiped', 'emv', 'keyed'] as const)('On-Guard, %s', (mode) => {
    expect(codeOf('ingenico-rba', mode, {scheme: 'onguard'})).toBe(2111);
  });

  it.each(['23', '33', '41', '87', 'record'])('On-Guard in %s', (message) => {
    expect(codeOf('ingenico-rba', 'swiped', {scheme: 'onguard', message})).toBe(2111);
  });

  it.each(TEST_CARDS)('RA1, card $id', (card) => {
    const request = simulate({deviceType: 'ingenico-ra1', mode: 'swiped', card, ksn: KSN, keys});
    expect(() => processPayload(request, keys)).toThrow(expect.objectContaining({code: 2111}));
  });
});

describe('RBA, every setting gives the card back:', () => {
  const settings: readonly Pick<Simulation, 'mode' | 'options'>[] = [
    ...['23', '33', '41', '87', 'record'].flatMap((message) =>
      (['swiped', 'emv', 'keyed'] as const)
        .filter((mode) => mode !== 'keyed' || message !== '33')
        .map((mode) => ({mode, options: {message}})),
    ),
    ...['data', 'pin', 'data-plain'].map((variant) => ({
      mode: 'swiped' as const,
      options: {variant},
    })),
    {mode: 'swiped', options: {form: 'hex'}},
    {mode: 'swiped', options: {frame: 'off', separator: '<FS>'}},
  ];

  it.each(settings)('$mode $options', ({mode, options = {}}) => {
    const simulation = {deviceType: 'ingenico-rba' as const, mode, card: visa, ksn: KSN, keys};
    const {meta, extracted} = processPayload(simulate({...simulation, options}), keys);
    expect({mode: meta.mode, pan: extracted.PAN}).toStrictEqual({mode, pan: visa.pan});
  });

  it('a wrong LRC answers 2101', () => {
    const simulation = {deviceType: 'ingenico-rba' as const, mode: 'swiped' as const};
    const request = simulate({...simulation, card: visa, ksn: KSN, keys, damage: 'lrc'});
    expect(() => processPayload(request, keys)).toThrow(expect.objectContaining({code: 2101}));
  });
});
