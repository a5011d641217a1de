import {describe, expect, it} from 'vitest';

import {PaylensError} from '../../../src/contract/paylens-error.js';
import {TERMINALS, type TerminalType} from '../../../src/engine/devices/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {Trace} from '../../../src/engine/trace.js';
import {readSamples, ringOf, type Sample} from '../samples.js';
import {
  cardsOf,
  cuts,
  faultOf,
  flips,
  foreignPayloads,
  HARD_PAYLOADS,
  outcomeOf,
  quickest,
  randomBytes,
  untiled,
} from './feed.js';

const TYPES = [
  ...(['miura', 'verifone', 'prima', 'phressiapad'] as const),
  ...(['wisepad', 'wisepad2', 'ingenico-rba', 'ingenico-ra1'] as const),
  'magtek' as const,
];
const ALL = [...TYPES, 'idtech', 'generic'];

/** A frame's limit (64 KiB answered) on one core of a busy machine. */
const MOST_MILLISECONDS = 50;

/** Cards that a part of a sample holds, where the whole says another or is refused for it. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  wisepad: ['0000000000000000', '5413330089010681'],
};

/** The faults of `payloads`, each with the payload that shows it. */
function faults(sample: Sample, payloads: readonly string[], pans: ReadonlySet<string>) {
  const ring = ringOf(sample.keys);
  return payloads.flatMap((devicePayload) => {
    if (devicePayload === '') return [];
    const fault = faultOf(outcomeOf({...sample.request, devicePayload}, ring), pans);
    return fault === undefined ? [] : [{fault, devicePayload}];
  });
}

for (const type of TYPES) {
  const samples = readSamples(type);
  const pans = new Set([...cardsOf(samples), ...(PARTS[type] ?? [])]);

  describe(`${type}: bad input gets a typed error and never another card`, () => {
    for (const sample of samples) {
      it(`${sample.id} cut at every length`, () => {
        expect(faults(sample, cuts(sample.request.devicePayload), pans)).toEqual([]);
      });

      it(`${sample.id} with every character changed`, () => {
        expect(faults(sample, flips(sample.request.devicePayload), pans)).toEqual([]);
      });
    }

    it('random bytes', () => {
      const found = Array.from({length: 600}, (_, seed) => {
        const bytes = randomBytes(seed, (seed * 7) % 400);
        const start = Buffer.from(STARTS[seed % STARTS.length] ?? '', 'hex');
        const whole = Buffer.concat([start, bytes]);
        return [whole.toString('hex'), whole.toString('latin1'), whole.toString('base64')];
      }).flat();
      const [sample] = samples as [Sample];
      expect(faults(sample, found, new Set())).toEqual([]);
    });

    it('the samples of every other type', () => {
      const [sample] = samples as [Sample];
      expect(faults(sample, foreignPayloads(type, ALL), KNOWN_CARDS)).toEqual([]);
    });

    for (const [name, devicePayload] of Object.entries(HARD_PAYLOADS)) {
      it(`64 KiB of ${name} within ${MOST_MILLISECONDS} ms`, () => {
        const request = {deviceType: type as TerminalType, devicePayload};
        expect(outcomeOf(request)).toMatchObject({code: expect.any(Number)});
        const time = quickest(() => outcomeOf(request), MOST_MILLISECONDS);
        expect(time).toBeLessThan(MOST_MILLISECONDS);
      });
    }
  });

  describe(`${type}: the trace names every byte once`, () => {
    for (const {id, request} of samples.filter(isBytes)) {
      it(id, () => {
        const trace = new Trace();
        readPayload(TERMINALS[request.deviceType], request.devicePayload, trace);
        expect(untiled(trace, lengthIn(trace, request.devicePayload))).toBeUndefined();
      });
    }
  });
}

/** How payloads of these terminals begin, so that random bytes get past the first look. */
const STARTS = ['', 'E1819E', 'DFAE0218', '0100', 'FF7F', 'DF9020', '0000', '001B3224', '80'];

/** A borrowed form may open: then it must be the card of its own sample. */
const KNOWN_CARDS = cardsOf(ALL.flatMap(readSamples));

/** Readable, and not JSON, of which only the members are named. */
function isBytes({request}: Sample): boolean {
  if (request.devicePayload.startsWith('{')) return false;
  try {
    readPayload(TERMINALS[request.deviceType], request.devicePayload);
    return true;
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    return false;
  }
}

/** Characters of text; bytes of hex or binary. */
function lengthIn({unit}: Trace, payload: string): number {
  if (unit === 'character') return payload.length;
  return /^[0-9a-f\s]*$/i.test(payload) ? payload.replaceAll(/\s/g, '').length / 2 : payload.length;
}
