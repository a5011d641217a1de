import type {SignatureExplanation} from '../../auth/explain/explain-signature.js';
import {type ComparedLine, visibleLinesOf} from '../../client/compare-strings.js';
import type {GivenString} from '../../client/given-string.js';

/** What a server computes for a request, as far as people asked for it or need it. */
export function stepsText(
  result: SignatureExplanation,
  given: GivenString | undefined,
  isAsked: boolean,
): readonly string[] {
  const {stringToHash, contentHash = ''} = result;
  if (stringToHash === undefined) return [];
  const hash = isAsked ? [step('content hash', [contentHash])] : [];
  if (given) return [...hash, comparisonText(given.lines)];
  const isShown = isAsked || result.unexplained === true;
  return [...hash, ...(isShown ? [step('string to hash', visibleLinesOf(stringToHash))] : [])];
}

/** A step of signing with its name. */
export function step(name: string, [first = '', ...more]: readonly string[]): string {
  const rest = more.map((line) => `${' '.repeat(16)}${line}`);
  return [`${name.padEnd(15)} ${first}`, ...rest].join('\n');
}

/** Two strings to hash for people: a line in both once, others one above the other, marked. */
function comparisonText(lines: readonly ComparedLine[]): string {
  return ['string to hash', ...lines.flatMap(comparedText)].join('\n');
}

const NONE = '(no such line)';

function comparedText({server = NONE, given = NONE, same}: ComparedLine): string[] {
  if (same === undefined) return [`  both    ${server}`];
  const mark = `${' '.repeat(10 + same)}^`;
  return [`- server  ${server}`, `+ given   ${given}`, mark];
}

export const REJECTED_NOW = 'a server would reject it now';

/** The verdict on the credentials of a request, one line for each mistake. */
export function verdict({right, faults, timeFault}: SignatureExplanation): string {
  if (!right) return faults.map((fault) => `invalid: ${fault}`).join('\n');
  return timeFault === undefined ? 'valid' : `valid\nbut ${REJECTED_NOW}: ${timeFault}`;
}

/** What the string given says of a wrong response. */
export function givenVerdict({isSame, signed}: GivenString): string {
  const string = isSame
    ? 'the string given is that of the server'
    : 'the string given differs from that of the server';
  if (!signed) return string;
  if (!signed.right)
    return `${string}, and the response is not its HMAC-SHA256 with any form of the key`;
  const key = signed.mistake === undefined ? 'with the right key' : `but ${signed.mistake}`;
  return `${string}; the response was made from it, ${key}`;
}
