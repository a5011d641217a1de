import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS} from '../../../src/engine/families/registry.js';
import {TerminalSet} from '../../../src/engine/families/terminal-set.js';
import {wisepad} from '../../../src/engine/families/wisepad/terminal.js';
import {inspectPayload} from '../../../src/engine/inspection/inspect-payload.js';
import {recognise} from '../../../src/engine/recognise.js';
import {answer, readSamples, ringOf, testRing} from '../samples.js';
import {type Encryption, encrypt, lrcOf, tlv, workingKey} from '../terminal.js';
import {KSN, PAN, sixBitTrack, T1} from './bbpos-tracks.js';

const SELF_CBC = {variant: 'data', selfEncrypted: true, mode: 'cbc'} as const;
const PLAIN_ECB = {variant: 'data', selfEncrypted: false, mode: 'ecb'} as const;
const SELF_ECB = {variant: 'data', selfEncrypted: true, mode: 'ecb'} as const;
const SETTINGS = [SELF_CBC, PLAIN_ECB, SELF_ECB];
type Setting = Omit<Encryption, 'ksn'>;

const TRACK_2 = `${PAN}D28012011234567`;
const TRACK_3 = `01${PAN}DD100`;
const LIST = `5A08${PAN}5710${TRACK_2}0`.replace(/0$/, 'F');

function bare(digits: string, length: number): Buffer {
  return Buffer.from(digits.padEnd(2 * length, 'F'), 'hex');
}

function hexOf(plain: Uint8Array, setting: Setting): string {
  return encrypt(plain, {ksn: KSN, ...setting})
    .toString('hex')
    .toUpperCase();
}

/** A dictionary as the SDK gives it, tracks encrypted independently of our code. */
function swipe(setting: Setting = SELF_CBC, more: Readonly<Record<string, string>> = {}) {
  const encTrack2 = hexOf(bare(TRACK_2, 24), setting);
  return {
    formatID: '30',
    maskedPAN: '401288XXXXXX1881',
    expiryDate: '2801',
    serviceCode: '201',
    ksn: '',
    trackksn: KSN,
    track1Length: `${T1.length - 2}`,
    track2Length: `${TRACK_2.length}`,
    track3Length: `${TRACK_3.length}`,
    encTracks: encTrack2,
    encTrack1: hexOf(sixBitTrack(T1, 64), setting),
    encTrack2,
    encTrack3: hexOf(bare(TRACK_3, 56), setting),
    pinKsn: '',
    pinBlock: '',
    ...more,
  };
}

function message(plain: Buffer, setting: Setting = SELF_CBC, after = ''): string {
  const c2 = encrypt(plain, {ksn: KSN, ...setting});
  return Buffer.concat([
    tlv('C0', KSN),
    tlv('C2', c2),
    tlv('C4', '401288FFFFFF1881'),
    Buffer.from(after, 'hex'),
  ]).toString('hex');
}

function read(devicePayload: string | object, deviceType: string = 'dspread', ring = testRing()) {
  const text = typeof devicePayload === 'string' ? devicePayload : JSON.stringify(devicePayload);
  return answer({deviceType: deviceType as 'dspread', devicePayload: text}, ring);
}

/** What the library answers if nobody names the terminal. */
function unnamed(devicePayload: string) {
  const [type = ''] = recognise(devicePayload, KNOWN_TERMINALS);
  return {type, device: read(devicePayload, type).response?.meta.device};
}

const list = Buffer.from(LIST, 'hex');

describe('a swipe of DSpread', () => {
  it.each(SETTINGS)('opens under $variant, self-encrypted $selfEncrypted, $mode', (setting) => {
    const {response} = read(swipe(setting));
    expect(response).toMatchObject({
      meta: {device: 'DSPREAD', mode: 'swiped', serial: KSN.slice(0, 14)},
      track1: {ascii: T1},
      track2: {ascii: `;${TRACK_2.replace('D', '=')}?`},
      track3: {ascii: `;${TRACK_3.replaceAll('D', '=')}?`},
      extracted: {PAN, EXPY: '0128', ServiceCode: '201'},
    });
  });

  it.each([
    ['track1Length', '1'],
    ['track2Length', '30'],
    ['track3Length', '80'],
    ['serviceCode', '101'],
    ['expiryDate', '2802'],
    ['maskedPAN', '401288XXXXXX1882'],
  ])('is refused (2601) with %s %s, which the tracks contradict', (member, value) => {
    expect(read(swipe(SELF_CBC, {[member]: value})).errCode).toBe(2601);
  });

  it('ignores encPAN, pinBlock and pinKsn, whatever they hold', () => {
    const more = {encPAN: 'FFFFFFFFFFFFFFFF', pinBlock: '00', pinKsn: 'none'};
    expect(read(swipe(SELF_CBC, more)).response?.extracted.PAN).toBe(PAN);
  });

  it('takes trackksn before ksn, and ksn without it', () => {
    const other = 'FFFF9876543210E00002';
    expect(read(swipe(SELF_CBC, {ksn: other})).response?.extracted.PAN).toBe(PAN);
    expect(read(swipe(SELF_CBC, {trackksn: '', ksn: KSN})).response?.extracted.PAN).toBe(PAN);
    expect(read(swipe(SELF_CBC, {trackksn: ''})).errCode).toBe(2400);
  });

  it.each(['ecb', 'cbc'] as const)('opens under a working key in %s, without a KSN', (mode) => {
    const hex = workingKey({ksn: KSN}).toString('hex');
    const mksk = swipe({...SELF_CBC, mode}, {trackksn: ''});
    const ring = ringOf([{kind: 'working', hex}]);
    expect(read(mksk, 'dspread', ring).response?.extracted.PAN).toBe(PAN);
  });

  it.each([
    ['31', {trackblock: 'A1B2C3D4E5F60718'}],
    ['30', {trackblock: 'A1B2C3D4E5F60718'}],
    ['LP', {}],
    ['MOSAMBEE', {}],
  ])('is refused (2111) with format ID %s, %o', (formatID, more) => {
    expect(read(swipe(SELF_CBC, {formatID, ...more})).errCode).toBe(2111);
  });

  it.each([
    TRACK_2,
    TRACK_2.padEnd(48, 'F'),
    `;${TRACK_2.replace('D', '=')}?`,
    sixBitTrack(T1, 64).toString('hex'),
    Buffer.from(T1).toString('hex'),
  ])('is refused (2110) with a track in clear: %s', (encTrack2) => {
    expect(read(swipe(SELF_CBC, {encTrack2, encTrack1: '', encTracks: ''})).errCode).toBe(2110);
  });

  it('reads every form of the dictionary', () => {
    const members = Object.entries(swipe());
    const lines = (join: string) => members.map(([name, value]) => name + join + value);
    const texts = [
      `{${lines('=').join(', ')}}`,
      `{\n${lines(' = ').join(';\n')};\n}`,
      lines(': ').join('\n'),
      `DecodeData{${members.map(([name, value]) => `${name}='${value}'`).join(', ')}}`,
      lines('_').join(','),
      lines('_').join(', \n'),
      JSON.stringify(
        Object.fromEntries(members.map(([name, value]) => [name.toLowerCase(), value])),
      ),
      lines('=').join('\n'),
    ];
    for (const text of texts) {
      expect(read(text).response?.extracted.PAN).toBe(PAN);
      expect(unnamed(text)).toEqual({type: 'dspread', device: 'DSPREAD'});
    }
  });
});

describe('a message of DSpread', () => {
  const shapes = {
    'inside 70': Buffer.concat([Buffer.from([0x70, 0x82, 0, list.length]), list]),
    alone: list,
    'aligned, without padding': Buffer.concat([
      list,
      tlv('9F02', '000000001000').subarray(0, 9),
      tlv('50', '00'),
    ]),
  };
  it.each(SETTINGS.flatMap((setting) => Object.keys(shapes).map((shape) => ({shape, setting}))))(
    'opens $shape under $setting',
    ({shape, setting}) => {
      const plain = shapes[shape as keyof typeof shapes];
      expect(read(message(plain, setting)).response).toMatchObject({
        meta: {device: 'DSPREAD', mode: 'emv'},
        tlv: {decrypted: plain.toString('hex').toLowerCase()},
      });
    },
  );

  it.each([
    ['two bytes', (n: number) => n.toString(16).padStart(4, '0')],
    ['two bytes, low first', (n: number) => `${n.toString(16).padStart(2, '0')}00`],
    ['one byte', (n: number) => n.toString(16).padStart(2, '0')],
    ['four bytes', (n: number) => n.toString(16).padStart(8, '0')],
    ['BER', (n: number) => `81${n.toString(16).padStart(2, '0')}`],
  ])('opens after its length in %s, and after no other number', (_, lengthOf) => {
    const text = message(list);
    const bytes = text.length / 2;
    expect(read(lengthOf(bytes) + text).response?.extracted.PAN).toBe(PAN);
    expect(read(lengthOf(bytes + 1) + text).response).toBeUndefined();
    const {parts} = inspectPayload(
      {deviceType: 'dspread', devicePayload: lengthOf(bytes) + text},
      false,
    );
    expect(parts[0]).toMatchObject({name: 'length', offset: 0});
    expect(parts.some(({name}) => name === 'not read' || name === 'fill')).toBe(false);
  });

  it('never takes C7 of 8 bytes for a KSN', () => {
    const text = message(list, SELF_CBC, `C10A${KSN}C708FFFF9876543210E0`);
    expect(unnamed(text)).toEqual({type: 'dspread', device: 'DSPREAD'});
    const {parts} = inspectPayload({deviceType: 'dspread', devicePayload: text}, false);
    expect(parts.find(({name}) => name.startsWith('C7'))?.name).toContain('PIN block');
  });
});

describe('what only the plaintext tells apart', () => {
  it.each([
    ['zeros', {}, 'DSPREAD'],
    ['PKCS #7', {fill: 'pkcs7'}, 'BBPOS'],
  ] as const)('is named by its padding: %s', (_, fill, device) => {
    const text = message(list, {...SELF_CBC, ...fill});
    expect(unnamed(text)).toEqual({type: 'dspread-or-wisepad', device});
    expect(read(text, 'wisepad').response?.meta.device).toBe('BBPOS');
    expect(read(text, 'dspread').response?.meta.device).toBe('DSPREAD');
  });

  it.each([
    ['no LRC', '', 'DSPREAD'],
    ['an LRC', lrcOf(T1), 'BBPOS'],
  ])('is named by its track: %s', (_, lrc, device) => {
    const devicePayload = hexOf(sixBitTrack(T1 + lrc, 64), PLAIN_ECB);
    const [type = ''] = recognise(devicePayload, KNOWN_TERMINALS);
    const request = {deviceType: type as 'dspread', devicePayload, ksn: KSN};
    expect(answer(request).response?.meta.device).toBe(device);
  });

  it('is called by both names without a key', () => {
    const [deviceType = ''] = recognise(message(list), KNOWN_TERMINALS);
    const {form} = inspectPayload({deviceType, devicePayload: message(list)}, false);
    expect(form).toContain('DSpread or BBPOS');
  });

  it('is of the one that a caller has, if it has one of the two', () => {
    expect(recognise(message(list), new TerminalSet([wisepad]))).toEqual(['wisepad']);
  });
});

describe('either type', () => {
  it.each(readSamples('dspread').filter(({expect: {response}}) => response))(
    'reads DSpread: $id',
    ({request, keys}) => {
      const ring = ringOf(keys);
      const {meta: _, ...own} = answer(request, ring).response ?? {meta: undefined};
      const {meta: __, ...other} = answer({...request, deviceType: 'wisepad'}, ring).response ?? {
        meta: undefined,
      };
      expect(other).toEqual(own);
    },
  );

  it.each(['wisepad', 'wisepad2'].flatMap(readSamples))('reads BBPOS: $id', ({request, keys}) => {
    const ring = ringOf(keys);
    const {meta: _, ...own} = answer(request, ring).response ?? {meta: undefined};
    const as = answer({...request, deviceType: 'dspread'}, ring);
    const {meta: __, ...other} = as.response ?? {meta: undefined};
    expect(other).toEqual(own);
  });
});
