import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {findTestCard, type TestCard} from '../../src/simulator/test-cards.js';
import {enhanced, keyedOriginal, type TrackSpec, track} from '../engine/devices/idtech-frames.js';
import {simulate} from '../writers.js';

const keys = testKeyRing();
const KSN = 'FFFF9876543210E00123';
const visa = findTestCard('visa') as TestCard;

function made(mode: 'swiped' | 'keyed', options: Readonly<Record<string, string>>, card = visa) {
  return simulate({deviceType: 'idtech', mode, ksn: KSN, card, keys, options});
}

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
      const clear = {exp: visa.expiry, adr: '15', zip: '90210'};
      const options = {form, layout: 'original', street: '15', zip: '90210'};
      expect(made('keyed', options).devicePayload).toBe(keyedOriginal({plain, ...clear, form}));
    });

    it('types what the manual describes: keyed entry in the enhanced layout', () => {
      const text = `;${visa.pan}=${visa.expiry}:${visa.cvv}?`;
      const hidden = `;${visa.pan.slice(0, 4)}********${visa.pan.slice(-4)}`;
      const copy = `${hidden}=${visa.expiry}:***?*`;
      const entry: TrackSpec = track(text, {copy});
      const written = made('keyed', {form, street: '15', zip: '90210', chip: 'off'});
      const expected = enhanced({
        ...{type: 0xc0, tracks: [undefined, entry], additional: '15=90210=', form},
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
    [{zip: '90210'}, {ZIP: '90210'}],
    [
      {street: '15', zip: '90210'},
      {street: '15', ZIP: '90210'},
    ],
    [{street: '15'}, {street: '15'}],
    [{cvv: 'off', zip: '1'}, {ZIP: '1'}],
  ])('with %j says %j', (options, expected) => {
    for (const layout of ['enhanced', 'original']) {
      const {extracted} = processPayload(made('keyed', {...options, layout}), keys);
      const {street, ZIP, CVV} = extracted;
      expect({layout, street, ZIP}).toEqual({layout, ...expected});
      expect(CVV).toBe('cvv' in options ? undefined : visa.cvv);
    }
  });
});

describe('an idtech swipe', () => {
  it('of no track that the card has: 9001', () => {
    const {track3: _, ...card} = visa;
    expect(() => made('swiped', {tracks: '3'}, card)).toThrow(PaylensError);
  });
});
