import {bytesFromHex, isHex} from '../../platform/bytes.js';
import type {Finding} from '../finding.js';
import type {DiagnosisCase} from './case.js';
import type {Subject, Target} from './interpretation.js';

const MOST_JOINED = 6;
const MOST_BYTES = 4096;

/**
 * The ciphertexts of each message as one: some terminals encrypt all tracks together, so only the
 * plaintext shows where each ends.
 */
export function joinedSubjects(subjects: readonly Subject[]): Subject[] {
  return subjects.flatMap((subject): Subject[] => {
    const {kind, form, targets, findings} = subject;
    const ksns = new Set(targets.map(({ksn}) => ksn));
    if (kind === 'pieces' || targets.length < 2 || targets.length > MOST_JOINED || ksns.size > 1)
      return [];
    const ciphertext = Uint8Array.from(targets.flatMap((one) => [...one.ciphertext]));
    const [{ksn, iv, setting}] = targets as readonly [Target];
    const target = {name: 'data', ciphertext, ksn, iv, setting};
    return joined(form, target, targets, findings);
  });
}

/** The ciphertexts of a case as one, even if the single ones are not whole blocks. */
export function joinedCiphertexts({ciphertexts}: DiagnosisCase): Subject[] {
  const digits = ciphertexts.map(({text}) => text.replaceAll(/\s/g, ''));
  const ciphertext = digits.every(isHex) ? bytesFromHex(digits.join('')) : undefined;
  const isCutInside = digits.some(({length}) => length % 16 !== 0);
  if (!ciphertext || !isCutInside || digits.length < 2 || digits.length > MOST_JOINED) return [];
  return joined('bare ciphertexts', {name: 'data', ciphertext}, ciphertexts, []);
}

function joined(
  form: string,
  target: Target,
  parts: readonly {readonly name: string}[],
  findings: readonly Finding[],
): Subject[] {
  const {length} = target.ciphertext;
  if (length % 8 !== 0 || length > MOST_BYTES) return [];
  const names = parts.map(({name}) => name).join(', ');
  const detail = `${names}: one ciphertext of ${length} bytes.`;
  const all: Finding[] = [...findings, {label: 'chain-runs-on', detail}];
  return [{kind: 'joined', form: `${form}, as one`, targets: [target], findings: all}];
}
