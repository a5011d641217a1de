import {createCipheriv, createDecipheriv, createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {Secret} from '../../../src/contract/secret.js';
import {decrypt} from '../../../src/engine/decrypt.js';
import {KeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {KNOWN_TERMINALS, TERMINAL_TYPES, TERMINALS} from '../../../src/engine/families/registry.js';
import {planDecryption} from '../../../src/engine/plan.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {recognise} from '../../../src/engine/recognise.js';
import {Trace} from '../../../src/engine/trace.js';
import {answer, readSamples, ringOf, type SampleKey} from '../samples.js';
import {type Encryption, encrypt} from '../terminal.js';

const WKPAN = 'EA528A43B02652FDEB538B42B12753FC';
const WORKING: readonly SampleKey[] = [{kind: 'working', hex: WKPAN}];
const KSN = 'FFFF9876543210E00041';
const PAN = '4761739001010010';
const T1 = `B${PAN}^DOE/JANE^25122011234567890`;
const T2 = `${PAN}=25122011143878089`;

/** One block under the key itself, by node:crypto. */
function block(digits: string, key = WKPAN, direction: 'encrypt' | 'decrypt' = 'encrypt'): string {
  const whole = key.length === 16 ? key.repeat(3) : key + key.slice(0, 16);
  const make = direction === 'encrypt' ? createCipheriv : createDecipheriv;
  const cipher = make('des-ede3', Buffer.from(whole, 'hex'), null);
  cipher.setAutoPadding(false);
  return cipher.update(digits, 'hex', 'hex').toUpperCase() + cipher.final('hex');
}

function sent(plain: string | Uint8Array, options: Partial<Encryption> = {}): string {
  return encrypt(plain, {ksn: KSN, ...options})
    .toString('hex')
    .toUpperCase();
}

function packed(text: string): Buffer {
  const digits = text.replace('=', 'D');
  return Buffer.from(digits.padEnd(Math.ceil(digits.length / 16) * 16, 'F'), 'hex');
}

type Members = Readonly<Record<string, unknown>>;

function ask(payload: Members | string, keys?: readonly SampleKey[], ksn?: string) {
  const devicePayload = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const request = {deviceType: 'abecs', devicePayload, ...(ksn ? {ksn} : {})} as const;
  const found = answer(request, keys && ringOf(keys));
  const {response} = found;
  if (!response) return found.errCode;
  const tracks = (['track1', 'track2', 'track3'] as const).filter((name) => response[name]);
  return [response.meta.mode, response.extracted.PAN, ...tracks].join(' ');
}

const ONE = `swiped ${PAN} track1`;
const TWO = `swiped ${PAN} track2`;
const BOTH = `${ONE} track2`;
const P1 = `B${block(PAN)}^DOE/JANE^2512201123456789`;
const P2 = `${block(PAN)}=25122011143878089`;

describe('published blocks of the protocol', () => {
  // ABECS 2.12, 5.3.1, examples 2, 4, 7, 8.
  it.each([
    ['to the PIN pad, 19 digits', 'decrypt', '4987432874320001', '407E5D4F32598B98'],
    ['to the PIN pad, 15 digits', 'decrypt', '376436123456006F', '431E6D386E688B0B'],
    ['track 3', 'encrypt', '6748362525378000', 'FE8E271A114C1A35'],
    ['no separator', 'encrypt', '9486587923497851', '2C05DF894573C7FA'],
  ] as const)('%s', (_, direction, clear, cipher) => {
    const [key] = ringOf(WORKING).find(undefined) ? [WKPAN] : [];
    expect(block(clear, key, direction)).toBe(cipher);
    const back = direction === 'encrypt' ? 'decrypt' : 'encrypt';
    expect(block(cipher, key, back)).toBe(clear);
  });

  // 3.3.12: the response with its random key.
  const KRAND = 'FF4755399AE4289344D4BBC07D968B5F';
  const RESPONSE =
    '804A0008F158F8C22E09591E8044005142FBA460A1A917B1725CE1E7323533D07C9F0B9A6BE5ABAD0DDBA1D67F' +
    'F0F7DEA37F5A4F5A17DA9517E73F7770D77B6438C7FA040BC4BD718F8056867B6FF95176A0637B6791F4048DC3' +
    '385C45588D8207';

  it.each(['', '000300023131'])('of GTK, card number and track 1 in CBC, behind "%s"', (method) => {
    const keys = [{kind: 'working', hex: KRAND}] as const;
    expect(ask(method + RESPONSE, keys)).toBe('emv 4444333322221111 track1');
    expect(recognise(RESPONSE, KNOWN_TERMINALS)).toEqual(['abecs']);
  });

  it('of GTK with the random key under RSA are refused', () => {
    expect(ask(`${RESPONSE}80630100${'5A'.repeat(256)}`)).toBe(2111);
  });

  it('of GTK before 2.03 have no format letter', () => {
    // 3.3.12, the first response; its key is not public.
    const old =
      '47544B3030303133338044004E3534373832337AE2FA69BA8C62939EC2382C33D5A16C06A2D4F6EA241EDC937321' +
      '92FDD5327495667C8FD2DFE6A01CB794BEC58C5765D94CE18ACDCCCB57685164DD6556C735BE357E39456A68DB80' +
      '47000AFFFFF8194600187000' +
      '1F8045001354782 3EA2FB6CD9289F9701CB0883FD6CC6F798048000AFFFFF81946001870001F'.replace(
        ' ',
        '',
      );
    expect(ask(old, [{kind: 'bdk', hex: '0123456789ABCDEFFEDCBA9876543210'}])).toBe(2601);
  });
});

describe('a track with an encrypted card number', () => {
  it.each([
    ['track 1', P1, ONE],
    ['track 2 with sentinels', `;${P2}?`, TWO],
    ['both tracks', `%${P1}?;${P2}?`, BOTH],
    ['both tracks in lines', `${P1}\r\n${P2}\r\n`, BOTH],
    ['members', {Track1: P1, TRACK2: P2}, BOTH],
    ['fields of CKE', {CKE_TRK1: P1, CKE_TRK2: P2}, BOTH],
    ['lines', `track1: ${P1}\ntrack2: ${P2}`, BOTH],
    ['lower case', P2.toLowerCase(), TWO],
    [
      '19 digits',
      `623${block('4987432874320001')}=2512201`,
      2601, // No second fact.
    ],
    ['a masked copy', {track2: P2, maskedPan: '476173******0010'}, TWO],
  ])('is read: %s', (_, payload, expected) => {
    expect(ask(payload, WORKING)).toBe(expected);
  });

  it('is read under a DES key', () => {
    const key = '0123456789ABCDEF';
    const payload = `${block(PAN, key)}=25122011143878089`;
    expect(ask(payload, [{kind: 'working', hex: key}])).toBe(TWO);
  });

  const other = '4012888888881882';
  it.each([
    ['two of one number', `${P2}\n${P2}`, 2100],
    ['one behind the other', P2 + P2, 2100],
    ['track 1 twice', P1 + P1, 2100],
    ['track 2 behind track 1', P1 + P2, 2100],
    ['a second member', {track2: P2, CKE_TRK2: `${P2}1`}, 2100],
    ['a name twice', `{"track2":"${P2}","track2":"${P2}"}`, 2100],
    ['members of GTK beside it', {track2: P2, PP_TRACK2: '00'.repeat(8)}, 2100],
    ['another terminal', {poiType: 'newland', track2: P2}, 2100],
    ['two cards', `${P1}\n${block('4012888888881881')}=2512201`, 2601],
    ['another masked copy', {track2: P2, maskedPan: '401288******1881'}, 2601],
    ['a number without a second fact', `${block('9999999999999991')}=2512201`, 2601],
    ['a track in clear', T2, 2110],
    ['a track in clear beside it', {track1: P1, track2: T2}, 2110],
    ['a number in clear without check digit', `${other}=2512201`, 2110],
    ['a text', 'PAN Criptografado', 2100],
    ['bare hex', block(PAN), 2100],
    ['a number for a track', {track2: 12}, 2100],
  ])('is refused: %s', (_, payload, code) => {
    expect(ask(payload, WORKING)).toBe(code);
  });

  it('is opened without check digit by its other track or a masked number', () => {
    const pan = '9999888877776660';
    const second = `${block(pan)}=2512201`;
    expect(ask(second, WORKING)).toBe(2601);
    // The same block twice is the same fact.
    expect(ask(`B${block(pan)}^A/B^2512201\n${second}`, WORKING)).toBe(2601);
    const grouped = `B999${block('9E8888E7777E6660')}^A/B^2512201`;
    expect(ask(`${grouped}\n${second}`, WORKING)).toBe(`swiped ${pan} track1 track2`);
    expect(ask({track2: second, maskedPan: '999988******6660'}, WORKING)).toBe(
      `swiped ${pan} track2`,
    );
  });

  it.each([
    ['Visa', '4', 16, TWO],
    ['Visa', '4', 15, 2601],
    ['Visa', '4', 13, TWO],
    ['Mastercard', '55', 16, TWO],
    ['Mastercard, first of the 2 series', '222100', 16, TWO],
    ['below the 2 series', '222099', 16, 2601],
    ['Mastercard, last of the 2 series', '272099', 16, TWO],
    ['above the 2 series', '272100', 16, 2601],
    ['American Express', '37', 15, TWO],
    ['American Express', '37', 16, 2601],
    ['Diners Club', '36', 14, TWO],
    ['JCB', '3528', 16, TWO],
    ['no JCB', '3527', 16, 2601],
    ['UnionPay', '62', 16, TWO],
    ['UnionPay', '62', 19, TWO],
    ['Maestro', '6799', 19, TWO],
    ['airlines', '1', 16, 2601],
    ['no issuer', '9', 19, 2601],
  ])('with a check digit is of %s: %s and %d digits', (_, range, length, expected) => {
    const pan = withCheckDigit(range.padEnd(length - 1, '0'));
    const found = ask(
      `${pan.slice(0, -16)}${block(pan.slice(-16).padEnd(16, 'F'))}=2512201`,
      WORKING,
    );
    expect(found).toBe(expected === TWO ? `swiped ${pan} track2` : expected);
  });

  it.each([
    ['600', `swiped 6000000000000001 track2`],
    ['601', 2601],
    ['400', 2601],
  ])('without a check digit is of a shop: %s', (range, expected) => {
    const pan = `${range}0000000000001`;
    expect(luhn(pan)).toBe(false);
    expect(ask(`${block(pan)}=2512201`, WORKING)).toBe(expected);
  });

  it('in decimal digits is opened only if Luhn holds after decryption', () => {
    const decimal = (pan: string) => {
      for (let i = 0; i < 20_000; i++) {
        const key = createHash('sha256').update(`decimal ${i}`).digest('hex').slice(0, 32);
        const cipher = block(pan, key);
        if (/^\d{16}$/.test(cipher) && !luhn(cipher)) return {key, cipher};
      }
      throw new Error('none found');
    };
    const {key, cipher} = decimal(PAN);
    const payload = `${cipher}=25122011143878089`;
    expect(ask(payload, [{kind: 'working', hex: key}])).toBe(TWO);
    expect(ask(payload, WORKING)).toBe(2110);
    expect(ask(payload)).toBe(2110);
    expect(recognise(payload, KNOWN_TERMINALS)).not.toContain('abecs');
  });
});

function luhn(digits: string): boolean {
  const doubled = (digit: number) => (digit > 4 ? 2 * digit - 9 : 2 * digit);
  const sum = [...digits].reverse().reduce((all, c, i) => all + (i % 2 ? doubled(+c) : +c), 0);
  return sum % 10 === 0;
}

function withCheckDigit(digits: string): string {
  return [...'0123456789'].map((digit) => digits + digit).find(luhn) ?? '';
}

describe('a response to GTK', () => {
  const ECB = {mode: 'ecb'} as const;
  const PIN = {mode: 'ecb', variant: 'pin', selfEncrypted: false} as const;
  const card = (options: Partial<Encryption> = {}) => ({
    PP_TRACK1: sent(T1, options),
    PP_TRK1KSN: KSN,
    PP_TRACK2: sent(packed(T2), options),
    PP_TRK2KSN: KSN,
  });
  const iv = '0102030405060708';

  it.each([
    ['51', {SPE_MTHDDAT: '51', ...card()}],
    ['50', {SPE_MTHDDAT: '50', ...card(ECB)}],
    ['30', {SPE_MTHDDAT: '30', ...card(PIN)}],
    ['no method, as 51', card()],
    ['no method, as 50', card(ECB)],
    ['no method, as 30', card(PIN)],
    [
      'other case',
      {
        spe_mthddat: '51',
        ppTrack1: sent(T1).toLowerCase(),
        PPTrack2: sent(packed(T2)),
        pp_ksn: KSN,
      },
    ],
    ['an IV', {SPE_MTHDDAT: '51', SPE_IVCBC: iv, ...card({iv})}],
    ['a truncated copy', {...card(), PP_TRK2INC: '476173******0010=2512201'}],
    ['a truncated track 1', {...card(), PP_TRK1INC: `B${PAN}^DOE/JANE^2512201`}],
    ['inside another object', {data: {SPE_MTHDDAT: '51', ...card()}}],
  ] as const)('is read: %s', (_, payload) => {
    expect(ask(payload as Members)).toBe(BOTH);
    expect(recognise(JSON.stringify(payload), KNOWN_TERMINALS)).toEqual(['abecs']);
  });

  it('of a track that fills its blocks exactly is cut: 2102', () => {
    const text = `${PAN}=251220112345678`;
    expect(ask({...card(), PP_TRACK2: sent(packed(text))})).toBe(2102);
    expect(ask({...card(), PP_TRACK2: sent(packed(`${text}9`))})).toBe(BOTH);
  });

  it.each([0, 4, 6, 8])('is read with %s digits in clear, stated or not', (digits) => {
    const head = digits === 0 ? 0 : 1 + digits;
    const [one, two] = [Buffer.from(T1), packed(T2)];
    const behind = two.toString('hex').replace(/f+$/, '').slice(digits);
    const tail = packed(behind.replace('d', '='));
    const payload = {
      PP_TRACK1: one.subarray(0, head).toString('hex') + sent(one.subarray(head), ECB),
      PP_TRACK2: PAN.slice(0, digits) + sent(tail, ECB),
      PP_KSN: KSN,
    };
    expect(ask(payload)).toBe(BOTH);
    expect(ask({...payload, SPE_OPNDIG: String(digits)})).toBe(BOTH);
    expect(ask({...payload, SPE_OPNDIG: String((digits + 2) % 10)})).not.toBe(BOTH);
  });

  it.each([
    ['00', '0123456789ABCDEF'],
    ['10', WKPAN],
    ['11', WKPAN],
  ])('is read under a working key, method %s', (method, hex) => {
    const whole = hex.length === 16 ? hex.repeat(3) : hex + hex.slice(0, 16);
    const isCbc = method.endsWith('1');
    const cipher = createCipheriv(
      isCbc ? 'des-ede3-cbc' : 'des-ede3',
      Buffer.from(whole, 'hex'),
      isCbc ? Buffer.alloc(8) : null,
    );
    cipher.setAutoPadding(false);
    const value = Buffer.concat([cipher.update(packed(T2)), cipher.final()]).toString('hex');
    expect(ask({SPE_MTHDDAT: method, PP_TRACK2: value}, [{kind: 'working', hex}])).toBe(TWO);
    expect(ask({PP_TRACK2: value}, [{kind: 'working', hex}])).toBe(TWO);
  });

  it('needs more than a card number alone', () => {
    const pan = {PP_ENCPAN: sent(packed(PAN)), PP_ENCPANKSN: KSN};
    expect(ask(pan)).toBe(2601);
    expect(ask({...pan, PP_TRK2INC: '******3901******=2512201'})).toBe(2601);
    expect(ask({...pan, PP_TRK2INC: '476173******0010=2512201'})).toBe(`emv ${PAN}`);
    expect(ask({...pan, PP_TRK2INC: `${PAN}=2512201`})).toBe(`emv ${PAN}`);
    expect(ask({...pan, ...card()})).toBe(`emv ${PAN} track1 track2`);
    expect(ask({...card(), ...pan, PP_ENCPAN: sent(packed('4012888888881881'))})).toBe(2601);
  });

  it.each([
    ['another truncated card', {...card(), PP_TRK2INC: '401288******1881=2512201'}, 2601],
    ['another truncated expiry', {...card(), PP_TRK2INC: '476173******0010=2612201'}, 2601],
    ['two expiries', {...card(), PP_TRK1INC: 'B4^A^2512201', PP_TRK2INC: '4=2612201'}, 2100],
    ['half a block', {...card(), PP_TRACK2: '00'.repeat(15)}, 2102],
    ['half a byte', {...card(), PP_TRACK2: '0'.repeat(17)}, 2102],
    ['text for hex', {...card(), PP_TRACK2: 'a track'}, 2100],
    ['a number', {...card(), PP_TRACK2: 12}, 2100],
    [
      'clear tracks',
      {PP_TRACK1: Buffer.from(T1).toString('hex'), PP_TRACK2: packed(T2).toString('hex')},
      2110,
    ],
    ['a clear copy alone', {PP_TRK2INC: `${PAN}=2512201`, SPE_MTHDDAT: '51'}, 2110],
    ['a masked copy alone', {PP_TRK2INC: '476173******0010=2512201', SPE_MTHDDAT: '51'}, 2100],
    ['method 90', {...card(), SPE_MTHDDAT: '90'}, 2111],
    ['method 40', {...card(), SPE_MTHDDAT: '40'}, 2111],
    ['three digits in clear', {...card(), SPE_OPNDIG: '3'}, 2100],
    ['no KSN', {PP_TRACK1: sent(T1)}, 2400],
    ['two values', {...card(), pptrack2: sent(packed(T2), ECB)}, 2100],
    ['another terminal', {...card(), poiType: 'newland'}, 2100],
    ['a track beside it', {...card(), track1: sent(T1)}, 2100],
    ['a host message', {...card(), 'DE-127': sent(T1)}, 2100],
  ])('is refused: %s', (_, payload, code) => {
    expect(ask(payload)).toBe(code);
  });

  it('has a name once', () => {
    const value = sent(packed(T2));
    expect(ask(`{"PP_TRACK2":"${value}","PP_TRACK2":"${value}","PP_KSN":"${KSN}"}`)).toBe(2100);
  });

  const object = (id: string, hex: string) =>
    id + (hex.length / 2).toString(16).padStart(4, '0').toUpperCase() + hex;
  const objects = object('8045', sent(packed(T2))) + object('8048', KSN);
  const response = (hex: string) =>
    Buffer.from(`GTK000${String(hex.length / 2).padStart(3, '0')}`).toString('hex') + hex;

  it.each([
    ['objects', objects],
    ['lower case', objects.toLowerCase()],
    ['the response', response(objects)],
    ['the response in binary', Buffer.from(response(objects), 'hex').toString('latin1')],
    ['an unknown object', objects + object('8002', '3030')],
  ])('is read in hex: %s', (_, payload) => {
    expect(ask(payload)).toBe(TWO);
    expect(recognise(payload, KNOWN_TERMINALS)).toEqual(['abecs']);
  });

  it.each([
    ['twice', objects + objects],
    ['the response twice', response(objects) + response(objects)],
    ['two together', objects + object('8044', sent(T1)) + object('8045', sent(packed(T2), ECB))],
  ])('is refused in hex: %s', (_, payload) => {
    expect(ask(payload)).toBe(2100);
  });

  it('is refused when cut anywhere', () => {
    for (const whole of [objects, response(objects), JSON.stringify(card()), P1, P2])
      for (let end = 1; end < whole.length; end++) {
        const cut = whole.slice(0, end);
        const found = ask(cut, whole === P1 || whole === P2 ? WORKING : undefined);
        // The clear data of a track may end anywhere, and so may a response between two objects.
        if (found === ONE || found === TWO) continue;
        expect([2002, 2100, 2102, 2110, 2400, 2601, 2800]).toContain(found);
      }
  });

  it('never gives another card when a digit of its ciphertext is changed', () => {
    for (const whole of [objects, response(objects), JSON.stringify(card())])
      for (let at = 0; at < whole.length; at++) {
        const digit = whole[at] === 'A' ? 'B' : 'A';
        const found = ask(whole.slice(0, at) + digit + whole.slice(at + 1));
        expect(typeof found === 'number' || String(found).includes(PAN)).toBe(true);
      }
  });
});

describe('other terminals', () => {
  const own = readSamples('abecs');
  const foreign = TERMINAL_TYPES.filter((type) => !['abecs', 'phressiapad'].includes(type));

  it.each(foreign)('%s is not taken for abecs', (type) => {
    for (const {request} of readSamples(type)) {
      expect(recognise(request.devicePayload, KNOWN_TERMINALS)).not.toContain('abecs');
      expect([2100, 2101, 2102, 2110]).toContain(ask(request.devicePayload));
    }
  });

  it.each(foreign)('%s does not take what abecs sends', (type) => {
    for (const {request, expect: expected} of own.filter((one) => one.expect.response)) {
      expect(expected.response).toBeDefined();
      expect(recognise(request.devicePayload, KNOWN_TERMINALS)).toEqual(['abecs']);
      const {response} = answer({...request, deviceType: type});
      expect(response).toBeUndefined();
    }
  });
});

describe('every byte has a name', () => {
  it.each(
    readSamples('abecs').filter(
      ({request, expect: {response}}) => response && !/^[\dA-F]+$/.test(request.devicePayload),
    ),
  )('$id', ({request}) => {
    const trace = new Trace();
    readPayload(TERMINALS.abecs, request.devicePayload, trace);
    const letters = (text: string) => text.replaceAll(/[\s{}[\],:"]/g, '').length;
    const named = trace.parts.map(({offset, length}) =>
      request.devicePayload.slice(offset, offset + length),
    );
    expect(letters(named.join(''))).toBe(letters(request.devicePayload));
  });

  it('of objects', () => {
    const hex = '80450008000000000000000080480 00AFFFF9876543210E00041'.replace(' ', '');
    const trace = new Trace();
    readPayload(TERMINALS.abecs, hex, trace);
    expect(trace.parts.map(({name, offset, length}) => [name, offset, length])).toEqual([
      ['PP_TRACK2', 0, 12],
      ['PP_TRK2KSN', 12, 14],
    ]);
  });
});

/** Wrong keys of 20,000 that open a payload. */
function acceptedOf(payload: string, isWorking: boolean): number {
  const ringAt = (index: number) => {
    const hash = createHash('sha256').update(`abecs ${index}`).digest();
    const own = isWorking
      ? {kind: 'working' as const}
      : {kind: 'ik' as const, ksnPrefix: 'FFFF9876543210'};
    return new KeyRing([{...own, secret: new Secret(hash.subarray(0, 16))}], {cache: false});
  };
  const reading = readPayload(TERMINALS.abecs, payload);
  const plan = planDecryption(reading, {deviceType: 'abecs', devicePayload: payload}, ringAt(0));
  return Array.from({length: 20_000}, (_, i) => i).filter((i) => {
    try {
      decrypt(plan, ringAt(i));
      return true;
    } catch (error) {
      if (error instanceof PaylensError && [2601, 2602].includes(error.code)) return false;
      throw error;
    }
  }).length;
}

/** One track and nothing beside it: docs/terminals/abecs.md#proof. */
const ALONE = /^abecs-pan-/;
/** Sixteen digits, of which the last is a check digit; the range may stand in clear. */
const LONE_ODDS = (10 / 16) ** 16 / 10;

describe('20,000 wrong keys', () => {
  const shapes = readSamples('abecs').filter(({expect: {response}}) => response);

  it.each(shapes.filter(({id}) => !ALONE.test(id)))(
    'open nothing of $id',
    ({request, keys}) => {
      expect(acceptedOf(request.devicePayload, keys[0]?.kind === 'working')).toBe(0);
    },
    60_000,
  );

  it.each([
    ['both tracks, blanks in one', `B476${block('1E7390E0101E0010')}^A/B^2512201\n${P2}`],
    ['a masked copy', JSON.stringify({track2: P2, maskedPan: '476173******0010'})],
    ['no method', JSON.stringify({PP_TRACK2: sent(packed(T2)), PP_KSN: KSN})],
  ])(
    'open nothing of %s',
    (_, payload) => {
      expect(acceptedOf(payload, !payload.includes('PP_'))).toBe(0);
    },
    60_000,
  );

  it.each(shapes.filter(({id}) => ALONE.test(id)))(
    'open $id as rarely as its page says',
    ({request}) => {
      const accepted = acceptedOf(request.devicePayload, true);
      expect(accepted).toBeLessThanOrEqual(Math.ceil(4 * 20_000 * LONE_ODDS));
    },
    60_000,
  );
});
