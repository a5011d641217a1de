import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {TERMINALS} from '../../../src/engine/families/registry.js';
import {nameUnread} from '../../../src/engine/inspection/name-unread.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {Trace} from '../../../src/engine/trace.js';
import {readSamples, type Sample} from '../samples.js';

const TYPES = [
  ...['generic', 'idtech', 'ingenico-ra1', 'ingenico-rba', 'miura'],
  ...['phressiapad', 'prima', 'verifone', 'wisepad', 'wisepad2'],
];

describe('nameUnread names every byte of', () => {
  for (const sample of TYPES.flatMap(readSamples)) {
    it(`${sample.id}, whole and cut at every length`, () => {
      const {devicePayload} = sample.request;
      const payloads = [
        ...Array.from(devicePayload, (_, i) => devicePayload.slice(0, i)).slice(1),
        devicePayload,
      ];
      expect(payloads.filter((payload) => unnamed(sample, payload) !== '')).toEqual([]);
    });
  }
});

describe('nameUnread says not read of', () => {
  it.each([
    ['all, when the form is none of the terminal', 'phressiapad', 'hello pad', [0, 9]],
    ['all, in bytes of hex digits', 'miura', 'E1819', [0, 3]],
    ['what follows the parts that were read', 'ingenico-ra1', '00003A22', [3, 1]],
    ['what stands between two control characters', 'verifone', '\x02E070\x1c02\x03!', [1, 7]],
  ] as const)('%s', (_, deviceType, payload, [offset, length]) => {
    const {parts} = inspected(deviceType, payload);
    expect(parts.find(({name}) => name === 'not read')).toEqual({
      offset,
      length,
      depth: 0,
      name: 'not read',
      value: '',
    });
  });

  it('a text in characters', () => {
    expect(inspected('phressiapad', 'hello pad').unit).toBe('character');
  });

  it.each([
    '{"ksn": "FFFF9876543210E00001", "data": ""}',
    'ksn=FFFF9876543210E00001 | iv=0000000000000000|data=0011223344556677',
  ])('nothing between the members of %s', (payload) => {
    const {parts} = inspected('generic', payload);
    expect(parts.map(({name}) => name)).not.toContain('not read');
  });
});

function inspected(deviceType: Sample['request']['deviceType'], payload: string) {
  const trace = new Trace();
  try {
    readPayload(TERMINALS[deviceType], payload, trace);
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
  }
  return nameUnread(trace, payload);
}

/** What of `payload` no part covers, or that parts overlap; the punctuation of a text is left out. */
function unnamed({request}: Sample, payload: string): string {
  const {parts, unit} = inspected(request.deviceType, payload);
  const hex = unit === 'byte' && /^[0-9a-f\s]*$/i.test(payload);
  const units = hex ? payload.replaceAll(/\s/g, '').match(/..?/g) : [...payload];
  const rest: (string | undefined)[] = units ?? [];
  for (const {offset, length} of parts) {
    for (let at = offset; at < offset + length; at++) {
      if (rest[at] === undefined) return `${at} is named twice, or is behind the end`;
      rest[at] = undefined;
    }
  }
  const left = rest.filter((one) => one !== undefined).join('');
  return unit === 'character' && parts.length > 0 ? left.replaceAll(/[\s{}[\]",:;=&]/g, '') : left;
}
