import {format, inspect} from 'node:util';
import {deserialize, serialize} from 'node:v8';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {Secret} from '../../src/contract/secret.js';
import {KeyRing} from '../../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../../src/engine/dukpt/ksn.js';
import {keyEntryFrom} from '../../src/keyfile/keys/key-entry.js';
import {partnersFrom} from '../../src/keyfile/partner-entry.js';
import {testPartner} from '../auth/auth-fixture.js';

const HEX = 'C0FFEE0123456789ABCDEF9876543210';
const TEXT = 'a partner key that nobody may see';

/** Everything that makes text of a value, on purpose or by accident. */
const WAYS: Readonly<Record<string, (value: object) => string>> = {
  String: (value) => String(value),
  'a template': (value) => `${value}`,
  'JSON.stringify': (value) => JSON.stringify({value, list: [value]}),
  'util.inspect': (value) => inspect({value}),
  'util.inspect of all that is hidden': (value) =>
    inspect({value}, {depth: 20, showHidden: true, getters: true, customInspect: false}),
  'util.format': (value) => format('%s %o %O %j', value, value, value, value),
  'its members': (value) => inspect(Object.entries(Object.getOwnPropertyDescriptors(value))),
  'the cause of an error': (value) => inspect(new PaylensError(1, '', {cause: value})),
  'a message of an error': (value) => inspect(new Error(String(value))),
  'a map and a set': (value) => inspect(new Map([[value, new Set([value])]]), {depth: 20}),
};

const HOLDERS: Readonly<Record<string, () => object>> = {
  'a Secret': () => new Secret(Buffer.from(HEX, 'hex')),
  'a key of the keyfile': () => keyEntryFrom({kind: 'bdk', hex: HEX}, 'keys[0]'),
  'a partner of the keyfile': () => ({
    ...partnersFrom([{partnerId: 'A', partnerKey: TEXT, sharedKey: TEXT}])[0],
  }),
  'a partner that is ready': () => {
    const secret = new Secret(Buffer.from(TEXT));
    return testPartner({partnerKey: secret, sharedKey: secret});
  },
  'a key ring in use': () => {
    const ring = new KeyRing([{kind: 'bdk', secret: new Secret(Buffer.from(HEX, 'hex'))}]);
    ring.transaction(parseKsn('FFFF9876543210E00001'));
    return ring;
  },
};

describe.each(Object.entries(HOLDERS))('%s', (_, make) => {
  it.each(Object.entries(WAYS))('shows no key by %s', (_name, show) => {
    expect(formsIn(show(make()))).toEqual([]);
  });
});

describe('a partner that is ready', () => {
  it('shares no memory with other buffers, which may hold keys', () => {
    const secret = new Secret(Buffer.from(TEXT));
    const {keyHash, rsaKey} = testPartner({partnerKey: secret, sharedKey: secret});
    for (const bytes of [keyHash, rsaKey?.modulus]) {
      expect(bytes?.buffer.byteLength).toBe(bytes?.length);
      expect(bytes?.length).toBeGreaterThan(0);
    }
  });
});

describe('a Secret', () => {
  const secret = () => new Secret(Buffer.from(HEX, 'hex'));

  it('is [secret] wherever it is written', () => {
    expect([`${secret()}`, JSON.stringify(secret()), inspect(secret())]).toEqual([
      '[secret]',
      '"[secret]"',
      '[secret]',
    ]);
  });

  it.each<[string, (value: object) => unknown]>([
    ['structuredClone', (value) => structuredClone(value)],
    ['v8.serialize', (value) => deserialize(serialize(value))],
    ['Object.assign', (value) => Object.assign({}, value)],
    ['a spread', (value) => ({...value})],
  ])('is not in what %s makes of it', (_, copy) => {
    const copied = copy(secret());
    expect(formsIn(inspect(copied, {showHidden: true, depth: 20}))).toEqual([]);
    expect(copied).toEqual({});
  });

  it('holds bytes of its own', () => {
    const given = Buffer.from(HEX, 'hex');
    const held = new Secret(given);
    given.fill(0);
    expect(Buffer.from(held.reveal()).toString('hex')).toBe(HEX.toLowerCase());
    expect(held.reveal().buffer.byteLength).toBe(16);
  });

  it.each([HEX, HEX.toLowerCase()])('is read from the hex %s', (hex) => {
    const read = Secret.fromHex(hex)?.reveal() ?? [];
    expect(Buffer.from(read)).toEqual(Buffer.from(HEX, 'hex'));
  });

  it.each(['', 'A', 'ABC', 'AG', 'xAB', 'ABx', ' AB', 'AB\n'])('is not read from %j', (hex) => {
    expect(Secret.fromHex(hex)).toBeUndefined();
  });

  it.each([
    ['the same bytes', HEX, true],
    ['other bytes of the same length', HEX.replace('C0', 'C1'), false],
    ['fewer bytes', HEX.slice(2), false],
    ['more bytes', `${HEX}00`, false],
  ])('compared with %s: %s', (_, hex, expected) => {
    expect(secret().equals(new Secret(Buffer.from(hex, 'hex')))).toBe(expected);
  });

  it('knows its length', () => {
    expect(secret().length).toBe(16);
  });

  it('is zeros once it is wiped', () => {
    const held = secret();
    held.wipe();
    expect([...held.reveal()]).toEqual(Array(16).fill(0));
  });
});

it('the test finds a key in each of its forms', () => {
  const bytes = Buffer.from(HEX, 'hex');
  const shown = [HEX, bytes, new Uint8Array(bytes), bytes.toString('base64'), [...bytes]];
  for (const value of shown) expect(formsIn(inspect(value))).not.toEqual([]);
});

/** The forms of the keys that stand in a text: text, hex, base64, lists of bytes or of words. */
function formsIn(text: string): string[] {
  const dense = text.replaceAll(/\s/g, '').toLowerCase();
  return [Buffer.from(HEX, 'hex'), Buffer.from(TEXT)]
    .flatMap((bytes) => [
      bytes.toString('latin1').replaceAll(/\s/g, ''),
      bytes.toString('hex'),
      bytes.toString('base64').replace(/.=*$/, ''),
      bytes.subarray(0, 8).join(),
      [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
      `${bytes.readInt32BE(0)},${bytes.readInt32BE(4)}`,
    ])
    .filter((form) => dense.includes(form.toLowerCase()));
}
