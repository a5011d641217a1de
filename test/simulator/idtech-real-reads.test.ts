import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import type {Simulation} from '../../src/simulator/simulate.js';
import {findTestCard, type TestCard} from '../../src/simulator/test-cards.js';
import {readSamples} from '../engine/samples.js';
import {simulate} from '../writers.js';

const bush = findTestCard('bush') as TestCard;
const keyed = {pan: '4761739001010010', name: 'X', expiry: '2212', serviceCode: '201', cvv: '201'};

/** Published reads under the ANSI X9.24 test BDK that the writer repeats, by their id. */
const READS: readonly (readonly [id: string, read: Omit<Simulation, 'keys' | 'deviceType'>])[] = [
  ['securemag-enh-3trk-hex', {mode: 'swiped', card: bush, ksn: '62994901190000000003'}],
  [
    'ms246-securemag-orig-3trk-hex',
    {mode: 'swiped', card: bush, ksn: '62994901190000000001', options: {layout: 'original'}},
  ],
  [
    'keyed-enh-c0-cvv-adr-kb',
    {
      mode: 'keyed',
      card: keyed,
      ksn: 'FFFF987654004300025A',
      serial: '742T090094',
      options: {form: 'keyboard', hash: 'null', zip: '098745'},
    },
  ],
];

describe('the idtech writer makes published reads again, byte for byte:', () => {
  it.each(READS)('%s', (id, simulation) => {
    const made = simulate({...simulation, deviceType: 'idtech', keys: testKeyRing()});
    const published = readSamples('idtech').find((sample) => sample.id === id);
    expect(made.devicePayload).toBe(published?.request.devicePayload);
  });
});
