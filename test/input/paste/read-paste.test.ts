import {describe, expect, it} from 'vitest';
import {undoPaste} from '../../../src/cli/input/undo-paste.js';
import {KNOWN_TERMINALS, TERMINAL_TYPES, TERMINALS} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {recognise} from '../../../src/engine/recognise.js';
import {answer, readSamples, type Sample} from '../../engine/samples.js';
import {IS_LONG} from '../../long.js';
import {NOTATIONS, type Writer} from './notations.js';

/** Those that the readers take: the others are refused in any notation, by whatever code. */
const SAMPLES = TERMINAL_TYPES.flatMap((type) =>
  readSamples(type)
    .filter((one) => isTaken(one) && ![2100, 2101, 2102].includes(answer(one.request).errCode ?? 0))
    // A notation knows no samples: one of each type is enough but for a long run.
    .slice(0, IS_LONG ? undefined : 1),
);

function isTaken({request: {deviceType, devicePayload}}: Sample): boolean {
  try {
    readPayload(TERMINALS[deviceType], devicePayload);
    return true;
  } catch {
    return false;
  }
}

/** The bytes of a payload that is hex or has one character per byte. */
function bytesOf({request: {devicePayload}}: Sample): Buffer {
  const isHex = /^[\da-f\s]+$/i.test(devicePayload);
  return isHex
    ? Buffer.from(devicePayload.replaceAll(/\s/g, ''), 'hex')
    : Buffer.from(devicePayload, 'latin1');
}

/** The response, or the code alone: messages tell where in the text. */
function outcome({request}: Sample, devicePayload: string) {
  const {response, errCode} = answer({...request, devicePayload});
  return response ?? errCode;
}

async function outcomeOfPaste(sample: Sample, text: string) {
  const {devicePayload, deviceType} = sample.request;
  const device =
    recognise(devicePayload, KNOWN_TERMINALS).join() === deviceType ? undefined : deviceType;
  try {
    return outcome(sample, await undoPaste(text, {'device-type': device}));
  } catch (error) {
    return `${error}`;
  }
}

async function outcomes(write: Writer) {
  const texts = write(SAMPLES.map(bytesOf));
  return Promise.all(SAMPLES.map((sample, i) => outcomeOfPaste(sample, texts[i] ?? '')));
}

describe('a paste', () => {
  it('is tried of every terminal', () => {
    const types = SAMPLES.map(({request}) => request.deviceType);
    expect(new Set(types)).toEqual(new Set(TERMINAL_TYPES));
  });

  it.each(Object.entries(NOTATIONS))('answers as the payload does: %s', async (_, write) => {
    const found = await outcomes(write);
    const differing = SAMPLES.flatMap((sample, i) => {
      const expected = outcome(sample, sample.request.devicePayload);
      const isSame = JSON.stringify(found[i]) === JSON.stringify(expected);
      return isSame ? [] : [[sample.id, found[i]]];
    });
    expect(differing).toEqual([]);
  });
});
