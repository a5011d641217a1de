import {bareCiphertext, HEX_DIGITS} from '../../input/bare-ciphertext.js';
import type {Clues} from '../../input/clues.js';
import type {InputFinding} from '../../input/finding.js';
import {unmarkedGaps} from '../../input/gapped-ciphertexts.js';
import {
  type Interpretation,
  isRecognisedByLength,
  type Target,
} from '../../input/interpretation.js';
import {bytesOfHex, hexOf, isHex, latin1Of} from '../../platform/bytes.js';
import {panFields} from '../plaintext/open-pin.js';
import {MAX_CIPHERTEXT_BYTES, makeProbe, type Probe, type TrialClues} from './key-trial.js';

const MAX_PROBES = 120;
/** In the long stages every ciphertext costs thousands of trials. */
const MAX_LONG_PROBES = 12;

/** The ciphertexts of a case, prepared for trials; fewer of them if each costs thousands. */
export function probesOf(clues: Clues, isLong: boolean): Probe[] {
  const {interpretations, pans} = clues;
  const trialClues = {...clues, panFields: panFields(pans)};
  const seen = new Set<string>();
  const probes = probesIn(interpretations, trialClues);
  if (!isLong) return probes.slice(0, MAX_PROBES);
  const whole = probes.filter(
    ({interpretation}) => interpretation.kind !== 'pieces' && interpretation.kind !== 'joined',
  );
  const distinct = (whole.length > 0 ? whole : probes).filter(({target}) => {
    const key = latin1Of(target.ciphertext);
    return !seen.has(key) && seen.add(key);
  });
  return distinct.slice(0, MAX_LONG_PROBES);
}

function probesIn(interpretations: readonly Interpretation[], trialClues: TrialClues): Probe[] {
  return interpretations.flatMap((interpretation) =>
    interpretation.targets.map((target) => makeProbe(interpretation, target, trialClues)),
  );
}

const MAX_DIGITS = 320;
/** With white space between them. */
const MAX_SPACED_DIGITS = 8 * MAX_DIGITS;

/** For an odd number of hex digits: every digit in every position where one may have been lost. */
export function lostDigits(clues: Clues): Probe[] {
  const {texts, ivs} = clues;
  const trialClues = {...clues, ivs: ivs.slice(0, 1)};
  const short = texts.filter(({length}) => length <= MAX_SPACED_DIGITS);
  return short.flatMap((text) => {
    const digits = text.replaceAll(/\s/g, '');
    const isOdd = isHex(digits) && (digits.length + 1) % 16 === 0 && digits.length <= MAX_DIGITS;
    const places = isOdd ? [...Array(digits.length + 1).keys()] : [];
    // Inserting a digit before or after an equal one gives the same string: skip the second.
    return places.flatMap((at) =>
      [...HEX_DIGITS.replace(digits.charAt(at - 1).toUpperCase(), '')].map((digit) => {
        const ciphertext = bytesOfHex(digits.slice(0, at) + digit + digits.slice(at));
        const target = {name: 'data', ciphertext};
        const finding = {label: 'odd-hex', detail: `The digit at ${at} was lost.`} as const;
        return makeProbe(bareCiphertext(target, [finding]), target, trialClues);
      }),
    );
  });
}

/** The ciphertexts of texts with missing digits. */
export function gappedProbes(clues: Clues): Probe[] {
  return probesIn(clues.gapped, clues);
}

/** The whole ciphertexts again, of each of which one block is damaged; longer ones have too many places. */
export function brokenProbes(clues: Clues): Probe[] {
  const interpretations = clues.interpretations
    .filter(({kind, targets}) => {
      const isShort = targets.every(({ciphertext}) => ciphertext.length <= MAX_BROKEN_BYTES);
      return isShort && kind !== 'pieces' && kind !== 'joined';
    })
    .map((one) => ({...one}));
  const probes = probesOf({...clues, interpretations}, false);
  return probes.map((probe) => ({...probe, isBroken: true as const}));
}

const MAX_BROKEN_BYTES = 512;

/** The ciphertexts of digits that are no whole blocks, with a gap in every place; not those of a message. */
export function unmarkedProbes(clues: Clues): Probe[] {
  const isMessage = (one: Interpretation) => one.kind === 'reading' && !isRecognisedByLength(one);
  if (clues.interpretations.some(isMessage)) return [];
  return probesIn(clues.texts.flatMap(unmarkedGaps), {...clues, ivs: clues.ivs.slice(0, 1)});
}

const MAX_WINDOWS = 600;
/** Bytes that are looked at for them: most windows of what repeats itself are the same. */
const MAX_PLACES = 16_384;
/** Limit for card data that is followed by other bytes. */
const MAX_WINDOW_BYTES = 512;

/** Every byte of a blob at which a ciphertext could begin; its end is found when it is read. */
export function windowsOf(clues: Clues): Probe[] {
  const {interpretations, ivs} = clues;
  const trialClues = {...clues, ivs: ivs.slice(0, 2)};
  const bare = interpretations.filter(({kind}) => kind === 'bare' || kind === 'in-text');
  const seen = new Set<string>();
  const probes: Probe[] = [];
  let places = 0;
  for (const {kind, targets, findings} of bare) {
    for (const {name, ciphertext, uncut = ciphertext} of targets) {
      // A run in text begins at its first byte only.
      const last = kind === 'in-text' ? 0 : Math.min(ciphertext.length, MAX_CIPHERTEXT_BYTES) - 24;
      const digits = hexOf(uncut.subarray(0, last + 24));
      for (let at = 0; at <= last && probes.length < MAX_WINDOWS; at++) {
        if (++places > MAX_PLACES) return probes;
        const first = digits.slice(2 * at, 2 * at + 48);
        if (seen.has(first)) continue;
        seen.add(first);
        const bytes = uncut.subarray(at, at + MAX_WINDOW_BYTES);
        probes.push(windowAt(at, {name, ciphertext: bytes}, findings, trialClues));
      }
    }
  }
  return probes;
}

function windowAt(
  at: number,
  target: Target,
  findings: readonly InputFinding[],
  trialClues: TrialClues,
): Probe {
  const detail = `The ciphertext begins at byte ${at} of ${target.name}.`;
  const others = findings.filter(({label}) => label !== 'wrong-slice');
  const bare = bareCiphertext(target, [...others, {label: 'wrong-slice', detail}]);
  const form = 'bare ciphertext inside other bytes';
  return makeProbe({...bare, kind: 'window', form}, target, trialClues);
}
