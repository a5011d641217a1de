import type {SignatureExplanation} from '../../auth/explain/explain-signature.js';

/** What a server computes for a request, as far as people asked for it or need it. */
export function stepsText(
  {stringToHash, contentHash = '', unexplained}: SignatureExplanation,
  isAsked: boolean,
): readonly string[] {
  if (stringToHash === undefined || !(isAsked || unexplained)) return [];
  const hash = isAsked ? [step('content hash', [contentHash])] : [];
  return [...hash, step('string to hash', visibleLines(stringToHash))];
}

/** A text with its line feeds and controls shown as escapes, each line separately. */
export function visibleLines(text: string): string[] {
  const shown = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n\n')
    .replace(/[^\n\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return shown.split('\n');
}

/** A step of signing with its name. */
export function step(name: string, [first = '', ...more]: readonly string[]): string {
  const rest = more.map((line) => `${' '.repeat(16)}${line}`);
  return [`${name.padEnd(15)} ${first}`, ...rest].join('\n');
}

export const REJECTED_NOW = 'a server would reject it now';

/** The verdict on the credentials of a request, one line for each mistake. */
export function verdict({right, faults, timeFault}: SignatureExplanation): string {
  if (!right) return faults.map((fault) => `invalid: ${fault}`).join('\n');
  return timeFault === undefined ? 'valid' : `valid\nbut ${REJECTED_NOW}: ${timeFault}`;
}
