import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {refusalFindings} from '../../../src/diagnosis/findings/reader-refusals.js';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {TERMINAL_TYPES, TERMINALS} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {parseCase} from '../../../src/input/case.js';
import {collectClues} from '../../../src/input/clues.js';
import {TEST_CARDS} from '../../../src/simulator/test-cards.js';
import {canSend, simulate, writerOf} from '../../writers.js';

const keys = testKeyRing();

/** A KSN whose counter lies anywhere: ciphertext of every kind comes of it. */
function ksnOf(index: number): string {
  const counter = 1 + (createHash('sha256').update(String(index)).digest().readUInt16BE() & 0x3fe);
  return `FFFF9876543210E${counter.toString(16).padStart(5, '0').toUpperCase()}`;
}

/** Nothing of ingenico-ra1 can be decrypted, and DE-127 is told by its length alone. */
const OTHERWISE = ['ingenico-ra1', 'ifsf'];

describe.each(TERMINAL_TYPES.filter((type) => !OTHERWISE.includes(type)))(
  'a whole payload of %s',
  (deviceType) => {
    const {modes} = writerOf(deviceType);

    it('is not called damaged, cut, clear or closed', () => {
      let tried = 0;
      for (let index = 0; index < 150; index++) {
        const card = TEST_CARDS[index % TEST_CARDS.length];
        const mode = modes[index % modes.length];
        if (!card || !mode) continue;
        if (!canSend(deviceType, card.id)) continue;
        const request = simulate({deviceType, mode, card, keys, ksn: ksnOf(index), options: {}});
        const payload = request.devicePayload;
        // Recognised by its length alone, it may be anybody's frame.
        if (readPayload(TERMINALS[deviceType], payload).recognisedBy === 'length') continue;
        tried++;
        const found = refusalFindings(
          collectClues(parseCase(JSON.stringify({payload}))),
          undefined,
        );
        expect([payload, ...found]).toEqual([payload]);
      }
      expect(tried).toBeGreaterThan(0);
    });
  },
);
