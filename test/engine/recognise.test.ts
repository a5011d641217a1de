import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS} from '../../src/engine/families/registry.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {recognise, recogniseOne} from '../../src/engine/recognise.js';
import {errorOf} from './error-of.js';
import {readSamples} from './samples.js';

/** Cases whose frame is not intact, or not one that a terminal sends. */
const NOT_INTACT = [
  ...['neg-idtech-lrc', 'neg-idtech-vivo-crc', 'neg-idtech-kb-lowercase'],
  ...['vivotech2-0240-command', 'neg-rba-lrc', 'neg-ra1-cut'],
];

/** Bare tracks of a length that DSpread's have as well (docs/terminals/dspread.md#bbpos-or-dspread). */
const UNDECIDED = new Set([
  ...['wisepad-fid60-t1', 'wisepad-fid60-t1t2-ascii', 'wn-wisepad-swipe-visa'],
  'neg-wisepad-no-ksn',
]);

describe('recognise', () => {
  for (const deviceType of ['idtech', 'generic', 'ingenico-rba', 'ingenico-ra1', 'wisepad']) {
    const intact = readSamples(deviceType).filter(({id}) => !NOT_INTACT.includes(id));
    for (const {id, request} of intact) {
      it(`names ${deviceType} and nothing else for ${id}`, () => {
        const named = UNDECIDED.has(id) ? 'dspread-or-wisepad' : deviceType;
        expect(recognise(request.devicePayload, KNOWN_TERMINALS)).toEqual([named]);
      });
    }
  }

  for (const {id, request} of readSamples('wisepad2')) {
    it(`names wisepad for ${id}, whose form both types have`, () => {
      expect(recognise(request.devicePayload, KNOWN_TERMINALS)).toEqual(['wisepad']);
    });
  }

  it('does not take another terminal with the length of tracks for a wisepad', () => {
    const [frame] = readSamples('miura').filter(({id}) => id === 'pos-miura-link-frame');
    expect(recognise(frame?.request.devicePayload ?? '', KNOWN_TERMINALS)).not.toContain('wisepad');
  });

  for (const payload of ['', 'hello', '\0\0\0', '00'.repeat(100), '4012888888881881']) {
    it(`names nothing for ${JSON.stringify(payload.slice(0, 20))}`, () => {
      expect(recognise(payload, KNOWN_TERMINALS)).toEqual([]);
    });
  }
});

describe('a cut payload', () => {
  const report = readSamples('magtek').find(({id}) => id === 'magtek-hid-report-856');
  const element = readSamples('ifsf').find(({id}) => id === 'ifsf-2009-track2');
  const cases = [
    ...[41, 200, 801, 1600].map((digits) => ['HID report', report, digits, undefined] as const),
    ...[40, 47, 78].map((digits) => ['DE-127', element, digits, 'ifsf'] as const),
  ];

  it.each(cases)('of %s names itself (%#)', (name, sample, digits, deviceType) => {
    const payload = sample?.request.devicePayload.slice(0, digits) ?? '';
    const type = deviceType ?? recogniseOne(payload, KNOWN_TERMINALS);
    const error = errorOf(() => readPayload(KNOWN_TERMINALS.get(type), payload));
    expect([error.code, error.detail.split(':')[0]]).toEqual([2102, name]);
  });
});
