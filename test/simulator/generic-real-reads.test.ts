import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import type {Simulation} from '../../src/simulator/simulate.js';
import {findTestCard, type TestCard} from '../../src/simulator/test-cards.js';
import {simulate} from '../writers.js';

const bush = findTestCard('bush') as TestCard;
const {track3, ...bushWithoutTrack3} = bush;

function made(simulation: Omit<Simulation, 'keys' | 'deviceType'>) {
  return simulate({...simulation, deviceType: 'generic', keys: testKeyRing()});
}

describe('the generic writer makes published ciphertexts again:', () => {
  it('two tracks of the ID TECH SecureMag manual', () => {
    // github.com/sgbj/Dukpt.NET and github.com/camcima/dukpt-php, tests.
    const {devicePayload} = made({
      mode: 'swiped',
      card: bushWithoutTrack3,
      ksn: '62994901190000000002',
    });
    expect(JSON.parse(devicePayload)).toStrictEqual({
      ksn: '62994901190000000002',
      track1:
        'DA7F2A52BD3F6DD8B96C50FC39C7E6AF22F06ED1F033BE0FB23D6BD33DC5A1F808512F7AE18D47A60CC3F4559B1B093563BE7E07459072ABF8FAAB5338C6CC8815FF87797AE3A7BE',
      track2: 'AB3B10A3FBC230FBFB941FAC9E82649981AE79F2632156E775A06AEDAFAF6F0A184318C5209E55AD',
    });
  });
});
