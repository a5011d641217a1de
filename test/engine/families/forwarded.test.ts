import {createCipheriv, createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {Secret} from '../../../src/contract/secret.js';
import {decrypt} from '../../../src/engine/decrypt.js';
import {KeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {
  KNOWN_TERMINALS,
  TERMINALS,
  type TerminalType,
} from '../../../src/engine/families/registry.js';
import {planDecryption} from '../../../src/engine/plan.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {recognise} from '../../../src/engine/recognise.js';
import {Trace} from '../../../src/engine/trace.js';
import {answer, readSamples, ringOf, type SampleKey} from '../samples.js';
import {type Encryption, encrypt, lrcOf, tlv} from '../terminal.js';

const KSN = 'FFFF9876543210E00041';
const PAN = '4761739001010010';
const T1 = `%B${PAN}^DOE/JANE^2512201123456789?`;
const T2 = `;${PAN}=25122011143878089?`;
const PACKED = Buffer.from(`${T2.slice(1, -1).replace('=', 'D')}F`, 'hex');
const WORKING = '22222222222222222222222222222223';

function sent(plain: string | Uint8Array, options: Partial<Encryption> = {}): string {
  return encrypt(plain, {ksn: KSN, ...options})
    .toString('hex')
    .toUpperCase();
}

/** TDES under the key itself, by node:crypto. */
function underWorkingKey(plain: string, mode: 'ecb' | 'cbc' = 'ecb'): string {
  const key = Buffer.from(WORKING + WORKING.slice(0, 16), 'hex');
  const iv = mode === 'ecb' ? null : Buffer.alloc(8);
  const cipher = createCipheriv(mode === 'ecb' ? 'des-ede3' : 'des-ede3-cbc', key, iv);
  cipher.setAutoPadding(false);
  const whole = Buffer.from(plain.padEnd(Math.ceil(plain.length / 8) * 8, '\0'), 'latin1');
  return Buffer.concat([cipher.update(whole), cipher.final()]).toString('hex');
}

type Members = Readonly<Record<string, unknown>>;

function ask(deviceType: TerminalType, payload: Members | string, keys?: readonly SampleKey[]) {
  const devicePayload = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const found = answer({deviceType, devicePayload}, keys && ringOf(keys));
  const {response} = found;
  if (!response) return found.errCode;
  const {mode} = response.meta;
  const {PAN: pan, EXPY} = response.extracted;
  const tracks = ['track1', 'track2', 'track3', 'tlv', 'track2equivalent'] as const;
  return [mode, pan, EXPY, ...tracks.filter((name) => response[name] !== undefined)].join(' ');
}

const ONE = `swiped ${PAN} 1225 track1`;
const TWO = `swiped ${PAN} 1225 track2`;
const BOTH = `${ONE} track2`;
const FAMILIES = ['newland', 'bbpos', 'poynt', 'spire'] as const;
const BEHIND_ZEROS = '\0'.repeat((8 - (T1.length % 8)) % 8) + T1;
const CHAIN = T1 + lrcOf(T1) + T2 + lrcOf(T2);

describe.each([...FAMILIES, 'generic'] as const)('%s reads a plaintext by itself:', (type) => {
  const named = type === 'generic' ? {} : {poiType: type};

  it.each([
    ['track 1', 'track1', T1, ONE],
    ['track 2 in track1', 'track1', T2, TWO],
    ['packed track 2 in track1', 'track1', PACKED, TWO],
    ['track 1 in track2', 'track2', T1, ONE],
    ['track 1 behind zeros', 'track1', BEHIND_ZEROS, ONE],
    ['track 2 without sentinels behind zeros', 'track2', `\0\0\0${T2.slice(1, -1)}`, TWO],
    ['track 1 behind its length', 'track1', `${T1.length - 2}${T1.slice(1, -1)}`, ONE],
    ['tracks in one chain', 'track1', CHAIN, BOTH],
    ['tracks in one chain, one LRC', 'data', T1 + T2 + lrcOf(T2), BOTH],
    [
      'a TLV list',
      'data',
      tlv('5A', PAN).toString('latin1') +
        tlv('5F24', '251231').toString('latin1') +
        tlv('57', PACKED).toString('latin1'),
      `emv ${PAN} 1225 tlv track2equivalent`,
    ],
  ])('%s', (_, name, plain, expected) => {
    expect(ask(type, {...named, [name]: sent(plain), ksn: KSN})).toBe(expected);
  });

  it.each([
    ['a wrong length', 'track1', `${T1.length - 1}${T1.slice(1, -1)}`],
    ['a wrong LRC of the first of two', 'track1', `${T1}${lrcOf(T1) === '!' ? '"' : '!'}${T2}`],
    ['a wrong LRC of the second', 'track1', `${T1}${T2}${lrcOf(T2) === '1' ? '2' : '1'}`],
    ['two cards in one chain', 'track1', `${T1};4012888888881881=25122011143878089?;`],
    ['text behind the chain', 'track1', `${CHAIN}ABC`],
    ['random bytes', 'track1', createHash('sha256').update('x').digest()],
  ])('and refuses %s', (_, name, plain) => {
    expect(ask(type, {...named, [name]: sent(plain), ksn: KSN})).toBe(2601);
  });
});

describe('a working key', () => {
  const keys = [{kind: 'working', hex: WORKING}] as const;

  it.each(['ecb', 'cbc'] as const)('opens tracks in %s', (mode) => {
    const counted = `${T1.length - 2}${T1.slice(1, -1)}`;
    for (const type of FAMILIES)
      expect(ask(type, {poiType: type, track1: underWorkingKey(counted, mode)}, keys)).toBe(ONE);
  });

  it.each(['00', '13', '45'])('opens no month %s in ECB, which joins no blocks', (month) => {
    const track = T1.slice(1, -1).replace(/(?<=\^\d\d)\d\d/, month);
    const counted = `${track.length}${track}`;
    const open = (mode: 'ecb' | 'cbc') =>
      ask('newland', {poiType: 'newland', track1: underWorkingKey(counted, mode)}, keys);
    expect(open('ecb')).toBe(2601);
    expect(open('cbc')).toContain(month);
  });

  it('opens the published read of Newland', () => {
    const track1 =
      'EE9CB14C4F92A690D68CD81F3C3FBEF37A1656DF0635B3DFD297B4BF74A37562' +
      '24C4F86A48A0F130612FAB419023C9D73EBFFD5FF48AA36BD1920EA92F5B6A40';
    const published = [{kind: 'working', hex: '22'.repeat(16)}] as const;
    const found = ask('newland', `PoiType = NEWLAND\nTrack1 = ${track1}`, published);
    expect(found).toBe('swiped 340431451910745 0122 track1');
  });

  it('of another read opens nothing', () => {
    const track1 = underWorkingKey(T1);
    const other = [{kind: 'working', hex: '33333333333333333333333333333332'}] as const;
    expect(ask('newland', {poiType: 'newland', track1}, other)).toBe(2601);
    expect(ask('newland', {poiType: 'newland', track1}, [{kind: 'bdk', hex: WORKING}])).toBe(2400);
  });
});

describe('two digits before a track 2 of Newland', () => {
  const read = (text: string) => ask('newland', {poiType: 'newland', track2: sent(text), ksn: KSN});

  it('are its length, if Luhn says so', () => {
    const text = T2.slice(1, -2);
    expect(text.length).toBe(33);
    expect(read(`33${text}`)).toBe(TWO);
  });

  it('are of its number, if Luhn says so', () => {
    const text = '3530111333300000=2512101'.padEnd(37, '0');
    expect(read(text)).toBe('swiped 3530111333300000 1225 track2');
  });

  it('are refused if both readings satisfy it', () => {
    const text = T2.slice(1, -1);
    expect(text.length).toBe(34);
    expect(read(`34${text}`)).toBe(2601);
  });
});

describe('a request', () => {
  const track1 = sent(T1);
  const card = {track1, ksn: KSN};

  it.each([
    ['snake case inside another object', {card_present: {poi_type: 'BBPOS_123', ...card}}],
    ['an array', {payments: [{id: 1}, {PoiType: 'Bbpos', ...card}], list: [null, 2, 'x']}],
    ['names in capitals', {POITYPE: 'BBPOS', TRACK1: track1.toLowerCase(), KSN: KSN.toLowerCase()}],
    ['the same value twice', {poiType: 'bbpos', ...card, track1Data: track1}],
    [
      'a PIN under another KSN',
      {
        poiType: 'bbpos',
        ...card,
        pinEncryptionParams: {ksn: 'FFFF9876543210E00099'},
        pinData: '0011223344556677',
      },
    ],
    ['empty members', {poiType: 'bbpos', ...card, track2: '', track3: null, iv: ''}],
    ['a masked card', {poiType: 'bbpos', ...card, maskedPan: '476173******0010'}],
    [
      'EMV data',
      {
        poiType: 'bbpos',
        ...card,
        icc_related_data: tlv('9F39', '90').toString('hex') + tlv('5A', PAN).toString('hex'),
      },
    ],
    ['broken EMV data', {poiType: 'bbpos', ...card, emvData: '9F3905'}],
  ])('is read and recognised: %s', (_, payload) => {
    expect(ask('bbpos', payload)).toBe(ONE);
    expect(recognise(JSON.stringify(payload), KNOWN_TERMINALS)).toEqual(['bbpos']);
  });

  it('is read from lines, as processors print them', () => {
    for (const text of [
      `PoiType = Bbpos\nTrack1 = ${track1}\nKSN = ${KSN}`,
      `poi_type: bbpos;track1: ${track1};ksn: ${KSN}`,
    ]) {
      expect(ask('bbpos', text)).toBe(ONE);
      expect(recognise(text, KNOWN_TERMINALS)).toEqual(['bbpos']);
    }
  });

  it.each([
    ['two tracks of one name', {poiType: 'bbpos', ...card, card: {track1: sent(T2)}}, 2100],
    [
      'one track under two names',
      {poiType: 'bbpos', ...card, track2: sent(T1, {fill: 'iso7816'})},
      2100,
    ],
    ['two KSNs', {poiType: 'bbpos', ...card, a: {ksn: 'FFFF9876543210E00042'}}, 2400],
    ['a number for a track', {poiType: 'bbpos', track1: 12, ksn: KSN}, 2100],
    ['text for hex', {poiType: 'bbpos', track1: 'a text', ksn: KSN}, 2100],
    ['half a byte', {poiType: 'bbpos', track1: track1.slice(1), ksn: KSN}, 2102],
    ['half a block', {poiType: 'bbpos', track1: track1.slice(8), ksn: KSN}, 2102],
    ['no KSN', {poiType: 'bbpos', track1}, 2400],
    ['a clear track', {poiType: 'bbpos', track2: T2, ksn: KSN}, 2110],
    [
      'a clear track in hex',
      {poiType: 'bbpos', track2: Buffer.from(T2).toString('hex'), ksn: KSN},
      2110,
    ],
    ['a clear card number alone', {poiType: 'bbpos', pan: PAN}, 2110],
    ['a PIN block alone', {poiType: 'bbpos', pinBlock: '0011223344556677', ksn: KSN}, 2100],
    ['another masked card', {poiType: 'bbpos', ...card, pan: '401288******1881'}, 2601],
    [
      'another card in the EMV data',
      {poiType: 'bbpos', ...card, emvData: tlv('5A', '4012888888881881').toString('hex')},
      2601,
    ],
    [
      'another expiry in the EMV data',
      {poiType: 'bbpos', ...card, emvData: tlv('5F24', '261231').toString('hex')},
      2601,
    ],
    ['of Newland', {poiType: 'newland', ...card}, 2100],
    ['of two terminals', {poiType: 'bbpos', ...card, other: {vendor: 'Spire'}}, 2100],
  ])('is refused: %s', (_, payload, code) => {
    expect(ask('bbpos', payload)).toBe(code);
  });

  it('with a name twice is refused', () => {
    expect(
      ask('bbpos', `{"poiType":"bbpos","track1":"${track1}","track1":"${track1}","ksn":"${KSN}"}`),
    ).toBe(2100);
  });

  it('without a name stays generic', () => {
    expect(recognise(JSON.stringify(card), KNOWN_TERMINALS)).toEqual(['generic']);
    expect(recognise(JSON.stringify({poiType: 'pax_a910', ...card}), KNOWN_TERMINALS)).toEqual([
      'generic',
    ]);
  });

  it('is still read as generic when told to', () => {
    expect(ask('generic', {poiType: 'bbpos', ...card})).toBe(ONE);
  });

  it('shows no card number in an error', () => {
    const found = answer({deviceType: 'bbpos', devicePayload: JSON.stringify({pan: PAN})});
    expect(found.message).not.toContain(PAN.slice(6, 12));
  });
});

describe('Poynt', () => {
  const tags = {'0x1F8102': KSN, '0x1F8103': '343736313733', '0x1F8104': '30303130'};
  const read = (plain: string, more: Members = {}) =>
    ask('poynt', {emvData: {emvTags: {...tags, '0x56': sent(plain), ...more}}});
  const behind = (tail: string) => {
    const text = T1 + tail;
    return '\0'.repeat((8 - (text.length % 8)) % 8) + text;
  };

  it.each([
    ['nothing', ''],
    ['the LRC', lrcOf(T1)],
    ['0A', '\n'],
    ['97', '\x97'],
  ])('takes %s behind the track', (_, tail) => {
    expect(read(behind(tail))).toBe(ONE);
  });

  it.each([
    ['another LRC', lrcOf(T1) === 'A' ? 'B' : 'A'],
    ['two bytes', '\n\n'],
  ])('refuses %s behind the track', (_, tail) => {
    expect(read(behind(tail))).toBe(2601);
  });

  it('refuses other digits, and another expiry', () => {
    expect(read(behind(''), {'0x1F8103': '343736313734'})).toBe(2601);
    expect(read(behind(''), {'0x5F24': '261231'})).toBe(2601);
    expect(read(behind(''), {'0x5F24': '251231'})).toBe(ONE);
  });

  it('is recognised by its tag, or by its members', () => {
    const payloads = [
      {emvTags: tags, track1data: sent(T1)},
      {card: {keySerialNumber: KSN, track1data: sent(T1), track2data: ''}},
    ];
    for (const payload of payloads) {
      expect(recognise(JSON.stringify(payload), KNOWN_TERMINALS)).toEqual(['poynt']);
      expect(ask('poynt', payload)).toBe(ONE);
    }
  });
});

describe('Spire', () => {
  const params = {encoding: 'hex', format: 'thor-posmate-chip', ksn: KSN, padding: 'pkcs'};
  const read = (track2Data: string, more: Members = {}) =>
    ask('spire', {track2Data, dataEncryptionParams: {...params, ...more}});
  const CHIP = `emv ${PAN} 1225 track2equivalent`;

  it('reads a track 2 equivalent, in hex or base64', () => {
    const value = sent(PACKED, {fill: 'pkcs7'});
    expect(read(value)).toBe(CHIP);
    expect(read(Buffer.from(value, 'hex').toString('base64'), {encoding: 'base64'})).toBe(CHIP);
  });

  it('reads a track of a stripe', () => {
    expect(read(sent(T2, {fill: 'pkcs7'}), {format: 'thor-posmate-magstripe'})).toBe(TWO);
  });
});

describe('every byte has a name:', () => {
  it.each(FAMILIES)('%s', (type) => {
    for (const {
      request,
      expect: {response},
    } of readSamples(type).filter((one) => one.expect.response)) {
      const trace = new Trace();
      readPayload(TERMINALS[type], request.devicePayload, trace);
      expect(response).toBeDefined();
      const letters = (text: string) => text.replaceAll(/[\s{}[\],:"=]/g, '').length;
      const named = trace.parts.map(({offset, length}) =>
        request.devicePayload.slice(offset, offset + length),
      );
      expect(letters(named.join(''))).toBe(letters(request.devicePayload));
    }
  });
});

const SHAPES = [...FAMILIES, 'generic'].flatMap((type) =>
  readSamples(type).filter(
    (one) => one.expect.response && /one-run|newland|bbpos|poynt|spire/.test(one.id),
  ),
);

describe('20,000 wrong keys open nothing:', () => {
  it.each(SHAPES)('$id', {timeout: 120_000}, ({request, keys}) => {
    const kind = keys[0]?.kind ?? 'bdk';
    const ringAt = (index: number) => {
      const hash = createHash('sha256').update(`other ${index}`).digest();
      const own = kind === 'working' ? {kind} : {kind: 'ik' as const, ksnPrefix: 'FFFF9876543210'};
      return new KeyRing([{...own, secret: new Secret(hash.subarray(0, 16))}], {cache: false});
    };
    const reading = readPayload(KNOWN_TERMINALS.get(request.deviceType), request.devicePayload);
    const plan = planDecryption(reading, request, ringAt(0));
    const accepted = Array.from({length: 20_000}, (_, i) => i).filter((i) => {
      try {
        decrypt(plan, ringAt(i));
        return true;
      } catch (error) {
        if (error instanceof PaylensError && [2601, 2602].includes(error.code)) return false;
        throw error;
      }
    });
    expect(accepted).toEqual([]);
  });
});
