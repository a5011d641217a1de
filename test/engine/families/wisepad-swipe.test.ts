import {describe, expect, it} from 'vitest';
import {answer} from '../samples.js';
import {encrypt, lrcOf} from '../terminal.js';
import {asciiTrack, KSN, nibbleTrack, PAN, sixBitTrack, T1, T2, T3} from './bbpos-tracks.js';

const FORMAT_54 = {selfEncrypted: false, mode: 'ecb'} as const;

function hex(plain: Uint8Array, more = {}): string {
  return encrypt(plain, {ksn: KSN, ...more})
    .toString('hex')
    .toUpperCase();
}

const ascii = {
  1: hex(asciiTrack(T1, 80)),
  2: hex(asciiTrack(T2, 40)),
  3: hex(asciiTrack(T3, 112)),
};
const packed2 = hex(nibbleTrack(T2 + lrcOf(T2), 40));
const packed3 = hex(nibbleTrack(T3 + lrcOf(T3), 112));
const ecb = {
  1: hex(sixBitTrack(T1 + lrcOf(T1), 64), FORMAT_54),
  2: hex(nibbleTrack(T2 + lrcOf(T2), 24), FORMAT_54),
  3: hex(nibbleTrack(T3 + lrcOf(T3), 56), FORMAT_54),
};

const track1 = {track1: {ascii: T1}};
const track2 = {track2: {ascii: T2}};
const track3 = {track3: {ascii: T3}};

function ask(payload: object | string, more: object = {}) {
  const devicePayload = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return answer({deviceType: 'wisepad', devicePayload, ...more});
}

function tracksOf(found: ReturnType<typeof ask>) {
  if (!('response' in found)) return found;
  const {track1, track2, track3} = found.response;
  return [track1?.ascii, track2?.ascii, track3?.ascii];
}

describe('bare hex: the byte length tells the tracks', () => {
  const cases: [string, string, (string | undefined)[]][] = [
    ['80: track 1 of format 60', ascii[1], [T1, undefined, undefined]],
    ['40: track 2 of format 60', ascii[2], [undefined, T2, undefined]],
    ['40: packed track 2 of format 60', packed2, [undefined, T2, undefined]],
    ['120: tracks 1 and 2 of format 60', ascii[1] + ascii[2], [T1, T2, undefined]],
    ['152: tracks 2 and 3 of format 60', ascii[2] + ascii[3], [undefined, T2, T3]],
    ['192: tracks 1 and 3 of format 60', ascii[1] + packed3, [T1, undefined, T3]],
    ['232: all tracks of format 60', ascii[1] + packed2 + packed3, [T1, T2, T3]],
    ['64: track 1 of format 54', ecb[1], [T1, undefined, undefined]],
    ['24: track 2 of format 54', ecb[2], [undefined, T2, undefined]],
    ['88: tracks 1 and 2 of format 54', ecb[1] + ecb[2], [T1, T2, undefined]],
    ['80: tracks 2 and 3 of format 54', ecb[2] + ecb[3], [undefined, T2, T3]],
    ['120: tracks 1 and 3 of format 54', ecb[1] + ecb[3], [T1, undefined, T3]],
    ['144: all tracks of format 54', ecb[1] + ecb[2] + ecb[3], [T1, T2, T3]],
  ];
  for (const [title, payload, expected] of cases) {
    it(title, () => {
      expect(tracksOf(ask(payload, {ksn: KSN}))).toEqual(expected);
    });
  }

  it('takes lower case and blanks', () => {
    const spaced = ascii[2].toLowerCase().replaceAll(/(.{8})/g, '$1 ');
    expect(ask(spaced, {ksn: KSN})).toMatchObject({response: track2});
  });

  it('refuses another length with 2100', () => {
    expect(ask(ascii[2].slice(16), {ksn: KSN})).toMatchObject({errCode: 2100});
  });

  it('refuses a lone track 3 with 2800', () => {
    expect(ask(ascii[3], {ksn: KSN})).toMatchObject({errCode: 2800});
  });

  it('restarts the chain for every track: one chain over both is 2601', () => {
    const chained = hex(Buffer.concat([asciiTrack(T1, 80), asciiTrack(T2, 40)]));
    expect(ask(chained, {ksn: KSN})).toMatchObject({errCode: 2601});
  });

  it('refuses the hex of a clear track with 2110', () => {
    const clear = asciiTrack(T1, 80).toString('hex');
    expect(ask(clear, {ksn: KSN})).toMatchObject({errCode: 2110});
  });

  it('refuses a clear track with 2110', () => {
    expect(ask(T2, {ksn: KSN})).toMatchObject({errCode: 2110});
  });
});

describe('packed tracks', () => {
  function ask2(plain: Uint8Array) {
    return ask(hex(plain), {ksn: KSN});
  }

  it('end `decrypted` with the byte of the LRC nibble', () => {
    const plain = nibbleTrack(T2 + lrcOf(T2), 40);
    const decrypted = plain.subarray(0, 17).toString('hex');
    expect(ask2(plain)).toMatchObject({response: {track2: {decrypted}}});
  });

  it('may come without their LRC', () => {
    expect(ask2(nibbleTrack(T2, 40))).toMatchObject({response: track2});
  });

  it('with another nibble than the LRC behind the end sentinel are refused', () => {
    const wrong = lrcOf(T2) === '1' ? '2' : '1';
    expect(ask2(nibbleTrack(`${T2}${wrong}`, 40))).toMatchObject({errCode: 2601});
  });

  for (const pan of ['4012888888881881', '378282246310005', '6799998900000060018']) {
    it(`may come without sentinels, F-filled: PAN of ${pan.length} digits`, () => {
      const digits = `${pan}D2801201123456`;
      const plain = Buffer.from(digits.padEnd(48, 'F'), 'hex');
      const expected = {ascii: `;${pan}=2801201123456?`};
      expect(ask2(plain)).toMatchObject({response: {track2: expected}});
    });
  }

  it('may come without sentinels and filler, the zeros behind an even number of digits being fill', () => {
    const digits = '4012888888881881D2801201123450';
    const plain = Buffer.from(digits.padEnd(80, '0'), 'hex');
    const expected = {
      ascii: ';4012888888881881=2801201123450?',
      decrypted: digits.toLowerCase(),
    };
    expect(ask2(plain)).toMatchObject({response: {track2: expected}});
  });

  it('of track 1 may hold an LRC of any character', () => {
    const found = ask(ecb[1], {ksn: KSN});
    const plain = sixBitTrack(T1 + lrcOf(T1), 64);
    const decrypted = plain.subarray(0, Math.ceil(((T1.length + 1) * 6) / 8)).toString('hex');
    expect(found).toMatchObject({response: {track1: {decrypted}}});
  });
});

describe('the dictionary', () => {
  const members = {formatID: '60', ksn: KSN, encTracks: ascii[1] + ascii[2]};
  const both = {response: {meta: {mode: 'swiped', serial: KSN.slice(0, 14)}, ...track1, ...track2}};
  const entries = Object.entries(members);

  const forms: [string, string][] = [
    ['JSON', JSON.stringify(members)],
    ['a {k=v, k=v} dump', `{${entries.map(([k, v]) => `${k}=${v}`).join(', ')}}`],
    [
      'a dump of iOS',
      `{\n${entries.map(([k, v]) => `    ${k} = ${v};\n`).join('')}    encTrack3 = "";\n}`,
    ],
    ['k=v lines', entries.map(([k, v]) => `${k}=${v}`).join('\r\n')],
    ['a query string', entries.map(([k, v]) => `${k}=${v}`).join('&')],
    ['printed labels', `Format ID: 60\nKSN: ${KSN}\nEncrypted Tracks: ${members.encTracks}\n`],
  ];
  for (const [form, payload] of forms) {
    it(`is read as ${form}`, () => {
      expect(ask(payload)).toMatchObject(both);
    });
  }

  it('has at most 500 members', () => {
    const lines = entries.map(([k, v]) => `${k}=${v}`).join('\n');
    expect(ask(lines + '\nx=y'.repeat(497))).toMatchObject(both);
    expect(ask(lines + '\nx=y'.repeat(498))).toMatchObject({errCode: 2100});
  });

  it('takes tracks one by one', () => {
    const {1: encTrack1, 2: encTrack2, 3: encTrack3} = ascii;
    const found = ask({formatID: 60, ksn: KSN, encTrack1, encTrack2, encTrack3});
    expect(found).toMatchObject({response: {...track1, ...track2, ...track3}});
  });

  it('takes names in any case, and trackksn for ksn', () => {
    expect(ask({FORMATID: '60', trackKsn: KSN, ENCTRACKS: members.encTracks})).toMatchObject(both);
  });

  it('counts empty values as absent', () => {
    const more = {track1: '', pan: '', encTrack3: '', serialNumber: ''};
    expect(ask({...members, ...more})).toMatchObject(both);
  });

  it('counts null as absent, in JSON and in print', () => {
    expect(ask({...members, serialNumber: null})).toMatchObject(both);
    const printed = entries.map(([k, v]) => `${k}=${v}`).join(', ');
    expect(ask(`{encTrack3=null, ${printed}, serialNumber=null}`)).toMatchObject(both);
  });

  it('takes members that are true or false', () => {
    expect(ask({...members, partialTrack: false})).toMatchObject(both);
  });

  it('gives serialNumber as the serial', () => {
    const found = ask({...members, serialNumber: 'WP00000001'});
    expect(found).toMatchObject({response: {meta: {serial: 'WP00000001'}}});
  });

  it('refuses a deviceSerial that is not its serialNumber with 2103', () => {
    const found = ask({...members, serialNumber: 'WP00000001'}, {deviceSerial: 'WP2'});
    expect(found).toMatchObject({errCode: 2103});
  });

  it('agrees with the masked PAN beside it', () => {
    expect(ask({...members, maskedPAN: '401288XXXXXX1881'})).toMatchObject(both);
  });

  it('refuses the masked PAN of another card with 2601', () => {
    const found = ask({...members, maskedPAN: '401288XXXXXX1882'});
    expect(found).toMatchObject({errCode: 2601});
  });

  it('holds format 54 to its own column', () => {
    const tracks = {ksn: KSN, encTracks: ecb[1] + ecb[2]};
    expect(ask({...tracks, formatID: '54'})).toMatchObject({response: {...track1, ...track2}});
    expect(ask({...tracks, formatID: '60'})).toMatchObject({errCode: 2100});
  });

  it('takes 24 bytes as a lone track 2 of format 60', () => {
    const encTracks = hex(nibbleTrack(T2, 24));
    expect(ask({formatID: '60', ksn: KSN, encTracks})).toMatchObject({response: track2});
  });

  for (const formatID of ['22', '36', '46', '55', '61', '64', '65']) {
    it(`refuses format ${formatID} with 2111, naming it`, () => {
      expect(ask({...members, formatID})).toMatchObject({
        errCode: 2111,
        message: expect.stringContaining(formatID),
      });
    });
  }

  it('leaves an empty track 3 out', () => {
    const found = ask({...members, encTracks: members.encTracks + hex(Buffer.alloc(112))});
    expect(tracksOf(found)).toEqual([T1, T2, undefined]);
  });

  it('leaves a track 3 of fewer than 13 characters out', () => {
    const short = hex(asciiTrack(';012345678?', 112));
    expect(tracksOf(ask({...members, encTracks: members.encTracks + short}))).toEqual([
      T1,
      T2,
      undefined,
    ]);
  });

  it('refuses a clear PAN and nothing encrypted with 2110', () => {
    expect(ask({formatID: '60', pan: PAN})).toMatchObject({errCode: 2110});
  });

  it('refuses a clear track and nothing encrypted with 2110', () => {
    expect(ask(`formatID=60\ntrack2=${T2}`)).toMatchObject({errCode: 2110});
  });

  it('refuses a masked PAN and nothing encrypted with 2100', () => {
    expect(ask({formatID: '60', maskedPAN: '401288XXXXXX1881'})).toMatchObject({errCode: 2100});
  });

  it('refuses a KSN of 7 bytes with 2400', () => {
    expect(ask({...members, ksn: '63150000000001'})).toMatchObject({errCode: 2400});
  });

  it('refuses contradicting members with 2100', () => {
    expect(ask({...members, KSN: 'FFFF9876543210E00002'})).toMatchObject({errCode: 2100});
  });

  it('refuses hex with an odd digit with 2102', () => {
    expect(ask({...members, encTracks: `${members.encTracks}0`})).toMatchObject({errCode: 2102});
  });

  it('refuses other JSON with 2100', () => {
    expect(ask({ksn: KSN})).toMatchObject({errCode: 2100});
    expect(ask('{"ksn":')).toMatchObject({errCode: 2100});
  });
});

describe('keyed entry', () => {
  const pad = (digits: string) =>
    Buffer.from(digits.padEnd(digits.length > 16 ? 32 : 16, 'F'), 'hex');
  const entry = (pan: string) => ({
    encPAN: hex(pad(pan)),
    expiryDate: '2801',
    maskedPAN: `${pan.slice(0, 6)}${'X'.repeat(pan.length - 10)}${pan.slice(-4)}`,
    ksn: KSN,
  });

  for (const pan of ['4012888888881881', '378282246310005', '6799998900000060018']) {
    it(`gives a PAN of ${pan.length} digits and the clear expiry`, () => {
      expect(ask(entry(pan))).toMatchObject({
        response: {
          meta: {mode: 'keyed'},
          keyed: {ascii: `${pan}=2801`},
          extracted: {PAN: pan, EXPY: '0128'},
        },
      });
    });
  }

  it('gives the packed block as decrypted', () => {
    expect(ask(entry(PAN))).toMatchObject({response: {keyed: {decrypted: PAN}}});
  });

  it('without a masked PAN is refused with 2601', () => {
    const {maskedPAN, ...rest} = entry(PAN);
    expect(ask(rest)).toMatchObject({errCode: 2601, message: expect.stringContaining('maskedPAN')});
  });

  it('without an expiry is refused with 2100', () => {
    const {expiryDate, ...rest} = entry(PAN);
    expect(ask(rest)).toMatchObject({errCode: 2100});
  });
});
