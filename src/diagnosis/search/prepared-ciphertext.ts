import {bytesFromHex, isHex, latin1Of} from '../../platform/bytes.js';
import type {Finding} from '../finding.js';
import type {Gathered} from '../input/clues.js';
import type {Subject, Target} from '../input/interpretation.js';
import {panFields} from '../plaintext/open-pin.js';
import {type Clues, makeProbe, type Probe} from './key-trial.js';

const MOST_PROBES = 120;
/** In the long stages every ciphertext costs thousands of trials. */
const MOST_LONG_PROBES = 12;

/** The ciphertexts of a case, prepared for trials; fewer of them if each costs thousands. */
export function probesOf(gathered: Gathered, isLong: boolean): Probe[] {
  const {subjects, pans} = gathered;
  const clues = {...gathered, panFields: panFields(pans)};
  const seen = new Set<string>();
  const probes = subjects.flatMap((subject) =>
    subject.targets.map((target) => makeProbe(subject, target, clues)),
  );
  if (!isLong) return probes.slice(0, MOST_PROBES);
  const whole = probes.filter(
    ({subject}) => subject.kind !== 'pieces' && subject.kind !== 'joined',
  );
  const distinct = (whole.length > 0 ? whole : probes).filter(({target}) => {
    const key = latin1Of(target.ciphertext);
    return !seen.has(key) && seen.add(key);
  });
  return distinct.slice(0, MOST_LONG_PROBES);
}

const MOST_DIGITS = 320;

/** For an odd number of hex digits: every digit in every position where one may have been lost. */
export function lostDigits(gathered: Gathered): Probe[] {
  const {texts, ivs} = gathered;
  const clues = {...gathered, ivs: ivs.slice(0, 1)};
  return texts.flatMap((text) => {
    const digits = text.replaceAll(/\s/g, '');
    const isOdd = isHex(digits) && (digits.length + 1) % 16 === 0 && digits.length <= MOST_DIGITS;
    if (!isOdd) return [];
    return Array.from({length: digits.length + 1}, (_, at) =>
      [...HEX].flatMap((digit) => lostDigit(digits, at, digit, clues)),
    ).flat();
  });
}

const HEX = '0123456789ABCDEF';

function lostDigit(digits: string, at: number, digit: string, clues: Clues): Probe[] {
  // Inserting a digit before or after an equal one gives the same string: skip the second.
  if (digits.charAt(at - 1).toUpperCase() === digit) return [];
  const ciphertext = bytesFromHex(digits.slice(0, at) + digit + digits.slice(at));
  if (!ciphertext) return [];
  const detail = `The digit at ${at} was lost.`;
  const target = {name: 'data', ciphertext};
  const subject: Subject = {
    kind: 'bare',
    form: 'bare ciphertext',
    targets: [target],
    findings: [{label: 'odd-hex', detail}],
  };
  return [makeProbe(subject, target, clues)];
}

/** The ciphertexts of texts with missing digits. */
export function gappedProbes(gathered: Gathered): Probe[] {
  return gathered.gapped.flatMap((subject) =>
    subject.targets.map((target) => makeProbe(subject, target, gathered)),
  );
}

const MOST_WINDOWS = 600;
/** Limit for card data that is followed by other bytes. */
const LONGEST_WINDOW = 512;

/** Every byte of a blob at which a ciphertext could begin; its end is found when it is read. */
export function windowsOf(gathered: Gathered): Probe[] {
  const {subjects, ivs} = gathered;
  const clues = {...gathered, ivs: ivs.slice(0, 2)};
  const bare = subjects.filter(({kind}) => kind === 'bare' || kind === 'in-text');
  const seen = new Set<string>();
  const probes: Probe[] = [];
  for (const {kind, targets, findings} of bare) {
    for (const {name, ciphertext, uncut = ciphertext} of targets) {
      // A run in text begins at its first byte only.
      const last = kind === 'in-text' ? 0 : ciphertext.length - 24;
      for (let at = 0; at <= last && probes.length < MOST_WINDOWS; at++) {
        const bytes = uncut.subarray(at, at + LONGEST_WINDOW);
        const key = bytes.subarray(0, 24).join();
        if (seen.has(key)) continue;
        seen.add(key);
        probes.push(windowAt(at, {name, ciphertext: bytes}, findings, clues));
      }
    }
  }
  return probes;
}

function windowAt(at: number, target: Target, findings: readonly Finding[], clues: Clues): Probe {
  const detail = `The ciphertext begins at byte ${at} of ${target.name}.`;
  const subject: Subject = {
    kind: 'window',
    form: 'bare ciphertext inside other bytes',
    targets: [target],
    findings: [
      ...findings.filter(({label}) => label !== 'wrong-slice'),
      {label: 'wrong-slice', detail},
    ],
  };
  return makeProbe(subject, target, clues);
}
