import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {readTlv} from '../../src/engine/tlv/ber.js';
import {findTestCard, type TestCard} from '../../src/simulator/test-cards.js';
import {
  enhanced,
  keyedOriginal,
  type TrackSpec,
  track,
  vivo,
} from '../engine/families/idtech-frames.js';
import {simulate} from '../writers.js';

const keys = testKeyRing();
const KSN = 'FFFF9876543210E00123';
const visa = findTestCard('visa') as TestCard;
const bush = findTestCard('bush') as TestCard;

function made(
  mode: 'swiped' | 'keyed' | 'emv',
  options: Readonly<Record<string, string>>,
  card = visa,
) {
  return simulate({deviceType: 'idtech', mode, ksn: KSN, card, keys, options});
}

describe('a list of tags', () => {
  it.each(['flags', 'twice', 'augusta'])('has every tag once, encrypted ones twice: %s', (how) => {
    const {devicePayload} = made('emv', {message: 'tlv', convention: how});
    const {objects} = readTlv(Buffer.from(devicePayload, 'hex'), {idtechFlags: true});
    const tags = objects.map(({tag, flag = ''}) => tag + flag);
    const twice = tags.filter((tag, i) => tags.indexOf(tag) !== i);
    expect(twice).toEqual(how === 'twice' ? ['57', '5A'] : []);
    expect(tags.length).toBeGreaterThan(20);
  });
});

for (const form of ['hex', 'binary', 'keyboard'] as const) {
  describe(`idtech in its ${form} form`, () => {
    it.each([
      ['swiped', 'enhanced'],
      ['swiped', 'original'],
      ['keyed', 'enhanced'],
      ['keyed', 'original'],
    ] as const)('%s, %s layout, gives the card back', (mode, layout) => {
      const {extracted, meta} = processPayload(made(mode, {form, layout}), keys);
      expect([extracted.PAN, meta.mode]).toEqual([visa.pan, mode]);
    });

    it('types what the manual describes: keyed entry in the original layout', () => {
      const plain = `${visa.pan}=${visa.expiry}=${visa.cvv}`;
      const clear = {exp: visa.expiry, zip: '90210'};
      const options = {form, layout: 'original', zip: '90210'};
      expect(made('keyed', options).devicePayload).toBe(keyedOriginal({plain, ...clear, form}));
    });

    it('types what the manual describes: keyed entry in the enhanced layout', () => {
      const text = `;${visa.pan}=${visa.expiry}:${visa.cvv}?`;
      const hidden = `;${visa.pan.slice(0, 4)}********${visa.pan.slice(-4)}`;
      const copy = `${hidden}=${visa.expiry}:***?*`;
      const entry: TrackSpec = track(text, {copy});
      const written = made('keyed', {form, zip: '90210'});
      const expected = enhanced({
        ...{type: 0xc0, tracks: [undefined, entry], additional: '90210=', form},
      });
      // Behind the track status, which says what was sampled, and in front of the sums over it.
      const unit = form === 'binary' ? 1 : 2;
      const body = (payload: string) => payload.slice(5 * unit, -3 * unit);
      expect(body(written.devicePayload)).toBe(body(expected));
    });
  });
}

describe('idtech keyed entry', () => {
  it.each([
    ['enhanced', '90210'],
    ['original', '90210'],
    ['enhanced', ''],
    ['original', ''],
  ])('in the %s layout contains the CVV and the ZIP "%s"', (layout, zip) => {
    const {extracted} = processPayload(made('keyed', {layout, zip}), keys);
    expect([extracted.ZIP, extracted.CVV]).toEqual([zip || undefined, visa.cvv]);
  });

  it('of a card without a CVV contains none', () => {
    const {cvv: _, ...card} = visa;
    for (const layout of ['enhanced', 'original']) {
      expect(processPayload(made('keyed', {layout}, card), keys).extracted.CVV).toBeUndefined();
    }
  });
});

describe('an idtech swipe', () => {
  it('of track 3 alone in the original layout: 9001', () => {
    const detail = 'option tracks: track 3 is never encrypted; add track 1 or 2';
    expect(() => made('swiped', {layout: 'original', tracks: '3'}, bush)).toThrow(
      expect.objectContaining({code: 9001, detail}),
    );
  });

  it('of no track that the card has: 9001', () => {
    const {track3: _, ...card} = visa;
    const detail = 'option tracks: the card has none of these tracks';
    expect(() => made('swiped', {tracks: '3'}, card)).toThrow(
      expect.objectContaining({code: 9001, detail}),
    );
  });
});

describe('an idtech message', () => {
  const list = (mode: 'swiped' | 'emv', options = {}) =>
    Buffer.from(made(mode, {...options, message: 'tlv'}).devicePayload, 'hex');

  // docs/terminals/idtech.md#encryption-information: bit 1 AES.
  it.each([
    ['swiped', {}, 'C8'],
    ['emv', {}, 'C0'],
    ['emv', {algorithm: 'aes'}, 'C2'],
  ] as const)('ViVOtech2, %s, %j: the list behind %j', (mode, options, lead) => {
    const expected = vivo(list(mode, options), {lead});
    expect(made(mode, {...options, message: 'vivotech2'}).devicePayload).toBe(expected);
  });

  it('is ViVOtech2 for a chip and none for a stripe where nothing is asked for', () => {
    expect(made('emv', {}).devicePayload).toBe(vivo(list('emv'), {lead: 'C0'}));
    expect(made('emv', {message: 'none'}).devicePayload).toBe(vivo(list('emv'), {lead: 'C0'}));
    expect(made('swiped', {}).devicePayload).toMatch(/^02/);
  });

  it('ViVOpayV3: three zeros in front of the list', () => {
    const options = {message: 'vivopayv3'};
    const expected = vivo(list('emv'), {v3: true, lead: '000000'});
    expect(made('emv', options).devicePayload).toBe(expected);
  });

  it('of a chip holds the application, the transaction and the card', () => {
    const read = readTlv(new Uint8Array(list('emv')), {idtechFlags: true});
    const objects = read.objects.filter(({flag}) => flag !== 'masked');
    const tags = objects.map(({tag}) => tag);
    const expected =
      'DFEE25 DFEE12 4F 84 5F20 57 5A 5F24 5F34 82 95 9A 9B 9C 5F2A 9F02 9F03 9F10 9F1A 9F26 ' +
      '9F27 9F33 9F34 9F35 9F36 9F37 9F39 9F41 9F1E 5F2D DFEE26';
    expect(new Set(tags)).toEqual(new Set(expected.split(' ')));
    expect(objects.find(({tag}) => tag === '9F39')?.value).toEqual(Uint8Array.of(5));
  });
});
