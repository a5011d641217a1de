import {describe, expect, it} from 'vitest';
import {bytesOf, type Encryption, encrypt, lrcOf} from '../engine/terminal.js';
import {IS_LONG} from '../long.js';
import {type CaseJson, diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw, packNibbles, packSixBit} from './draw.js';

/**
 * Tracks that were enciphered in one run, in every packing, under every variant, in CBC and ECB: no
 * format tells where one ends, and cutting them by length must not be the answer.
 */
const SEED = process.env.PAYLENS_SEED ?? '1';
const draw = new Draw(`${SEED} joined tracks`);

/** Verdicts that speak of a cut that was never made. */
const WRONG = ['masked-copy-differs', 'iv-missing', 'wrong-slice', 'chain-restart', 'data-damaged'];

const PACKINGS: Readonly<Record<string, () => Buffer>> = {
  'in characters': () => bytesOf(tracks().join('')),
  'in characters with LRCs': () => bytesOf(tracks().map(withLrc).join('')),
  'in characters, each filled up': () => Buffer.concat(tracks().map((one) => whole(bytesOf(one)))),
  'in characters without sentinels': () =>
    Buffer.concat(tracks().map((one) => whole(bytesOf(one.slice(1, -1))))),
  packed: () => Buffer.concat(packed()),
  'packed, each filled up': () => Buffer.concat(packed().map(whole)),
  'of which the second is packed': () => {
    const [first, second] = tracks();
    return Buffer.concat([whole(bytesOf(withLrc(first))), packNibbles(withLrc(second))]);
  },
  'of which the second is a track 2 equivalent': () => {
    const [first, second] = tracks();
    const digits = `${second.slice(1, -1).replace('=', 'D')}FF`.slice(0, 32);
    return Buffer.concat([whole(bytesOf(first)), Buffer.from(digits, 'hex')]);
  },
  'of which there are three': () => bytesOf(`${tracks().join('')};${draw.digits(30)}?`),
  'of which there are three, packed': () => {
    const third = packNibbles(withLrc(`;${draw.digits(40)}?`));
    return Buffer.concat([...packed(), third].map(whole));
  },
};

const SETTINGS: readonly Partial<Encryption>[] = [
  {variant: 'data', selfEncrypted: true},
  {variant: 'data', selfEncrypted: false},
  {variant: 'pin'},
  {variant: 'none'},
  {variant: 'data-response', selfEncrypted: true},
  {variant: 'data', algorithm: 'aes'},
];

const FORMS = [
  (hex: string, ksn: string) => ({ciphertexts: [{hex}], ksn}),
  (hex: string, ksn: string) => ({payload: hex, ksn}),
];
const MODES = ['cbc', 'ecb'] as const;

/** Every setting, mode and form of a packing in a long run; else every pair of two of the four. */
const CASES = Object.entries(PACKINGS).map(([name, make], i) => {
  const crossed = SETTINGS.flatMap((setting, j) =>
    MODES.flatMap((mode, m) => FORMS.map((form, f) => ({setting, mode, form, at: [j, m, f]}))),
  );
  const pairs = crossed.filter(
    ({at: [j = 0, m, f]}) => (i + j) % 2 === m && (i + (j >> 1)) % 2 === f,
  );
  return [name, IS_LONG ? crossed : pairs, make] as const;
});

describe(`two tracks in one run, seed ${SEED}`, () => {
  it.each(CASES)('%s, are read as one', async (_, cases, make) => {
    for (const {setting, mode, form} of cases) {
      const plain = make();
      const ksn = draw.ksn();
      const hex = encrypt(plain, {ksn, mode, ...setting}).toString('hex');
      await expectWhole(form(hex, ksn), plain);
    }
  });

  it('whose run the reader of a frame takes for one each are read as one', async () => {
    for (const make of Object.values(PACKINGS)) {
      const plain = make();
      const ksn = draw.ksn();
      const run = encrypt(plain, {ksn});
      const at = 8 * Math.ceil(run.length / 16);
      const [track1, track2] = [run.subarray(0, at), run.subarray(at)].map((part) =>
        part.toString('hex'),
      );
      const payload = JSON.stringify({ksn, track1, track2});
      const given = {payload: JSON.stringify({deviceType: 'generic', devicePayload: payload})};
      const found = await diagnoseJson(JSON.parse(given.payload) as CaseJson);
      expect(labelsOf(found)).toContain('chain-runs-on');
      await expectWhole(JSON.parse(given.payload) as CaseJson, plain);
    }
  });

  it('that were cut anywhere, inside a byte too, are put together', async () => {
    for (const cut of [1, 7, 16, 33, 48, 77]) {
      const plain = bytesOf(tracks().join(''));
      const ksn = draw.ksn();
      const hex = encrypt(plain, {ksn}).toString('hex');
      const ciphertexts = [
        {name: 'track 1', hex: hex.slice(0, cut + 16)},
        {name: 'track 2', hex: hex.slice(cut + 16)},
      ];
      await expectWhole({ciphertexts, ksn}, plain);
    }
  });

  it('whose fields a member of JSON tears are put together, without a masked copy', async () => {
    for (const mode of ['cbc', 'ecb'] as const) {
      for (const cut of [40, 48, 56, 64]) {
        const plain = bytesOf(tracks().join(''));
        const ksn = draw.ksn();
        const hex = encrypt(plain, {ksn, mode}).toString('hex');
        const members = {ksn, track1: hex.slice(0, 2 * cut), track2: hex.slice(2 * cut)};
        await expectWhole({payload: JSON.stringify(members)}, plain);
      }
    }
  });

  it('of which each has its own field but the other name have no masked copy', async () => {
    const ksn = draw.ksn();
    const [track2, track1] = tracks().map((one) => encrypt(one, {ksn}).toString('hex'));
    const found = await diagnoseJson({payload: JSON.stringify({ksn, track1, track2})});
    expect(found.plaintexts).toHaveLength(2);
    expect(labelsOf(found)).not.toContain('masked-copy-differs');
  });

  it('in a chain each stay two', async () => {
    const ksn = draw.ksn();
    const ciphertexts = tracks().map((one, i) => ({
      name: `track ${i + 1}`,
      hex: encrypt(one, {ksn}).toString('hex'),
    }));
    const found = await diagnoseJson({ciphertexts, ksn});
    expect(found.plaintexts.map(({name}) => name)).toEqual(['track 1', 'track 2']);
    expect(labelsOf(found)).not.toContain('chain-runs-on');
  });
});

async function expectWhole(given: CaseJson, plain: Buffer): Promise<void> {
  const found = await diagnoseJson(given, {usualOnly: true});
  const hex = found.plaintexts.map((one) => one.hex).join('');
  const wrong = labelsOf(found).filter((label) => WRONG.includes(label));
  expect({hex, wrong, given}).toEqual({
    hex: expect.stringMatching(new RegExp(`^${plain.toString('hex')}(?:00)*$`)),
    wrong: [],
    given,
  });
}

/** Tracks 1 and 2 of one card. */
function tracks(): readonly [string, string] {
  const [pan, expiry] = [draw.pan(), draw.expiry()];
  const first = `%B${pan}^${draw.of(['DOE/JANE', 'MUSTERMANN/ERIKA'])}^${expiry}201${draw.digits(12)}?`;
  return [first, `;${pan}=${expiry}201${draw.digits(8)}?`];
}

function withLrc(text: string): string {
  return text + lrcOf(text);
}

function packed(): Buffer[] {
  const [first, second] = tracks();
  return [packSixBit(withLrc(first)), packNibbles(withLrc(second))];
}

/** Filled up with zeros to whole blocks of TDES. */
function whole(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
}
