import {describe, expect, it} from 'vitest';
import {unchain, ZERO_IV} from '../../../src/diagnosis/plaintext/chain.js';
import {
  makeProbe,
  type Probe,
  passesFirstLook,
  passesSecondLook,
} from '../../../src/diagnosis/search/key-trial.js';
import {toWords} from '../../../src/engine/cipher/words.js';

import type {PipelineHooks} from '../../../src/engine/pipeline.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import {attempt} from '../../../src/input/attempt.js';
import type {Interpretation, Target} from '../../../src/input/interpretation.js';
import {TEST_CARDS} from '../../../src/simulator/test-cards.js';
import {IS_LONG} from '../../long.js';
import {
  FURTHER_PAYLOADS,
  type Payload,
  SAMPLE_PAYLOADS,
  SIMULATED_SHAPES,
  simulatedPayloads,
} from '../../payloads.js';
import {canSend} from '../../writers.js';
import {Draw} from '../draw.js';

const draw = new Draw('head filter');

function probeOf(ciphertext: Uint8Array, iv?: string): Probe {
  const target: Target = {name: 'data', ciphertext, iv};
  const interpretation: Interpretation = {kind: 'bare', form: '', targets: [target], findings: []};
  return makeProbe(interpretation, target, {ivs: [], pans: [], expected: []});
}

/** The looks that a plaintext passes, given by its blocks as each was decrypted on its own. */
function looksOf(probe: Probe, blocks: Uint8Array, blockSize: 8 | 16) {
  const [hi = 0, lo = 0] = toWords(blocks.subarray(0, 8));
  const [nextHi = 0, nextLo = 0] = toWords(blocks.subarray(blockSize, blockSize + 8));
  return {
    first: passesFirstLook(probe, Int32Array.of(hi, lo, nextHi, nextLo), 0),
    second: passesSecondLook(probe, blocks, blockSize),
  };
}

/** The fields that were opened. */
let opened = 0;

/** The fields of a payload that the first look passes and the second one, of any length, drops. */
function lostIn({name, request, keys}: Payload): string[] {
  const lost: string[] = [];
  const options: PipelineHooks = {
    observer: {
      accepted: () => {},
      opened: ({planned: {field, algorithm, iv}, way, plain}) => {
        const probe = probeOf(field.ciphertext, iv && Buffer.from(iv).toString('hex'));
        const blockSize = algorithm === 'aes' ? 16 : 8;
        const isCbc = (way.mode ?? field.setting.mode) === 'cbc';
        const chain = {ciphertext: field.ciphertext, blocks: plain, blockSize, ivs: []};
        const blocks = isCbc ? unchain(chain, iv ?? ZERO_IV.bytes) : plain;
        for (const size of [16, 80]) {
          const {first, second} = looksOf(probe, blocks.subarray(0, size), blockSize);
          if (first && !second) lost.push(`${name}, ${field.name}, ${size} bytes`);
        }
        opened++;
      },
    },
  };
  // Some cannot be decrypted: format-preserving encryption, cards that a terminal cannot send.
  attempt(() => processPayload(request, keys, options));
  return lost;
}

describe('the second look', () => {
  it('loses no sample and no published read', () => {
    expect([...SAMPLE_PAYLOADS, ...FURTHER_PAYLOADS].flatMap(lostIn)).toEqual([]);
  });

  it('loses no simulated payload of any terminal, mode and option', () => {
    const sent = SIMULATED_SHAPES.map((shape) => ({
      shape,
      cards: TEST_CARDS.filter(({id}) => canSend(shape.deviceType, id)),
    }));
    const count = IS_LONG ? 100_000 : 300;
    const lost: string[] = [];
    opened = 0;
    for (let i = 0; i < count; i++) {
      const {shape, cards} = sent[i % sent.length] ?? {cards: []};
      const card = cards[draw.below(cards.length)];
      const payloads = shape ? simulatedPayloads([shape], draw.ksn(), card) : [];
      lost.push(...payloads.flatMap(lostIn));
    }
    expect(lost).toEqual([]);
    expect(opened).toBeGreaterThan(count);
  }, 900_000);

  it.each([40, 80, 200])('passes at most 15 of 10,000 random plaintexts of %i bytes', (length) => {
    const count = IS_LONG ? 300_000 : 10_000;
    let passed = 0;
    for (let i = 0; i < count; i++) {
      const {first, second} = looksOf(
        probeOf(draw.bytes(length)),
        draw.bytes(80).subarray(0, length),
        8,
      );
      if (first && second) passed++;
    }
    // Six standard deviations above 0.15 % are allowed for chance.
    const most = 0.0015 * count;
    expect(passed).toBeLessThan(most + 6 * Math.sqrt(most));
  });
});
