import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import type {Simulation} from '../../src/simulator/simulate.js';
import {findTestCard, type TestCard} from '../../src/simulator/test-cards.js';
import {simulate} from '../writers.js';

const bush = findTestCard('bush') as TestCard;
const {track3, ...bushWithoutTrack3} = bush;
const amexIso = findTestCard('amex-iso') as TestCard;

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

  it('a TLV block of 5A and 57 (rubygems.org/gems/dukpt)', () => {
    const {devicePayload} = made({
      mode: 'emv',
      card: {
        pan: '4761739001010010',
        name: 'X',
        expiry: '1512',
        serviceCode: '201',
        track2: ';4761739001010010=15122011143878089?',
      },
      ksn: 'FFFF01040DA058E00001',
      options: {tags: '5A,57'},
    });
    expect(JSON.parse(devicePayload).data).toBe(
      '85A8A7F9390FD19EABC40B5D624190287D729923D9EDAFE9F24773388A9A1BEF',
    );
  });

  it('a TLV list under an IV with ISO 7816-4 padding (Verifone VIPA, public source code)', () => {
    const request = made({
      mode: 'swiped',
      card: {...amexIso, track1: `${amexIso.track1}`},
      ksn: 'FFFF9876540124600008',
      iv: 'FC6987C0DA15D6D3',
      options: {content: 'tlv', padding: 'iso7816', iv: 'request'},
    });
    expect(request.iv).toBe('FC6987C0DA15D6D3');
    expect(JSON.parse(request.devicePayload).data).toBe(
      'A89C4374B3AD38DAC0A18055D02DE704C1249CFF3B378159EB1E750AC378A64B300B2A2ABDE336CE775ADC4748C679DEE6E480BE6FE38027C46B75AF17D65188FE6ADAF65A861F24EC27835610809F022C27DE16834DD0DA4FFAE7788AE6228D93685D3C1AA82CA8',
    );
  });
});
