import {mergeContent} from '../../engine/card/card-content.js';
import {prepareCipher} from '../../engine/cipher/modes.js';
import {asTdes} from '../../engine/dukpt/working-key.js';
import {attempt} from '../../input/attempt.js';
import type {SearchKeys} from '../../input/case.js';
import type {Clues} from '../../input/clues.js';
import type {Interpretation, Target} from '../../input/interpretation.js';
import {latin1Of} from '../../platform/bytes.js';
import {type KeyCandidate, statedRoles} from '../candidates/key-candidates.js';
import {ZERO_IV} from '../plaintext/chain.js';
import type {KeyMatch, OpenedTarget} from './key-match.js';
import {makeProbe} from './key-trial.js';
import {DIRECT} from './working-keys.js';

/**
 * Opens a message of which one block is all that depends on the key, as `decrypt` does: under the
 * working keys that were given, and by the rules of its format. A search would find a key by chance.
 */
export function openOneBlock(clues: Clues, keys: SearchKeys): KeyMatch | undefined {
  const interpretations = clues.interpretations.filter(({oneBlock}) => oneBlock !== undefined);
  const given = statedRoles(keys.all).filter(
    ({role, origin}) => role === 'working' && origin !== 'published',
  );
  for (const interpretation of interpretations)
    for (const key of given) {
      const found = attempt(() => openSubject(interpretation, key, clues));
      if (found) return found;
    }
  return undefined;
}

/** Throws if the reader of the format does not accept all of it. */
function openSubject(
  interpretation: Interpretation,
  key: KeyCandidate,
  clues: Clues,
): KeyMatch | undefined {
  const working = asTdes(key.bytes);
  const opened = interpretation.targets.map((target) => openTarget(target, working));
  const contents = opened.flatMap(({reading}) =>
    reading.openings.flatMap(({content}) => content ?? []),
  );
  interpretation.agree?.(mergeContent(contents), contents);
  const [first] = interpretation.targets;
  if (!first) return undefined;
  const probe = makeProbe(interpretation, first, clues);
  const bits = opened.reduce((sum, {reading}) => sum + reading.bits, 0);
  return {probe, key, setting: DIRECT, opened, bits, working};
}

function openTarget(target: Target, working: Uint8Array): OpenedTarget {
  const cipher = prepareCipher('tdes', working);
  const plain = cipher.decryptEcb(target.ciphertext);
  cipher.wipe();
  const content = target.open?.(plain) ?? {};
  const {bits = 0, facts = [], track1, track2, track3} = content;
  const text = latin1Of((track1 ?? track2 ?? track3)?.bytes ?? plain);
  const opening = {packing: 'bcd', bits, facts, text, content} as const;
  const way = {mode: 'ecb', iv: ZERO_IV, plain} as const;
  return {target, reading: {...way, openings: [opening], bits, accepted: true}, setting: DIRECT};
}
