import {bitCount, counterFault} from '../../engine/dukpt/ksn-counter.js';
import type {Clues} from '../../input/clues.js';
import {fromLookAlikes} from '../../input/notations/damage.js';
import {ksnDigits, ksnText} from '../../input/written-ksn.js';
import {isHex} from '../../platform/bytes.js';
import {plainForms} from '../candidates/ksn-candidates.js';
import type {Finding} from '../finding.js';
import type {KeyMatch, OpenedTarget} from '../search/key-match.js';

/** Explains what was wrong with the given KSN, and peculiarities of the KSN that decrypts. */
export function explainKsn(found: KeyMatch, clues: Clues): Finding[] {
  const {opened, ksn} = found;
  if (!ksn) return [];
  const {hex, counter, scheme} = ksn.ksn;
  const label = ksn.change;
  const findings: Finding[] = [];
  if (label) {
    const detail =
      label === 'ksn-missing'
        ? `It decrypts under the published KSN ${hex}.`
        : ksnDetail(ksn.from, hex, ksn.distance, ksn.place);
    findings.push({label, detail, of: ksn.from});
  }
  const fault = counterFault(counter, scheme);
  if (fault === 'zero') findings.push({label: 'ksn-counter-zero'});
  const bits = bitCount(counter);
  const detail = `Counter ${counter}: ${bits} bits are set.`;
  if (fault === 'bits') findings.push({label: 'ksn-counter-bits', detail});
  else if (bits > 1) findings.push({label: 'ksn-many-bits', detail});
  if (!label && opened.some((one) => isOfOther(one, clues)))
    findings.push({label: 'ksn-of-message', detail: `It decrypts under ${hex}.`});
  const notations = clues.ksns.given.flatMap(ksnNotation).slice(0, 1);
  return [...findings, ...notations, ...givenKsnFindings(found, clues)];
}

/** The KSN was given in other than bare hex; a text that is none was read in no notation. */
function ksnNotation(given: string): Finding[] {
  const text = ksnText(given);
  if (text.length < 14) return [];
  if (isHex(text)) {
    const detail = `Pass its digits alone: ${text.toUpperCase()}.`;
    return isHex(given.replaceAll(/\s/g, '')) ? [] : [{label: 'ksn-embedded', detail}];
  }
  if (fromLookAlikes(text) !== undefined)
    return [{label: 'look-alikes', detail: 'Found in the KSN.'}];
  return isHex(ksnDigits(given)) ? [{label: 'base64', detail: 'The KSN was base64-encoded.'}] : [];
}

/** The user gave a KSN although the payload contains one. */
function givenKsnFindings({ksn}: KeyMatch, {ksns}: Clues): Finding[] {
  if (!ksn || ksn.source === 'given') return [];
  const [given] = ksns.given.flatMap((text) => plainForms(text, 'given'));
  if (!given) return malformedKsn(ksns.given);
  if (given.ksn.hex === ksn.ksn.hex) return [];
  const distance = ksn.ksn.counter - given.ksn.counter;
  const isNear = given.ksn.initial === ksn.ksn.initial;
  const detail = ksnDetail(given.from, ksn.ksn.hex, isNear ? distance : undefined);
  return [{label: isNear ? 'ksn-neighbour' : 'ksn-of-message', detail, of: given.from}];
}

/** The first of the KSNs that were given cannot be one. */
export function malformedKsn([given]: readonly string[]): Finding[] {
  if (given === undefined || plainForms(given, 'given').length > 0) return [];
  const {length} = ksnDigits(given);
  const detail = `It has ${length} digits; expected 20 (16 or 18 if the leading FF bytes were dropped), or 24 for AES DUKPT.`;
  return [{label: 'ksn-malformed', detail, of: given}];
}

function ksnDetail(from: string, to: string, distance?: number, place?: string): string {
  const away = distance === undefined ? '' : ` (${distance > 0 ? '+' : ''}${distance})`;
  const digit = place === undefined ? '' : ` ${place}`;
  return `Given ${from.length} digits, ${from}; it decrypts under ${to}${away}.${digit}`;
}

/** The KSN that decrypted a ciphertext is neither its own nor the one given. */
function isOfOther({target, ksn}: OpenedTarget, {ksns}: Clues): boolean {
  if (!ksn || ksn.change) return false;
  if (target.ksn !== undefined) return !target.ksn.toUpperCase().endsWith(ksn.ksn.hex.slice(-16));
  return ksn.source === 'message' && ksns.given.length > 0;
}
