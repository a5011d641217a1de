import {describe, expect, it} from 'vitest';
import {answer} from '../samples.js';
import {encrypt, tlv} from '../terminal.js';

const PAN = '4012888888881881';
const KSN = {C0: '88888833000043E0001C', C3: '88888833000043E0001D', C7: '88888B33000042E00021'};
const LIST = ['57', '5A', '5F20', '5F24', '9F39'];

interface Chip {
  readonly pan?: string;
  readonly tags?: readonly string[];
  readonly entry?: string;
  readonly serial?: string;
}

/** The plaintext of an online message, PKCS#7 not yet added. */
function listOf({pan = PAN, tags = LIST, entry = '07', serial}: Chip): Buffer {
  const values: Readonly<Record<string, string>> = {
    '57': filled(`${pan}D28012011234567`),
    '5A': filled(pan),
    '5F20': Buffer.from('TEST/CARD').toString('hex'),
    '5F24': '280131',
    '9F39': entry,
  };
  const aid = tlv('4F', 'A0000000031010');
  const own = serial === undefined ? [] : [tlv('DF826E', Buffer.from(serial))];
  return Buffer.concat([aid, ...tags.map((tag) => tlv(tag, values[tag] ?? '')), ...own]);
}

function filled(digits: string): string {
  return digits.length % 2 === 0 ? digits : `${digits}F`;
}

function message(tag: 'C2' | 'C5' | 'C6', chip: Chip = {}): Buffer {
  const ksn = tag === 'C2' ? KSN.C0 : KSN.C3;
  return tlv(tag, encrypt(listOf(chip), {ksn, fill: 'pkcs7'}));
}

function track2Equivalent(pan = PAN): Buffer {
  const plain = Buffer.from(filled(`${pan}D28012011234567`), 'hex');
  return tlv('C8', encrypt(plain, {ksn: KSN.C7, fill: 'pkcs7'}));
}

const C0 = tlv('C0', KSN.C0);
const C3 = tlv('C3', KSN.C3);
const C7 = tlv('C7', KSN.C7);
const C4 = tlv('C4', '401288FFFFFF1881');

function ask(parts: readonly Buffer[], more: object = {}) {
  const devicePayload = Buffer.concat(parts).toString('hex').toUpperCase();
  return answer({deviceType: 'wisepad2', devicePayload, ...more});
}

const card = {response: {extracted: {PAN}}};

describe('the online message', () => {
  it('gives its list without PKCS#7, and tag 57 as track 2 equivalent', () => {
    expect(ask([C0, message('C2')])).toMatchObject({
      response: {
        meta: {mode: 'emv', serial: KSN.C0.slice(0, 14)},
        tlv: {decrypted: listOf({}).toString('hex')},
        track2equivalent: {ascii: `${PAN}d28012011234567`},
        extracted: {PAN, EXPY: '0128', Surname: 'TEST', FirstName: 'CARD'},
      },
    });
  });

  it('may be wrapped once in a template', () => {
    expect(ask([tlv('70', Buffer.concat([C0, C4, message('C2')]))])).toMatchObject(card);
  });

  for (const tag of ['C5', 'C6'] as const) {
    it(`is ${tag} under C3 when there is no C2`, () => {
      expect(ask([C3, message(tag)])).toMatchObject(card);
    });
  }

  it('without C8 takes 57 from C2; without 57 takes C8', () => {
    const found = ask([C0, C7, message('C2', {tags: ['5A', '5F24']}), track2Equivalent()]);
    expect(found).toMatchObject({response: {track2equivalent: {ascii: `${PAN}d28012011234567`}}});
  });

  it('may have only C8 and C4', () => {
    expect(ask([C7, C4, track2Equivalent()])).toMatchObject({
      response: {meta: {mode: 'emv', serial: KSN.C7.slice(0, 14)}, extracted: {PAN}},
    });
  });

  for (const entry of ['91', '90', '80']) {
    it(`of entry mode ${entry} is swiped`, () => {
      const found = ask([C0, message('C2', {entry})]);
      expect(found).toMatchObject({response: {meta: {mode: 'swiped'}}});
    });
  }

  it('takes the request KSN in place of a missing C0, though C7 is there', () => {
    const found = ask([C7, message('C2'), track2Equivalent()], {ksn: KSN.C0});
    expect(found).toMatchObject(card);
  });

  it("lets the request name any KSN of the payload, that of the PIN or of C2's place included", () => {
    const parts = [C0, C7, tlv('C1', '88888833000043E00099'), track2Equivalent()];
    for (const ksn of [KSN.C0, KSN.C7, '88888833000043e00099']) {
      expect(ask(parts, {ksn})).toMatchObject(card);
    }
    expect(ask(parts, {ksn: KSN.C3})).toMatchObject({errCode: 2400});
  });

  it('without C0 and without a request KSN is 2400', () => {
    expect(ask([message('C2')])).toMatchObject({errCode: 2400});
  });

  it('ignores the PIN block', () => {
    expect(ask([C0, tlv('99', '0011223344556677'), message('C2')])).toMatchObject(card);
  });

  it('cut inside is 2102', () => {
    const whole = Buffer.concat([C0, message('C2')]);
    expect(ask([whole.subarray(0, whole.length - 3)])).toMatchObject({errCode: 2102});
  });

  it('of no whole blocks is 2102', () => {
    expect(ask([C0, tlv('C2', '00112233445566')])).toMatchObject({errCode: 2102});
  });
});

describe('the serial DF826E', () => {
  it('counts in clear', () => {
    const clear = tlv('DF826E', Buffer.from('WPS001'));
    expect(ask([C0, clear, message('C2')])).toMatchObject({
      response: {meta: {serial: 'WPS001'}},
    });
  });

  it('counts inside the message', () => {
    expect(ask([C0, message('C2', {serial: 'WPS001'})])).toMatchObject({
      response: {meta: {serial: 'WPS001'}},
    });
  });

  it('inside that is not the deviceSerial is 2103', () => {
    const found = ask([C0, message('C2', {serial: 'WPS001'})], {deviceSerial: 'WPS002'});
    expect(found).toMatchObject({errCode: 2103});
  });
});

describe('the card numbers must agree', () => {
  const other = '5555555555554444';

  it('C4 with C2', () => {
    const found = ask([C0, C4, message('C2', {pan: other})]);
    expect(found).toMatchObject({errCode: 2601});
  });

  it('C4 with C8', () => {
    expect(ask([C7, C4, track2Equivalent(other)])).toMatchObject({errCode: 2601});
  });

  it('C2 with C8', () => {
    const found = ask([C0, C7, message('C2'), track2Equivalent(other)]);
    expect(found).toMatchObject({errCode: 2601});
  });

  it('DF03 as C4 does', () => {
    const found = ask([C0, tlv('DF03', '401288FFFFFF1882'), message('C2')]);
    expect(found).toMatchObject({errCode: 2601});
  });

  it('with the filler of an odd C4 skipped', () => {
    const pan = '378282246310005';
    const c4 = tlv('C4', '378282FFFFF0005F');
    expect(ask([C0, c4, message('C2', {pan})])).toMatchObject({response: {extracted: {PAN: pan}}});
  });

  it('with a C4 of 19 digits', () => {
    const pan = '6799998900000074316';
    const payload = [C0, tlv('C4', '679999FFFFFFFFF4316F'), message('C2', {pan})];
    expect(ask(payload)).toMatchObject({response: {extracted: {PAN: pan}}});
    const other = [C0, tlv('C4', '679999FFFFFFFFF4317F'), message('C2', {pan})];
    expect(ask(other)).toMatchObject({errCode: 2601});
  });

  it('with the filler of a C4 of fixed length skipped', () => {
    const pan = '378282246310005';
    const c4 = tlv('C4', '378282FFFFF0005FFFFF');
    expect(ask([C0, c4, message('C2', {pan})])).toMatchObject({response: {extracted: {PAN: pan}}});
  });
});

describe('nothing encrypted', () => {
  for (const [tag, value] of [
    ['57', `${PAN}D28012010`],
    ['5A', PAN],
    ['C4', PAN],
  ] as const) {
    it(`a clear number in ${tag} is 2110`, () => {
      expect(ask([C0, tlv(tag, value)])).toMatchObject({errCode: 2110});
    });
  }

  it('without a card number is 2100', () => {
    expect(ask([C0, C4, tlv('9F02', '000000000100')])).toMatchObject({errCode: 2100});
  });
});
