import {describe, expect, it} from 'vitest';
import {TERMINALS} from '../../src/engine/families/registry.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {type Part, Trace} from '../../src/engine/trace.js';
import {untiled} from '../untiled.js';
import {readSamples} from './samples.js';
import * as shapes from './shapes.js';

/** The bytes or characters that a trace counts. */
function unitsOf(payload: string, {unit}: Trace): string {
  const compact = payload.replaceAll(/\s/g, '');
  if (unit === 'character' || !/^[0-9a-f]*$/i.test(compact)) return payload;
  return Buffer.from(compact, 'hex').toString('latin1');
}

function traced(deviceType: 'idtech' | 'generic', payload: string) {
  const trace = new Trace();
  try {
    readPayload(TERMINALS[deviceType], payload, trace);
  } catch {
    // What was read before a failure is shown all the same.
  }
  return {parts: trace.parts, units: unitsOf(payload, trace)};
}

function covered({offset, length}: Part, units: string): string {
  return units.slice(offset, offset + length);
}

/** A value is the end of what its part covers, as text or hex: tag and member name stand before. */
function shows(part: Part, units: string): boolean {
  const text = covered(part, units);
  const hex = Buffer.from(text, 'latin1').toString('hex');
  const value = part.value.toLowerCase();
  const forms = [text.trimEnd().replace(/"$/, ''), text, hex];
  return forms.some((form) => form.toLowerCase().endsWith(value));
}

const CLEAR_PAN = /(?<!\d)\d{12,19}(?:[=D^])/;

for (const [deviceType, payloads] of Object.entries(shapes.TRACED)) {
  describe(`the parts of ${deviceType} payloads`, () => {
    for (const [name, payload] of payloads) {
      const {parts, units} = traced(deviceType as 'idtech' | 'generic', payload);

      it(`${name}: stand in the order of the payload and never overlap`, () => {
        let end = 0;
        for (const {offset, length} of parts) {
          expect(offset).toBeGreaterThanOrEqual(end);
          end = offset + length;
        }
        expect(end).toBeLessThanOrEqual(units.length);
      });

      it(`${name}: leave nothing out`, () => {
        let rest = units;
        for (const part of parts.toReversed()) {
          rest = rest.slice(0, part.offset) + rest.slice(part.offset + part.length);
        }
        // Between the members of JSON and key=value text only punctuation is left.
        expect(rest).toMatch(deviceType === 'generic' ? /^[\s{}[\],;|&]*$/ : /^$/);
      });

      it(`${name}: show what they cover`, () => {
        expect(parts.filter((part) => !shows(part, units))).toEqual([]);
      });

      it(`${name}: say where a clear card number stands`, () => {
        const leaks = parts.filter(
          (part) =>
            part.sensitivity !== 'card' &&
            [part.value, Buffer.from(part.value, 'hex').toString('latin1')].some((text) =>
              CLEAR_PAN.test(text),
            ),
        );
        expect(leaks).toEqual([]);
      });
    }
  });
}

describe('the parts of a sample', () => {
  const BINARY = ['miura', 'verifone', 'prima', 'phressiapad', 'wisepad', 'wisepad2', 'magtek'];
  const samples = [...BINARY, 'ingenico-rba', 'ingenico-ra1'].flatMap(readSamples);
  // Of JSON only the members are named.
  const bytes = samples.filter(({request}) => !request.devicePayload.startsWith('{'));

  it.each(bytes)(
    'name every byte once: $id',
    ({request: {deviceType, devicePayload}, expect: {errCode}}) => {
      const trace = new Trace();
      try {
        readPayload(TERMINALS[deviceType], devicePayload, trace);
      } catch {
        expect(errCode).toBeDefined();
        return;
      }
      expect(untiled(trace, unitsOf(devicePayload, trace).length)).toBeUndefined();
    },
  );
});
