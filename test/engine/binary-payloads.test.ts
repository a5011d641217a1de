import {describe, expect, it} from 'vitest';
import {decodeInput} from '../../src/engine/decode-input.js';
import {KNOWN_TERMINALS, TERMINAL_TYPES, TERMINALS} from '../../src/engine/families/registry.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {recognise} from '../../src/engine/recognise.js';
import {toRequest} from '../../src/input/paste/request-input.js';
import {answer, readSamples, ringOf, type Sample} from './samples.js';

/** A payload that is published in hex is read as the binary dump of a capture, too. */

/** Bytes in hex; keyboard text of nothing but hex digits counts characters and has no other form. */
function isBytes({request: {deviceType, devicePayload}}: Sample): boolean {
  if (!/^(?:\s*[\da-f]{2})+\s*$/i.test(devicePayload)) return false;
  try {
    return !readPayload(TERMINALS[deviceType], devicePayload).form.includes('keyboard');
  } catch {
    return true;
  }
}

/** Their payloads are text, even where it comes as bytes. */
const TEXTS: readonly string[] = [
  ...['generic', 'ingenico-rba', 'nexo'],
  ...['newland', 'bbpos', 'poynt', 'spire'],
];

const SAMPLES = TERMINAL_TYPES.flatMap((type) => readSamples(type).filter(isBytes));

describe('a binary dump is answered as its hex:', () => {
  it('of many reads', () => {
    const types = new Set(SAMPLES.map(({request}) => request.deviceType));
    // Those are text, even where it comes as bytes.
    const binary = TERMINAL_TYPES.filter((type) => !TEXTS.includes(type));
    expect([...types].sort()).toEqual(binary.sort());
    expect(SAMPLES.length).toBeGreaterThan(35);
  });

  it.each(SAMPLES)('$id', ({request, keys}) => {
    const {deviceType} = request;
    const dump = decodeInput(Buffer.from(request.devicePayload.replaceAll(/\s/g, ''), 'hex'));
    const {devicePayload} = toRequest(dump, undefined, {deviceType});
    const ring = ringOf(keys);
    const {message: _, ...expected} = answer(request, ring);
    expect(answer({...request, devicePayload}, ring)).toMatchObject(expected);
    if (recognise(request.devicePayload, KNOWN_TERMINALS).includes(deviceType)) {
      expect(recognise(devicePayload, KNOWN_TERMINALS)).toContain(deviceType);
    }
  });
});
