import {bytesFromHex, isHex} from '../platform/bytes.js';
import type {DiagnosisCase} from './case.js';
import type {InputFinding} from './finding.js';
import type {Interpretation, Target} from './interpretation.js';

const MAX_JOINED_CIPHERTEXTS = 6;
const MAX_JOINED_BYTES = 4096;

/**
 * The ciphertexts of each message as one: some terminals encrypt all tracks together, so only the
 * plaintext shows where each ends.
 */
export function joinedInterpretations(
  interpretations: readonly Interpretation[],
): Interpretation[] {
  return interpretations.flatMap((interpretation): Interpretation[] => {
    const {kind, form, targets, findings} = interpretation;
    const ksns = new Set(targets.map(({ksn}) => ksn));
    if (
      kind === 'pieces' ||
      targets.length < 2 ||
      targets.length > MAX_JOINED_CIPHERTEXTS ||
      ksns.size > 1
    )
      return [];
    const ciphertext = Uint8Array.from(targets.flatMap((one) => [...one.ciphertext]));
    const [{ksn, iv, setting}] = targets as readonly [Target];
    const target = {name: 'data', ciphertext, ksn, iv, setting};
    return joined(form, target, targets, findings);
  });
}

/** The ciphertexts of a case as one, even if the single ones are not whole blocks. */
export function joinedCiphertexts({ciphertexts}: DiagnosisCase): Interpretation[] {
  const digits = ciphertexts.map(({text}) => text.replaceAll(/\s/g, ''));
  const ciphertext = digits.every(isHex) ? bytesFromHex(digits.join('')) : undefined;
  const isCutInside = digits.some(({length}) => length % 16 !== 0);
  if (!ciphertext || !isCutInside || digits.length < 2 || digits.length > MAX_JOINED_CIPHERTEXTS)
    return [];
  return joined('bare ciphertexts', {name: 'data', ciphertext}, ciphertexts, []);
}

function joined(
  form: string,
  target: Target,
  parts: readonly {readonly name: string}[],
  findings: readonly InputFinding[],
): Interpretation[] {
  const {length} = target.ciphertext;
  if (length % 8 !== 0 || length > MAX_JOINED_BYTES) return [];
  const names = parts.map(({name}) => name).join(', ');
  const detail = `${names}: one ciphertext of ${length} bytes.`;
  const all: InputFinding[] = [...findings, {label: 'chain-runs-on', detail}];
  return [{kind: 'joined', form: `${form}, as one`, targets: [target], findings: all}];
}
