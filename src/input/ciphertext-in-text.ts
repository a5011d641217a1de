import {bytesFromBase64, bytesFromHex, isHex} from '../platform/bytes.js';
import type {InputFinding} from './finding.js';
import {BLOCK_DIGITS} from './gapped-ciphertexts.js';
import type {Interpretation, Target} from './interpretation.js';
import type {Form} from './notations/text-forms.js';

const MAX_CIPHERTEXTS_IN_TEXT = 40;

/**
 * Finds runs of hex digits, or else of base64, in other text: every run of whole blocks is a
 * ciphertext.
 */
export function interpretationsInText(form: Form): Interpretation[] {
  const hex = hexRuns(form.text);
  const isBase64 = hex.length === 0;
  const targets = isBase64 ? base64Runs(form.text) : hex;
  if (targets.length === 0) return [];
  const encoding: InputFinding[] = isBase64 ? [{label: 'base64'}] : [];
  const findings: InputFinding[] = [...form.findings, ...encoding, {label: 'text-around'}];
  const runs = targets.slice(0, MAX_CIPHERTEXTS_IN_TEXT);
  return [
    ...blocksTogether(targets, findings),
    {kind: 'in-text', form: 'hex digits in text', targets: runs, findings},
  ];
}

const HEX_RUN = /(?<![0-9A-Za-z])[0-9A-Fa-f]{16,}(?![0-9A-Za-z])/g;
const BASE64_RUN = /(?<![\w+/=])[A-Za-z0-9+/]{22,}={0,2}(?![\w+/=])/g;

function hexRuns(text: string): Target[] {
  return firstMatches(text, HEX_RUN, MAX_RUNS).flatMap(({0: run, index}): Target[] => {
    const label = labelBefore(text, index);
    // Truncated data still begins with whole blocks.
    const end =
      run.length < 3 * BLOCK_DIGITS ? run.length : run.length - (run.length % BLOCK_DIGITS);
    if (end % BLOCK_DIGITS !== 0 || /ksn|key|bdk|ipek|iv\b/i.test(label)) return [];
    const ciphertext = bytesFromHex(run.slice(0, end));
    return ciphertext ? [{name: nameOf(label, index), ciphertext}] : [];
  });
}

function base64Runs(text: string): Target[] {
  return firstMatches(text, BASE64_RUN, MAX_RUNS).flatMap(({0: run, index}): Target[] => {
    const ciphertext = isHex(run) ? undefined : bytesFromBase64(run);
    if (!ciphertext || ciphertext.length % 8 !== 0) return [];
    return [{name: nameOf(labelBefore(text, index), index), ciphertext}];
  });
}

/** A list of more runs is no payload. */
const MAX_RUNS = 1024;

/** At most `most` matches of a global expression: the rest of the text is not searched. */
export function firstMatches(text: string, form: RegExp, most: number): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(form)) {
    found.push(match);
    if (found.length === most) break;
  }
  return found;
}

function nameOf(label: string, index: number): string {
  return label === '' ? `run at ${index}` : label;
}

/** Joins blocks that a text lists one by one into one ciphertext. */
function blocksTogether(
  targets: readonly Target[],
  findings: readonly InputFinding[],
): Interpretation[] {
  const sizes = new Set(targets.map(({ciphertext}) => ciphertext.length));
  const [size = 0] = sizes;
  if (targets.length < 2 || sizes.size > 1 || size > 16) return [];
  const ciphertext = Uint8Array.from(targets.flatMap((one) => [...one.ciphertext]));
  const data = {name: 'data', ciphertext};
  return [{kind: 'together', form: 'blocks in text', targets: [data], findings}];
}

/** Number of characters that are searched for a label. */
const LABEL_REACH = 64;

/** The word or words before the run that begins at `index`: `Track 1 encrypted:`. */
export function labelBefore(text: string, index: number): string {
  const near = text.slice(Math.max(index - LABEL_REACH, 0), index);
  const [, label = ''] =
    /([A-Za-z][A-Za-z0-9 ._-]{0,38})["']?(?:\s*[:=>]\s*|\s+)["']?$/.exec(near) ?? [];
  return label.trim();
}
