import {describe, expect, it} from 'vitest';
import {
  cipherField,
  noCipher,
  readTlvForm,
  tlvForm,
} from '../../../src/engine/forms/tlv/tlv-form.js';
import {flatten, readTlv} from '../../../src/engine/tlv/ber.js';

const FORM = tlvForm(
  'Acme',
  {
    E1: 'data',
    DF01: ['card data, encrypted', 'cipher'],
    DF02: ['KSN', 'ksn'],
    DF03: ['IV', 'iv'],
    DF04: ['PIN block', 'pin'],
    DF05: ['PIN KSN', 'pin-ksn'],
    DF06: ['KSN of the MAC', 'other-ksn'],
    DF07: ['PAN, masked', 'masked'],
    DF08: ['track 2, masked', 'masked-text'],
    DF09: ['track 2', 'card'],
    DF0A: ['serial number', 'serial'],
    DF0B: ['MAC', 'opaque'],
  },
  {several: ['iv'], once: ['E1']},
);

function objectsOfHex(hex: string) {
  return readTlv(new Uint8Array(Buffer.from(hex, 'hex'))).objects;
}

function codeOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as {code?: unknown}).code;
  }
}

describe('a declared form', () => {
  it('gives the names and masks of inspect', () => {
    expect(FORM.names).toMatchObject({E1: 'data', DF01: 'card data, encrypted', DF0B: 'MAC'});
    expect(FORM.notes.kinds).toEqual({
      ksn: new Set(['DF02', 'DF05', 'DF06']),
      serial: new Set(['DF0A']),
      opaque: new Set(['DF01', 'DF03', 'DF04', 'DF0B']),
    });
    expect(FORM.notes.cardTags).toEqual(new Set(['DF09']));
  });

  it('gives the tags that one read has once', () => {
    const own = [...FORM.once].filter((tag) => FORM.names[tag] !== undefined).toSorted();
    expect(own).toEqual(['DF01', 'DF02', 'DF07', 'DF08', 'DF0A', 'E1']);
    expect(['5F20', '5F24', '5F30', '9F39'].every((tag) => FORM.once.has(tag))).toBe(true);
  });

  it('gives KSNs, PIN blocks, masked copies and clear members of a list', () => {
    const list =
      'E127' +
      'DF0203AABBCC' +
      'DF0408A1B2C3D4E5F6A7B8' +
      'DF0503112233' +
      'DF0707476173FFFF0010' +
      '5F2403281231';
    const {all, extras} = readTlvForm(FORM, objectsOfHex(list));
    expect(all.map(({tag}) => tag)).toEqual([...['E1', 'DF02', 'DF04', 'DF05', 'DF07', '5F24']]);
    expect(extras.ksns).toEqual(['AABBCC', '112233']);
    expect(extras.pins).toMatchObject([{name: 'tag DF04', ksn: '112233', offset: 11}]);
    expect(extras.masked).toEqual([{name: 'tag DF07', pan: '476173****0010'}]);
    expect(extras.clear).toMatchObject({expiry: '2812'});
  });

  it.each([
    ['another KSN', 'DF0201AADF0201BB', 2100],
    ['the same KSN again', 'DF0201AADF0201AA', undefined],
    ['another IV, of which there may be several', 'DF0301AADF0301BB', undefined],
    ['another expiry', '5F24032812315F2403281230', 2100],
  ])('with %s: %s', (_, list, code) => {
    expect(codeOf(() => readTlvForm(FORM, objectsOfHex(list)))).toBe(code);
  });
});

describe('the field of a ciphertext', () => {
  const [object, ksn, iv] = objectsOfHex('DF01080011223344556677DF0201AADF0301BB');
  const proof = {copies: [], missing: 'A masked copy'};

  it('has its place, KSN and IV', () => {
    if (!object) throw new Error('no object');
    const field = cipherField({object, ksn, iv}, () => ({}), proof);
    expect(field).toMatchObject({name: 'tag DF01', offset: 3, ksn: 'AA', iv: 'BB'});
    expect(cipherField({object}, () => ({}), proof)).not.toHaveProperty('ksn');
  });

  it('without enough evidence is 2601, cut is 2102', () => {
    if (!object || !ksn) throw new Error('no object');
    const field = cipherField({object}, () => ({pan: '4761739001010010'}), proof);
    expect(codeOf(() => field.open(new Uint8Array(8)))).toBe(2601);
    expect(codeOf(() => cipherField({object: ksn}, () => ({}), proof))).toBe(2102);
  });
});

describe('a list without ciphertext', () => {
  it('with a clear card number is refused by 2110, else by 2100', () => {
    const clear = flatten(objectsOfHex('DF09143B343736313733393030313031303031303D3238'));
    expect(noCipher(FORM, clear)).toMatchObject({code: 2110});
    expect(codeOf(() => noCipher(FORM, flatten(objectsOfHex('DF0B0100'))))).toBe(2100);
  });
});
