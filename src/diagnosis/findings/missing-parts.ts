import {blockSizeOf} from '../../engine/cipher/block-cipher.js';
import type {GapRun} from '../../input/gapped-ciphertexts.js';
import type {Target} from '../../input/interpretation.js';
import {latin1Of, upperHexOf} from '../../platform/bytes.js';
import type {Finding} from '../finding.js';
import type {KeyMatch, OpenedTarget} from '../search/key-match.js';
import {MAX_CIPHERTEXT_BYTES} from '../search/key-trial.js';

/**
 * Reports what was not decrypted, and why: whole ciphertexts, the rest of one, the end of a track.
 */
export function missingParts({probe, opened}: KeyMatch): Finding[] {
  const {targets, kind} = probe.interpretation;
  // Pieces that may overlap, and runs of unknown meaning, are guesses.
  const isGuess = kind === 'pieces' || kind === 'in-text';
  const closed = targets.filter((target) => !opened.some((one) => one.target === target));
  const details = [
    ...(isGuess ? [] : closed.map((target) => whyClosed(target, opened))),
    ...opened.flatMap(restOf),
    ...opened.flatMap(endOf),
  ];
  return details.length === 0 ? [] : [{label: 'part-missing', detail: details.join(' ')}];
}

/**
 * Reports gaps in the input outside the decrypted data, unless the digits around them decrypted too,
 * or what stood in the gap was a letter for a digit.
 */
export function gapsBeside({opened, probe}: KeyMatch, gaps: readonly GapRun[]): Finding[] {
  const {gap, findings} = probe.interpretation;
  if (gap !== undefined || findings.some(({label}) => label === 'look-alikes')) return [];
  const decrypted = opened.map(({target}) => upperHexOf(target.ciphertext));
  return gaps.flatMap(({pieces, finding}) => {
    const left = pieces.filter(
      // Nothing but these ciphertexts.
      (piece) => decrypted.reduce((rest, one) => rest.replace(one, ''), piece.toUpperCase()) !== '',
    );
    if (left.length === 0) return [];
    const digits = left.reduce((sum, {length}) => sum + length, 0);
    const detail = `Of the run with missing digits, ${digits} digits were not decrypted as a whole.`;
    return [finding, {label: 'part-missing', detail} as const];
  });
}

const SHORT = 16;

function whyClosed(target: Target, opened: readonly OpenedTarget[]): string {
  const {name, ciphertext, ksn, gaps, setting} = target;
  const {length} = ciphertext;
  // AES and TDES may occur in one payload, each with its KSN.
  const size = setting
    ? blockSizeOf(setting.algorithm)
    : Math.max(8, ...opened.map((one) => blockSizeOf(one.setting.algorithm)));
  const what = `${name} was not decrypted:`;
  if (length % size !== 0) return `${what} its ${length} bytes are not a multiple of ${size}.`;
  if (gaps) return `${what} too little of its ${length} bytes is left beside the missing digits.`;
  const others = opened.map((one) => one.ksn?.ksn.hex);
  if (ksn !== undefined && !others.includes(ksn.toUpperCase())) {
    return `${what} it has the KSN ${ksn}, under which the key gives no card data.`;
  }
  if (length <= SHORT)
    return `${what} its ${length} bytes are too few to confirm; it may be a PIN block.`;
  return `${what} under the same key its ${length} bytes are not card data; they are damaged or encrypted under another key.`;
}

/** The bytes after the decrypted part of a ciphertext. */
function restOf({target, reading}: OpenedTarget): string[] {
  const from = reading.iv?.source === 'prepended' ? reading.iv.bytes.length : 0;
  const rest = target.ciphertext.length - from - reading.plain.length;
  if (rest <= 0) return [];
  if (reading.mode === undefined) {
    return [`${target.name}: ${rest} bytes after the first block, which need the mode.`];
  }
  if (from + reading.plain.length === MAX_CIPHERTEXT_BYTES)
    return [`${target.name}: ${rest} bytes after the first ${MAX_CIPHERTEXT_BYTES} were not read.`];
  return [
    `${target.name}: ${rest} bytes after it do not belong to it, or are encrypted under another key.`,
  ];
}

/** A track with a start sentinel that extends to the last byte without its end sentinel. */
function endOf({target, reading: {plain, openings}}: OpenedTarget): string[] {
  const last = openings.at(-1);
  const track =
    last?.packing === 'ascii' ? (last.content?.track1 ?? last.content?.track2) : undefined;
  const text = latin1Of(plain);
  if (!track || !/[%;]/.test(latin1Of(track.bytes)) || text.includes('?') || !/[ -~]$/.test(text))
    return [];
  return [`${target.name}: the track has no end sentinel (?): its ciphertext was truncated.`];
}
