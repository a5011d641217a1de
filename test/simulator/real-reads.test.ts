import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import type {Simulation} from '../../src/simulator/simulate.js';
import {findTestCard, type TestCard} from '../../src/simulator/test-cards.js';
import {readSamples} from '../engine/samples.js';
import {simulate} from '../writers.js';

type Read = Omit<Simulation, 'keys'>;

const keys = testKeyRing();
const bush = findTestCard('bush') as TestCard;
const visa = findTestCard('visa-acquirer-05') as TestCard;
const unsent = {name: 'X', expiry: '2212', serviceCode: '201'};
const FDCS = {
  pan: '5424180001234563',
  name: 'FDCS TEST CARD /MASTERCARD',
  expiry: '2512',
  serviceCode: '101',
  track1: '%B5424180001234563^FDCS TEST CARD /MASTERCARD^25121010001111123456789012?',
};
const XPI_VISA = {
  ...{...unsent, pan: '4761739001010010', expiry: '1512'},
  track1: '%B4761739001010010^X^15122011143800780000000?',
  track2: ';4761739001010010=15122011143878089?',
};
const XPI: Read = {
  ...{deviceType: 'verifone', mode: 'emv', card: XPI_VISA},
  ...{ksn: 'FFFF987654325800004A', iv: 'DB1E263826651F30'},
};
const VIPA: Read = {
  ...{deviceType: 'verifone', mode: 'swiped', card: FDCS},
  ...{ksn: 'FFFF9876543211000620', iv: 'A79DDD0FF736B32B'},
};
const MIURA: Read = {deviceType: 'miura', mode: 'swiped', card: visa, ksn: '00000200000055400182'};
const PAD = {
  ...{name: 'SAMPLE/PAD ONE', expiry: '2801', serviceCode: '201', pan: '4761739001010010'},
  track1: '%B4761739001010010^SAMPLE/PAD ONE^28012010000000000000?',
  track2: ';4761739001010010=28012010000000000000?',
};
const DI_CARD = {
  ...{...unsent, pan: '4761739001010119'},
  track1: '%B4761739001010119^DI TEST/CARD 01           ^2212201117589005400000004026328?',
};
const ZEROS = {
  ...{...unsent, pan: '12012655020136100'},
  track1: '%B0000000000000000^00000000000000000000000000^0000201000000000000000000000000?',
  track2: ';12012655020136100=4319895100232318011?',
};
const RBA_CARD = {
  ...{...unsent, pan: '4761739001010010'},
  track1: '%B4761739001010010^TEST CARD 04/^22122011143878089?',
  track2: ';4761739001010010=22122011143878089?',
};

/** Of test/samples, where the source of each stands; under the ANSI X9.24 test BDK. */
const READS: readonly (readonly [id: string, simulation: Read])[] = [
  [
    'securemag-enh-3trk-hex',
    {deviceType: 'idtech', mode: 'swiped', card: bush, ksn: '62994901190000000003'},
  ],
  [
    'ms246-securemag-orig-3trk-hex',
    {
      ...{deviceType: 'idtech', mode: 'swiped', card: bush, ksn: '62994901190000000001'},
      options: {layout: 'original'},
    },
  ],
  [
    'keyed-enh-c0-cvv-adr-kb',
    {
      ...{deviceType: 'idtech', mode: 'keyed', ksn: 'FFFF987654004300025A', serial: '742T090094'},
      card: {...unsent, pan: '4761739001010010', cvv: '201'},
      options: {form: 'keyboard', hash: 'null', zip: '098745'},
    },
  ],
  [
    'rba-23-tdes-t1t2',
    {deviceType: 'ingenico-rba', mode: 'swiped', card: RBA_CARD, ksn: 'FFFF9876543210E0000A'},
  ],
  [
    'synth-rba-23-manual',
    {
      ...{deviceType: 'ingenico-rba', mode: 'keyed', ksn: 'FFFF9876543210E00401'},
      ...{serial: '80612860', options: {frame: 'off', separator: '[FS]'}},
      card: {...unsent, pan: '4012888888881881', expiry: '2712', cvv: '123'},
    },
  ],
  ['miura-sdk-swipe', MIURA],
  ['pos-miura-link-frame', {...MIURA, options: {form: 'frames'}}],
  ['verifone-xpi-emv-base64', {...XPI, options: {form: 'base64'}}],
  ['verifone-xpi-emv-e07-control', {...XPI, options: {form: 'message'}}],
  ['verifone-vipa-msr-t1', {...VIPA, options: {form: 'triple', tracks: '1'}}],
  ['verifone-vipa-msr-t1-tvp', {...VIPA, options: {form: 'tvp', tracks: '1'}}],
  [
    'synth-pad-json',
    {
      ...{deviceType: 'phressiapad', mode: 'swiped', card: PAD},
      ...{ksn: 'FFFF9876543210E00701', serial: 'PP-000123'},
    },
  ],
  [
    'wisepad-fid60-t1',
    {
      ...{deviceType: 'wisepad', mode: 'swiped', card: DI_CARD, ksn: '02820620140175E0001D'},
      options: {tracks: '1'},
    },
  ],
  [
    'wisepad-fid60-t1t2-ascii',
    {deviceType: 'wisepad', mode: 'swiped', card: ZEROS, ksn: '02821015140084E00019'},
  ],
  [
    'wn-wisepad-keyed-pan',
    {
      ...{deviceType: 'wisepad', mode: 'keyed', ksn: '88888813710009600123'},
      card: {...unsent, pan: '6385087787065456', expiry: '2110'},
    },
  ],
  [
    'payroc-wp2-swipe-t2',
    {
      ...{deviceType: 'wisepad2', mode: 'swiped', ksn: '88888B29100166E0028F'},
      card: {...unsent, pan: '6510000000000216', track2: ';6510000000000216=19122011000074900000?'},
      options: {tracks: '2'},
    },
  ],
];

describe('a writer, given what a published read says, makes its very bytes:', () => {
  it.each(READS)('%s', (id, simulation) => {
    const published = readSamples(simulation.deviceType).find((sample) => sample.id === id);
    const {devicePayload} = simulate({...simulation, keys});
    expect(devicePayload).toBe(published?.request.devicePayload);
  });

  it('generic: two tracks of the ID TECH SecureMag manual', () => {
    // github.com/sgbj/Dukpt.NET and github.com/camcima/dukpt-php, tests.
    const {track3, ...card} = bush;
    const ksn = '62994901190000000002';
    const {devicePayload} = simulate({deviceType: 'generic', mode: 'swiped', card, ksn, keys});
    expect(JSON.parse(devicePayload)).toStrictEqual({
      ksn,
      track1:
        'DA7F2A52BD3F6DD8B96C50FC39C7E6AF22F06ED1F033BE0FB23D6BD33DC5A1F808512F7AE18D47A60CC3F4559B1B093563BE7E07459072ABF8FAAB5338C6CC8815FF87797AE3A7BE',
      track2: 'AB3B10A3FBC230FBFB941FAC9E82649981AE79F2632156E775A06AEDAFAF6F0A184318C5209E55AD',
    });
  });

  it('phressiapad: the ciphertexts of a MagneSafe string in the manual of MagTek', () => {
    const published = readSamples('extras').find(({id}) => id === 'magtek-magnesafe-v5');
    const card = {
      ...{pan: '5452300551227189', name: 'HOGAN/PAUL', expiry: '0804', serviceCode: '321'},
      track1: '%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?',
      track2: ';5452300551227189=080432100000007250?',
      track3: '+5163499080020445=000000000000?',
    };
    const {devicePayload} = simulate({
      ...{deviceType: 'phressiapad', mode: 'swiped', card, keys, options: {form: 'magtek'}},
      ksn: 'FFFF9876543210E00008',
    });
    const ciphertexts = (payload = '') => payload.split('|').slice(1, 5);
    expect(ciphertexts(devicePayload)).toStrictEqual(ciphertexts(published?.request.devicePayload));
  });
});
