import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {enhanced, flagged, KSN, sealed, T1, T2, track} from './families/idtech-frames.js';
import {answer, ringOf, TEST_BDK, testRing} from './samples.js';
import {encrypt, lrcOf, tlv} from './terminal.js';

/** Every fault that a swipe frame and its request can have, in the order in which they are found. */
interface Faults {
  readonly form?: boolean;
  readonly damage?: boolean;
  readonly scheme?: boolean;
  readonly serial?: boolean;
  readonly ksn?: boolean;
  readonly iv?: boolean;
  readonly device?: boolean;
  readonly key?: boolean;
  readonly plaintext?: boolean;
  readonly pan?: boolean;
}

const NO_PAN = '%BSAMPLE^SAMPLE/CARD AND SOME MORE TEXT^0000000000?';

function codeOf(faults: Faults): number {
  const tracks = [track(faults.pan ? NO_PAN : T1)];
  const good = enhanced({
    type: faults.form ? 0x90 : 0x80,
    tracks,
    serial: '0000742094',
    ...(faults.scheme ? {optional: Buffer.from([2])} : {}),
    ...(faults.plaintext ? {setting: {bdk: '1'.repeat(32)}} : {}),
  });
  const request = {
    deviceType: 'idtech' as const,
    devicePayload: faults.damage ? `${good.slice(0, -6)}000003` : good,
    ...(faults.serial ? {deviceSerial: '1'} : {}),
    ...(faults.ksn ? {ksn: 'FFFF'} : {}),
    ...(faults.iv ? {iv: '00'} : {}),
  };
  const ksnPrefix = faults.key ? 'AAAA' : 'FFFF';
  const checkDevice = () => {
    if (faults.device) throw new PaylensError(1202);
  };
  try {
    processPayload(request, ringOf([{kind: 'bdk', hex: TEST_BDK, ksnPrefix}]), {checkDevice});
    return 200;
  } catch (error) {
    if (error instanceof PaylensError) return error.code;
    throw error;
  }
}

describe('the order of checks', () => {
  const order: [keyof Faults, number][] = [
    ['damage', 2101],
    ['form', 2100],
    ['scheme', 2111],
    ['serial', 2103],
    ['ksn', 2400],
    ['iv', 2602],
    ['device', 1202],
    ['key', 2600],
    ['plaintext', 2601],
    ['pan', 2800],
  ];

  for (const [at, [fault, code]] of order.entries()) {
    it(`finds ${fault} (${code}) before all that comes later`, () => {
      const later = Object.fromEntries(order.slice(at).map(([name]) => [name, true]));
      expect(codeOf(later)).toBe(code);
    });

    it(`finds ${fault} (${code}) alone`, () => {
      expect(codeOf({[fault]: true})).toBe(code);
    });
  }

  it('finds nothing in a good read', () => {
    expect(codeOf({})).toBe(200);
  });

  it('finds clear data before a contradicting serial', () => {
    const plain = T2 + lrcOf(T2);
    const tracks = [undefined, {plain, copy: plain, encrypted: false}];
    const devicePayload = enhanced({tracks, serial: '0000742094'});
    const request = {deviceType: 'idtech' as const, devicePayload, deviceSerial: '1', ksn: 'F'};
    expect(answer(request)).toMatchObject({errCode: 2110});
  });
});

describe('the device look-up', () => {
  it('gets the serial that was found', () => {
    const serials: string[] = [];
    const devicePayload = enhanced({tracks: [track(T1)], serial: '0000742094'});
    const checkDevice = (serial: string) => void serials.push(serial);
    processPayload({deviceType: 'idtech', devicePayload}, testRing(), {checkDevice});
    expect(serials).toEqual(['0000742094']);
  });
});

describe('the response', () => {
  const data = Buffer.concat([
    tlv('DFEE12', KSN),
    flagged('57', 'C1', sealed('57', '4012888888881881D28012010000000000FFFF')),
  ]).toString('hex');

  it('gives track objects all five members', () => {
    const {response} = answer({
      deviceType: 'idtech',
      devicePayload: enhanced({tracks: [track(T1)]}),
    });
    expect(Object.keys(response?.track1 ?? {}).sort()).toEqual([
      ...['ascii', 'decrypted', 'encoding', 'length', 'masked'],
    ]);
  });

  it('gives the length of ascii, not of decrypted', () => {
    const {response} = answer({
      deviceType: 'idtech',
      devicePayload: enhanced({tracks: [track(T1)]}),
    });
    expect(response?.track1?.length).toBe(T1.length);
  });

  it('leaves members without a value out', () => {
    const {response} = answer({deviceType: 'idtech', devicePayload: data});
    expect(Object.keys(response ?? {}).sort()).toEqual([
      ...['extracted', 'meta', 'tlv', 'track2equivalent'],
    ]);
  });

  it('gives decrypted in lower-case hex without the fill', () => {
    const {response} = answer({deviceType: 'idtech', devicePayload: data.toUpperCase()});
    expect(response?.tlv).toEqual({decrypted: '57134012888888881881d28012010000000000ffff'});
  });

  it('is plain JSON', () => {
    const {response} = answer({deviceType: 'idtech', devicePayload: data});
    expect(JSON.parse(JSON.stringify(response))).toEqual(response);
  });
});

describe('keys of one payload', () => {
  it('may differ from KSN to KSN', () => {
    const devicePayload = JSON.stringify({
      ksn: KSN,
      track2: encrypt(T2, {ksn: KSN}).toString('hex'),
    });
    const ring = ringOf([
      {kind: 'bdk', hex: '1'.repeat(32), ksnPrefix: 'FFFF'},
      {kind: 'bdk', hex: TEST_BDK, ksnPrefix: KSN.slice(0, 12)},
    ]);
    expect(answer({deviceType: 'generic', devicePayload}, ring)).toMatchObject({
      response: {track2: {ascii: T2}},
    });
  });

  it('are named by their key set when missing, never more of the KSN', () => {
    const ring = ringOf([{kind: 'bdk', hex: TEST_BDK, ksnPrefix: 'AAAA'}]);
    const devicePayload = enhanced({tracks: [track(T1)]});
    const {errCode, message} = answer({deviceType: 'idtech', devicePayload}, ring);
    expect({errCode, named: message?.includes(KSN.slice(0, 10))}).toEqual({
      errCode: 2600,
      named: true,
    });
    expect(message).not.toContain(KSN.slice(0, 14));
  });
});
