import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {
  KNOWN_TERMINALS,
  TERMINAL_TYPES,
  type TerminalRequest,
} from '../../../src/engine/families/registry.js';
import {inspectPayload} from '../../../src/engine/inspection/inspect-payload.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import type {Reading} from '../../../src/engine/reading.js';
import {readSamples} from '../samples.js';

function readingOf({deviceType, devicePayload}: TerminalRequest): Reading | undefined {
  try {
    return readPayload(KNOWN_TERMINALS.get(deviceType), devicePayload);
  } catch (error) {
    if (error instanceof PaylensError) return undefined;
    throw error;
  }
}

/** What a part may write of bytes: hex, base64, or the text of a number in a frame. */
function spellings(ciphertext: Uint8Array): string[] {
  const bytes = Buffer.from(ciphertext);
  return [bytes.toString('hex').toLowerCase(), bytes.toString('base64').replace(/=+$/, '')];
}

/** The ciphertexts of a request that no part at their place has. */
function misplaced(request: TerminalRequest): string[] {
  const reading = readingOf(request);
  if (!reading || reading.refusal) return [];
  const {parts, encrypted} = inspectPayload(request, true);
  return (reading.candidates[0] ?? []).flatMap(({name, ciphertext}, i) => {
    const place = encrypted[i];
    const around = parts.filter(({offset, length}) => place && holds({offset, length}, place));
    const isThere = around.some(({value}) => {
      const compact = value.replaceAll(/\s/g, '').replace(/=+$/, '');
      return spellings(ciphertext).some(
        (one) => compact.includes(one) || compact.toLowerCase().includes(one),
      );
    });
    return isThere ? [] : [`${name} at ${place?.offset}, ${place?.length}`];
  });
}

interface Place {
  readonly offset: number;
  readonly length: number;
}

/** An object of TLV is one part, and its ciphertext begins behind the tag and length. */
function holds(part: Place, {offset, length}: Place): boolean {
  return part.offset <= offset && offset + length <= part.offset + part.length;
}

describe('the ciphertexts that inspect names stand where it says:', () => {
  it.each(TERMINAL_TYPES)('%s', (type) => {
    const wrong = readSamples(type).flatMap(({id, request}) =>
      misplaced(request).map((what) => `${id}: ${what}`),
    );
    expect(wrong).toEqual([]);
  });
});
