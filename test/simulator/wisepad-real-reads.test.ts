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
    id: 'wisepad-fid60-t1-labels',
    type: 'wisepad',
    simulation: {
      mode: 'swiped',
      card: {
        ...unsent,
        pan: '4761739001010119',
        track1: '%B4761739001010119^DI TEST/CARD 01           ^2212201117589005400000004026328?',
      },
      ksn: '02820620140175E0001D',
      options: {tracks: '1', form: 'labels', send: 'apart'},
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
    id: 'wn-wisepad-swipe-visa',
    type: 'wisepad',
    simulation: {
      mode: 'swiped',
      card: {...unsent, pan: '4444333322221111', track2: ';4444333322221111=221010114991888?'},
      ksn: '88888835400002200001',
      options: {tracks: '2', packing: 'nibbles', lrc: 'off', track2Bytes: '24'},
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
    id: 'synth-wisepad-fid54-t1t2',
    type: 'wisepad',
    simulation: {
      mode: 'swiped',
      card: {
        ...unsent,
        pan: '4761739001010010',
        track1: '%B4761739001010010^TEST/CARD 54^27122010000000000000?',
        track2: ';4761739001010010=27122010000000000?',
      },
      ksn: 'FFFF9876543210E00301',
      options: {format: '54', form: 'json', members: 'few'},
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
  {
    id: 'payroc-wp2-contactless-amex',
    type: 'wisepad2',
    simulation: {
      mode: 'emv',
      card: {
        pan: '374245001751006',
        name: 'UAT USA/Test Card 12      ',
        expiry: '2412',
        serviceCode: '702',
        track2: ';374245001751006=241270215021234500000?',
      },
      ksn: '88888833000043E0001C',
      serial: 'WPS323032000452',
      options: {
        trackKsn: '88888B33000042E00021',
        outer:
          'DF7903312E305F2000DF780788888A33000039C000C400C200DF080A88888933000040E00021DC084A9D4914' +
          '7B3102AFC800C7004F08A0000000250104025F24032412315F2A02084082021C80950580000080009A032106' +
          '099B0268009C01009F02060000000005689F03060000000000009F0606A000000025019F100706020103A028' +
          '009F1210416D65726963616E20457870726573739F1A0208409F1C0831313232333334349F21031256419F26' +
          '08785A0795E6117CE39F2701809F330360F8C89F34031F02029F360201529F37044833A0A89F420208409F53' +
          '01FFDF826E00DF834F0F575053333233303332303030343532',
        inner:
          '4F08A0000000250104025010414D45524943414E204558505245535357005A005F20005F24005F2503190201' +
          '5F2A0208405F300202015F34010082021C808408A0000000250104028E0E000000000000000042015E031F029505' +
          '80000080009A032106099B0268009C01009F02060000000005689F03060000000000009F0606A00000002501' +
          '9F07023D009F090200019F0D05B050DC98009F0E0500000000009F0F05B078DC98009F100706020103A02800' +
          '9F1210416D65726963616E20457870726573739F160F3132333435363738393031323334359F1A0208409F1C' +
          '0831313232333334349F1E0831323334353637389F21031256419F2608785A0795E6117CE39F2701809F3303' +
          '60F8C89F34031F02029F3501219F360201529F37044833A0A89F3901079F40057000A0A0019F410400000028' +
          '9F420208409F4E0D54657374204D65726368616E749F5301FF9F6D01C09F6E04D8E00000DF170160DF826E00' +
          'DF834F0F575053333233303332303030343532',
      },
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
      {mode: 'swiped' as const, options: {form, send: 'apart', members: 'few', format: '54'}},
      {mode: 'keyed' as const, options: {form}},
    ]),
    ...['ascii', 'nibbles', 'bare'].map((packing) => ({
      mode: 'swiped' as const,
      options: {packing},
    })),
    ...['1', '2', '12'].flatMap((tracks) =>
      ['60', '54'].flatMap((format) =>
        ['on', 'off'].map((lrc) => ({mode: 'swiped' as const, options: {tracks, format, lrc}})),
      ),
    ),
    ...['C2+C8', 'C2', 'C8', 'C5', 'C6'].map((message) => ({
      mode: 'emv' as const,
      options: {message},
    })),
    {mode: 'emv', options: {fill: 'ff'}},
    {mode: 'emv', options: {entry: '07', trackKsn: 'FFFF9876543210E00002'}},
    {mode: 'swiped', options: {form: 'tlv'}},
  ];

  it.each(settings)('$mode $options', ({mode, options = {}}) => {
    const ksn = 'FFFF9876543210E00001';
    const request = simulate({deviceType: 'wisepad', mode, card: visa, ksn, keys, options});
    const {meta, extracted} = processPayload(request, keys);
    expect({mode: meta.mode, pan: extracted.PAN}).toStrictEqual({mode, pan: visa.pan});
  });
});
