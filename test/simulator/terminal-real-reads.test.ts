import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import type {Simulation} from '../../src/simulator/simulate.js';
import {findTestCard, type TestCard} from '../../src/simulator/test-cards.js';
import {readSamples} from '../engine/samples.js';
import {simulate} from '../writers.js';

interface RealRead {
  /** Of test/samples, where its source stands. */
  readonly id: string;
  readonly simulation: Omit<Simulation, 'keys'>;
}

const visa = findTestCard('visa-acquirer-05') as TestCard;
const FDCS = {
  pan: '5424180001234563',
  name: 'FDCS TEST CARD /MASTERCARD',
  expiry: '2512',
  serviceCode: '101',
  track1: '%B5424180001234563^FDCS TEST CARD /MASTERCARD^25121010001111123456789012?',
};
const XPI_VISA = {
  pan: '4761739001010010',
  name: 'X',
  expiry: '1512',
  serviceCode: '201',
  track1: '%B4761739001010010^X^15122011143800780000000?',
  track2: ';4761739001010010=15122011143878089?',
};
const XPI = {deviceType: 'verifone', mode: 'emv', card: XPI_VISA} as const;
const XPI_KEY = {ksn: 'FFFF987654325800004A', iv: 'DB1E263826651F30'};
const SAMPLE = {name: 'SAMPLE/PAD ONE', expiry: '2801', serviceCode: '201'};
const PAD = {
  ...SAMPLE,
  pan: '4761739001010010',
  track1: '%B4761739001010010^SAMPLE/PAD ONE^28012010000000000000?',
  track2: ';4761739001010010=28012010000000000000?',
};

/** Reads of vendors and gateways under the ANSI X9.24 test BDK, and two made beside them. */
const READS: readonly RealRead[] = [
  {
    id: 'miura-sdk-swipe',
    simulation: {deviceType: 'miura', mode: 'swiped', card: visa, ksn: '00000200000055400182'},
  },
  {
    id: 'pos-miura-link-frame',
    simulation: {
      deviceType: 'miura',
      mode: 'swiped',
      card: visa,
      ksn: '00000200000055400182',
      options: {form: 'frames'},
    },
  },
  {id: 'verifone-xpi-emv-base64', simulation: {...XPI, ...XPI_KEY, options: {form: 'base64'}}},
  {
    id: 'verifone-xpi-emv-e07-control',
    simulation: {...XPI, ...XPI_KEY, options: {form: 'message'}},
  },
  {
    id: 'verifone-vipa-msr-t1',
    simulation: {
      deviceType: 'verifone',
      mode: 'swiped',
      card: FDCS,
      ksn: 'FFFF9876543211000620',
      iv: 'A79DDD0FF736B32B',
      options: {form: 'triple', tracks: '1'},
    },
  },
  {
    id: 'verifone-vipa-msr-t1-tvp',
    simulation: {
      deviceType: 'verifone',
      mode: 'swiped',
      card: FDCS,
      ksn: 'FFFF9876543211000620',
      iv: 'A79DDD0FF736B32B',
      options: {form: 'tvp', tracks: '1'},
    },
  },
  {
    id: 'synth-pad-json',
    simulation: {
      deviceType: 'phressiapad',
      mode: 'swiped',
      card: PAD,
      ksn: 'FFFF9876543210E00701',
      serial: 'PP-000123',
    },
  },
];

const keys = testKeyRing();

describe('a writer, given what a real read says, makes its very bytes:', () => {
  it.each(READS)('$id', ({id, simulation}) => {
    const {deviceType} = simulation;
    const sample = readSamples(deviceType).find((known) => known.id === id);
    const {devicePayload} = simulate({...simulation, keys});
    expect(devicePayload).toBe(sample?.request.devicePayload);
  });
});

describe('a MagneSafe string of the PhreesiaPad', () => {
  it('holds the ciphertexts of the published one in the manual of MagTek', () => {
    const published = readSamples('extras').find(({id}) => id === 'magtek-magnesafe-v5');
    const card = {
      pan: '5452300551227189',
      name: 'HOGAN/PAUL',
      expiry: '0804',
      serviceCode: '321',
      track1: '%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?',
      track2: ';5452300551227189=080432100000007250?',
      track3: '+5163499080020445=000000000000?',
    };
    const {devicePayload} = simulate({
      deviceType: 'phressiapad',
      mode: 'swiped',
      card,
      ksn: 'FFFF9876543210E00008',
      keys,
      options: {form: 'magtek'},
    });
    expect(devicePayload.split('|').slice(1, 5)).toStrictEqual(
      published?.request.devicePayload.split('|').slice(1, 5),
    );
  });
});
