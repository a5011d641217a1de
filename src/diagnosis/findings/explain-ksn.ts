import {bitCount, counterFault} from '../../engine/dukpt/ksn-counter.js';
import type {Clues} from '../../input/clues.js';
import {fromLookAlikes} from '../../input/notations/text-forms.js';
import {ksnText} from '../../input/written-ksn.js';
import {isHex} from '../../platform/bytes.js';
import {type KsnChange, plainForms} from '../candidates/ksn-candidates.js';
import type {Finding} from '../finding.js';
import type {Label} from '../labels.js';
import type {KeyMatch, OpenedTarget} from '../search/key-match.js';

const KSN_LABELS: Readonly<Partial<Record<KsnChange, Label>>> = {
  padded: 'ksn-padded',
  filler: 'ksn-filler',
  cut: 'ksn-embedded',
  'digit-missing': 'ksn-digit-missing',
  'decimal-counter': 'ksn-decimal-counter',
  embedded: 'ksn-embedded',
  reversed: 'ksn-reversed',
  'swapped-slot': 'ksn-swapped',
  neighbour: 'ksn-neighbour',
  initial: 'ksn-initial',
  mistyped: 'ksn-mistyped',
  published: 'ksn-missing',
};

/** Explains what was wrong with the given KSN, and peculiarities of the KSN that decrypts. */
export function explainKsn(found: KeyMatch, clues: Clues): Finding[] {
  const {opened, ksn} = found;
  const findings: Finding[] = [];
  if (!ksn) return findings;
  const label = KSN_LABELS[ksn.change];
  if (ksn.change === 'published') {
    findings.push({
      label: 'ksn-missing',
      detail: `It decrypts under the published KSN ${ksn.ksn.hex}.`,
    });
  } else if (label) {
    findings.push({label, detail: ksnDetail(ksn.from, ksn.ksn.hex, ksn.distance, ksn.place)});
  }
  const fault = counterFault(ksn.ksn.counter, ksn.ksn.scheme);
  if (fault === 'zero') findings.push({label: 'ksn-counter-zero'});
  const bits = bitCount(ksn.ksn.counter);
  const detail = `Counter ${ksn.ksn.counter.toString(16).toUpperCase()}: ${bits} bits are set.`;
  if (fault === 'bits') findings.push({label: 'ksn-counter-bits', detail});
  else if (bits > 1) findings.push({label: 'ksn-many-bits', detail});
  const strangers = opened.filter((one) => isOfOther(one, clues));
  if (strangers.length > 0 && !label) {
    findings.push({label: 'ksn-of-message', detail: `It decrypts under ${ksn.ksn.hex}.`});
  }
  if (clues.ksns.given.some((text) => text.length >= 14 && !isHex(ksnText(text)))) {
    findings.push(ksnNotation(clues.ksns.given[0] ?? ''));
  }
  return [...findings, ...givenKsnFindings(found, clues)];
}

/** The KSN was given in a notation other than hex. */
function ksnNotation(given: string): Finding {
  return fromLookAlikes(ksnText(given)) === undefined
    ? {label: 'base64', detail: 'The KSN was base64-encoded.'}
    : {label: 'look-alikes', detail: 'Found in the KSN.'};
}

/** The user gave a KSN although the payload contains one. */
function givenKsnFindings({ksn}: KeyMatch, {ksns}: Clues): Finding[] {
  const [given] = ksns.given.flatMap((text) => plainForms(text, 'given'));
  if (!ksn || !given || ksn.source === 'given' || given.ksn.hex === ksn.ksn.hex) return [];
  const distance = ksn.ksn.counter - given.ksn.counter;
  const isNear = given.ksn.initial === ksn.ksn.initial;
  const detail = ksnDetail(given.from, ksn.ksn.hex, isNear ? distance : undefined);
  return [{label: isNear ? 'ksn-neighbour' : 'ksn-of-message', detail}];
}

function ksnDetail(from: string, to: string, distance?: number, place?: string): string {
  const away = distance === undefined ? '' : ` (${distance > 0 ? '+' : ''}${distance})`;
  const digit = place === undefined ? '' : ` ${place}`;
  return `Given ${from.length} digits, ${from}; it decrypts under ${to}${away}.${digit}`;
}

/** The KSN that decrypted a ciphertext is neither its own nor the one given. */
function isOfOther({target, ksn}: OpenedTarget, {ksns}: Clues): boolean {
  if (ksn?.change !== 'none') return false;
  if (target.ksn !== undefined) return !target.ksn.toUpperCase().endsWith(ksn.ksn.hex.slice(-16));
  return ksn.source === 'message' && ksns.given.length > 0;
}
