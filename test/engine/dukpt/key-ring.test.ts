import {inspect} from 'node:util';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {KeyRing, type RingKey, testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {errorOf} from '../error-of.js';
import {fromHex, toHex} from '../hex.js';

const BDK = '0123456789ABCDEFFEDCBA9876543210';
const IK = '6AC292FAA1315B4D858AB3A3D7D5933A';

type Extras = Partial<Omit<RingKey, 'secret'>>;

function key(hex: string, extras: Extras = {}): RingKey {
  return {kind: 'bdk', secret: new Secret(fromHex(hex)), ...extras};
}

function named(name: string, extras: Extras = {}): RingKey {
  return key(BDK, {name, ...extras});
}

function found(keys: readonly RingKey[], ksn: string): string | undefined {
  return new KeyRing(keys).find(parseKsn(ksn))?.name;
}

function dataKey(ring: KeyRing, ksn: string): string {
  return toHex(ring.transaction(parseKsn(ksn)).workingKey('data', true));
}

describe('KeyRing.find', () => {
  const ksn = 'FFFF9876543210E00008';

  it('takes the longest matching prefix, whatever the order', () => {
    const keys = ['FFFF', 'FFFF987654', 'FFFF98'].map((ksnPrefix) => named(ksnPrefix, {ksnPrefix}));
    expect([found(keys, ksn), found(keys.toReversed(), ksn)]).toEqual(['FFFF987654', 'FFFF987654']);
  });

  it('takes a BDK without a prefix only where no other matches', () => {
    const keys = [named('any'), named('set', {ksnPrefix: 'FFFF987654'})];
    expect([found(keys, ksn), found(keys, '62994901190000000003')]).toEqual(['set', 'any']);
  });

  it('prefers an initial key to the BDK of its key set', () => {
    const keys = [
      named('bdk', {ksnPrefix: 'FFFF987654'}),
      key(IK, {name: 'ik', kind: 'ik', ksnPrefix: 'FFFF9876543210'}),
    ];
    expect(found(keys, ksn)).toBe('ik');
  });

  it.each([
    ['FF', ksn],
    ['ffff987654', ksn],
    ['FFFF9876543210E', ksn],
    ['FFFF9876543210F', ksn],
    ['FFFF9876543210FF', ksn],
    ['1234567890123456', '123456789012345600000001'],
  ])('a BDK for %s serves %s', (ksnPrefix, text) => {
    expect(found([named('it', {ksnPrefix})], text)).toBe('it');
  });

  it.each([
    ['FFFE', ksn],
    ['9876543210', ksn],
    ['FFFF9876543210C', ksn],
    ['1234567890123457', '123456789012345600000001'],
  ])('a BDK for %s does not serve %s', (ksnPrefix, text) => {
    expect(found([named('it', {ksnPrefix})], text)).toBeUndefined();
  });

  it.each([
    'FFFF9876543210',
    'FFFF9876543210E',
    'FFFF9876543210E0',
    'FFFF9876543210E00000',
    'FFFF9876543210FFF800',
  ])('an initial key for %s serves the device', (ksnPrefix) => {
    expect(found([key(IK, {name: 'it', kind: 'ik', ksnPrefix})], ksn)).toBe('it');
  });

  it('an initial key does not serve the next device', () => {
    const ik = key(IK, {kind: 'ik', ksnPrefix: 'FFFF9876543210E00000'});
    expect(new KeyRing([ik]).find(parseKsn('FFFF9876543212000001'))).toBeUndefined();
  });

  it.each([
    ['tdes', 'FFFF9876543210E00008', 'it'],
    ['tdes', '123456789012345600000001', undefined],
    ['aes', 'FFFF9876543210E00008', undefined],
    ['aes', '123456789012345600000001', 'it'],
    [undefined, 'FFFF9876543210E00008', 'it'],
    [undefined, '123456789012345600000001', 'it'],
  ] as const)('a key of algorithm %s, KSN %s: %s', (algorithm, text, name) => {
    expect(found([named('it', algorithm ? {algorithm} : {})], text)).toBe(name);
  });

  it.each([24, 32])('a key of %i bytes without an algorithm serves AES only', (length) => {
    const ring = new KeyRing([key('A5'.repeat(length), {name: 'it'})]);
    const names = [ksn, '123456789012345600000001'].map((text) => ring.find(parseKsn(text))?.name);
    expect(names).toEqual([undefined, 'it']);
  });

  it('an AES key with compatibility serves KSNs of 10 bytes too', () => {
    expect(found([named('it', {algorithm: 'aes', compatibility: true})], ksn)).toBe('it');
  });
});

describe('KeyRing.transaction', () => {
  it.each([
    ['FFFF9876543211000620', 'AC2B83C506DEC9D5E27D51E1D70559E7'],
    ['62994901190000000002', '1A994C3E09D9ACEF3EA9BD4381EFA334'],
    ['62994901190000000003', '895250336175515C4120CF45F41ABF1C'],
    ['02820620140175E0001D', 'EB53CF69E50DF8FC28DAF6A746E18906'],
    ['FFFF987654325800004A', '8AD252333091E76E3CD6983796EE82A5'],
  ])('the data key of %s under the test BDK is %s', (ksn, expected) => {
    expect(dataKey(testKeyRing(), ksn)).toBe(expected);
  });

  it('refuses a KSN without a key with 2600, naming the key set', () => {
    const ring = new KeyRing([named('a secret name', {ksnPrefix: '6299'})]);
    const {code, message} = errorOf(() => ring.transaction(parseKsn('FFFF9876543210E00008')));
    expect([code, message]).toEqual([2600, 'No key for this KSN: key set FFFF987654']);
  });

  it.each(['FFFF9876543210E00008', 'FFFF98765432100000000001'])(
    'for %s says of a prefix of any length of another device that no key is for it',
    (digits) => {
      // The last digit of eight bytes may belong to the counter.
      for (let size = 2; size < 16; size++)
        for (const algorithm of ['tdes', 'aes'] as const) {
          const other = (Number.parseInt(digits.charAt(size - 1), 16) ^ 8).toString(16);
          const ksnPrefix = digits.slice(0, size - 1) + other.toUpperCase();
          const ring = new KeyRing([named('a secret name', {ksnPrefix, algorithm})]);
          const {code, message} = errorOf(() => ring.transaction(parseKsn(digits)));
          expect([code, message]).toEqual([
            2600,
            `No key for this KSN: key set ${digits.slice(0, 10)}`,
          ]);
        }
    },
  );

  it.each([
    ['FFFF9876543210E00008', 'tdes', 16],
    ['FFFF9876543210E00008', 'aes', 16, 'a TDES', 'an AES'],
    ['FFFF9876543210E00008', undefined, 24, 'a TDES', 'an AES'],
    ['FFFF9876543210E00008', undefined, 32, 'a TDES', 'an AES'],
    ['FFFF98765432100000000001', undefined, 32],
    ['FFFF98765432100000000001', 'tdes', 16, 'an AES', 'a TDES'],
  ] as const)(
    'for %s says that a key of %s with %s bytes is of the other algorithm',
    (...given) => {
      const [digits, algorithm, length, wanted, found] = given;
      // Of every length up to the whole device.
      for (let size = 0; size <= 16; size++) {
        const prefix = size > 1 && {ksnPrefix: parseKsn(digits).initial.slice(0, size)};
        const secret = new Secret(new Uint8Array(length).fill(0x5e));
        const ring = new KeyRing([
          {name: 'a secret name', kind: 'bdk', secret, ...prefix, ...(algorithm && {algorithm})},
        ]);
        const open = () => ring.transaction(parseKsn(digits));
        if (wanted === undefined) expect(open).not.toThrow();
        else {
          const why = `expected ${wanted} key for a KSN of ${digits.length / 2} bytes`;
          const instead = `found ${found} key of ${length} bytes`;
          const detail = `key set ${digits.slice(0, 10)}: ${why}, ${instead}`;
          expect(errorOf(open)).toMatchObject({code: 2600, detail});
        }
      }
    },
  );

  it('keeps TDES and AES devices apart whose KSNs begin with the same eight bytes', () => {
    // AES-256, whose kept keys are twice as long as those of TDES.
    const bdks = ['0123456789ABCDEFFEDCBA9876543210', 'FEDCBA9876543210F1F1F1F1F1F1F1F1'.repeat(2)];
    const ringOf = (cache: boolean) => {
      const keys = bdks.map((bdk, i): RingKey => {
        const secret = new Secret(fromHex(bdk));
        return {kind: 'bdk', algorithm: i === 0 ? 'tdes' : 'aes', secret};
      });
      return new KeyRing(keys, {cache});
    };
    const [cached, cold] = [ringOf(true), ringOf(false)];
    const keyOf = (ring: KeyRing, ksn: string) => {
      const key = ring.transaction(parseKsn(ksn)).reveal();
      return Buffer.from(key).toString('hex');
    };
    const heads = Array.from(
      {length: 32},
      (_, i) => `FFFF98765432${(i * 32 + 0x1000).toString(16)}`,
    );
    for (const head of heads.map((one) => one.toUpperCase())) {
      const ksns = [`${head}0009`, `${head}00000009`, `${head}0308`, `${head}00800308`];
      const [found, expected] = [cached, cold].map((ring) => ksns.map((ksn) => keyOf(ring, ksn)));
      expect({head, keys: found}).toEqual({head, keys: expected});
    }
  });

  it('gives the same keys with the register cache and without, for any counters', () => {
    const counter = fc.integer({min: 1, max: 0x1fffff});
    const device = fc.constantFrom('FFFF9876543210', 'FFFF9876543211');
    const bits = fc.constantFrom(0, 2, 4);
    const use = fc.tuple(device, bits, counter);
    fc.assert(
      fc.property(fc.array(use, {minLength: 1, maxLength: 30}), (uses) => {
        const [cached, cold] = [testKeyRing(), testKeyRing({cache: false})];
        for (const [digits, upper, count] of uses) {
          const text = digits + (upper * 0x100000 + count).toString(16).padStart(6, '0');
          const ksn = parseKsn(text, {anyCounter: true});
          const [one, two] = [cached, cold].map((r) =>
            r.transaction(ksn).workingKey('none', false),
          );
          expect(one).toEqual(two);
        }
      }),
    );
  });

  it('never adjusts parity: an initial key with other parity bits gives other keys', () => {
    const [plain, adjusted] = [IK, '6BC292FBA1315B4C858AB3A2D6D5923B'].map((hex) => {
      const ring = new KeyRing([key(hex, {kind: 'ik', ksnPrefix: 'FFFF9876543210E0'})]);
      return toHex(ring.transaction(parseKsn('FFFF9876543210E00001')).workingKey('none', false));
    });
    expect([plain?.slice(0, 8), adjusted?.slice(0, 8)]).toEqual(['042666B4', '60AD3FF3']);
  });

  it('gives working keys memory of their own', () => {
    const working = testKeyRing()
      .transaction(parseKsn('FFFF9876543210E00001'))
      .workingKey('pin', false);
    expect(working.buffer.byteLength).toBe(16);
  });
});

describe('KeyRing.initialKey', () => {
  it('is the IK of the X9.24 example, from the BDK', () => {
    expect(toHex(testKeyRing().initialKey(parseKsn('FFFF9876543210E00008')))).toBe(IK);
  });

  it('is the key itself where the ring holds an initial key', () => {
    const ring = new KeyRing([key(IK, {kind: 'ik', ksnPrefix: 'FFFF9876543210E0'})]);
    expect(toHex(ring.initialKey(parseKsn('FFFF9876543210E00008')))).toBe(IK);
  });
});

describe('KeyRing.wipe', () => {
  it('zeroes the keys', () => {
    const secret = new Secret(fromHex(BDK));
    const ring = new KeyRing([{kind: 'bdk', secret}]);
    ring.wipe();
    expect(secret.reveal().every((byte) => byte === 0)).toBe(true);
  });

  it('leaves a ring that serves no KSN', () => {
    const ring = testKeyRing();
    ring.wipe();
    expect(ring.find(parseKsn('FFFF9876543210E00008'))).toBeUndefined();
  });
});

describe('a key that cannot be used', () => {
  it.each([
    [{name: 'k', algorithm: 'tdes'}, 24, 'k: expected 16 bytes, found 24'],
    [{name: 'k'}, 8, 'k: expected 16, 24 or 32 bytes, found 8'],
    [{kind: 'bdk'}, 17, 'BDK: expected 16, 24 or 32 bytes, found 17'],
    [{kind: 'ik'}, 16, 'IK: an IK requires a KSN prefix of 14 to 16, 20 or 24 digits'],
    [{ksnPrefix: 'F'}, 16, 'BDK: KSN prefix: expected 2 to 16 hex digits, found 1'],
    [{ksnPrefix: 'F'.repeat(17)}, 16, 'BDK: KSN prefix: expected 2 to 16 hex digits, found 17'],
    [{ksnPrefix: 'FFXX'}, 16, 'BDK: KSN prefix: expected hex digits'],
    [
      {kind: 'ik', ksnPrefix: 'F'.repeat(13)},
      16,
      'IK: KSN prefix: expected 14 to 16, 20 or 24 hex digits, found 13',
    ],
    [
      {algorithm: 'tdes', compatibility: true},
      16,
      'BDK: compatibility: expected an AES key, found a TDES key',
    ],
  ] as const)('%j of %i bytes: 9015, %s', (extras, length, detail) => {
    const error = errorOf(() => new KeyRing([key('A5'.repeat(length), extras)]));
    expect([error.code, error.detail]).toEqual([9015, detail]);
  });
});

describe('what prints of a ring and its keys', () => {
  const ring = testKeyRing();
  const transaction = ring.transaction(parseKsn('FFFF9876543210E00008'));

  it.each([
    ['ring', ring],
    ['transaction key', transaction],
    ['found key', ring.find(parseKsn('FFFF9876543210E00008'))],
  ])('%s: no key bytes, neither as hex nor as numbers', (_name, thing) => {
    const printed = `${inspect(thing, {depth: 9, showHidden: true})} ${JSON.stringify(thing)}`;
    expect(printed).not.toMatch(/01234567|0x01|19088743|FEDCBA98|254, 220|Array\(|Array \[/);
  });
});
