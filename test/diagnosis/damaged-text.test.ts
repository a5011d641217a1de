import {describe, expect, it} from 'vitest';
import {isCase, parseCase} from '../../src/input/case.js';
import {readPaste} from '../../src/input/paste/read-paste.js';
import {answer} from '../engine/samples.js';
import {type Payload, SAMPLE_PAYLOADS, simulatedPayloads} from '../payloads.js';
import {diagnoseJson, labelsOf, mistakesOf} from './diagnosing.js';

const payloadOf = ({request}: Payload) => request.devicePayload;
const simulated = simulatedPayloads().filter(({request, keys}) => answer(request, keys).response);

/** What people do to JSON that is no JSON any more. */
const SLIPS: Readonly<Record<string, (json: string) => string>> = {
  'a trailing comma': (json) => json.replace(/\}$/, ',}'),
  'single quotes': (json) => json.replaceAll('"', "'"),
  'names without quotes': (json) => json.replaceAll(/"(\w+)":/g, '$1: '),
};

describe('the two tracks of one read are not two payloads:', () => {
  const reads = simulated.filter((one) => /^\{"ksn".*"track1".*"track2"/.test(payloadOf(one)));

  it.each(Object.entries(SLIPS))('%s', async (_, slip) => {
    expect(reads.length).toBeGreaterThan(2);
    for (const read of reads) {
      const payload = slip(payloadOf(read));
      expect(() => readPaste(payload)).not.toThrow();
      const found = await diagnoseJson({payload}, {usualOnly: true});
      expect([read.name, found.solved]).toEqual([read.name, true]);
      expect(labelsOf(found)).not.toContain('white-space');
    }
  });
});

it('words after the digits are text around them, and no digits are missing', async () => {
  const reads = simulated.filter(
    (one) => /^(?:idtech|miura|prima)/.test(one.name) && /^[\dA-F]{200,}$/.test(payloadOf(one)),
  );
  expect(reads.length).toBeGreaterThan(5);
  for (const read of reads.slice(0, 6))
    for (const words of ['OK', 'END', 'no more', '# ']) {
      const found = await diagnoseJson({payload: `${payloadOf(read)}\r\n${words}\r\n`});
      expect([read.name, words, ...mistakesOf(found)]).toEqual([read.name, words, 'text-around']);
    }
});

it('a short last line of a log belongs to the payload', async () => {
  const frame = SAMPLE_PAYLOADS.find(({name}) => name === 'securemag-enh-3trk-hex');
  const digits = frame ? payloadOf(frame) : '';
  for (const length of [62, 64, 66, 100]) {
    const lines = digits.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
    const payload = lines
      .map((line, i) => `2026-11-30T12:00:0${i % 10}Z DEBUG rx ${line}`)
      .join('\n');
    const found = await diagnoseJson({payload}, {usualOnly: true});
    expect([length, found.solution?.deviceType]).toEqual([length, 'idtech']);
    expect(labelsOf(found)).not.toContain('bytes-around');
  }
});

describe('a case', () => {
  it.each(['bdk', 'key', 'Keys', 'ipek'])('with a key called %s is refused', (name) => {
    const given = {payload: '02', [name]: '0123456789ABCDEF FEDCBA9876543210'};
    expect(() => parseCase(JSON.stringify(given))).toThrow(
      expect.objectContaining({code: 2005, detail: expect.not.stringContaining('ABCD')}),
    );
  });

  it('is no request without its payload: it is read as text', () => {
    expect(isCase('{"deviceType":"idtech","devicePaylod":"02"}')).toBe(false);
  });

  it('whose card number is not that of the read says so', async () => {
    const [read] = simulated.filter(({request}) => request.deviceType === 'idtech');
    const labels = async (pan: string) =>
      labelsOf(await diagnoseJson({payload: read && payloadOf(read), pan}));
    expect(await labels('5555 5555 5555 4444')).toContain('expected-differs');
    expect(await labels('4111 1111 1111 1111')).not.toContain('expected-differs');
  });
});
