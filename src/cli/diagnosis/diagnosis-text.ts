import {nounFor} from '../../contract/found-hex.js';
import {
  changesOf,
  commandOf,
  isPrompted,
  isUnshown,
  preparationOf,
} from '../../diagnosis/answer/command-of.js';
import {maskPlaintext} from '../../diagnosis/answer/mask-plaintext.js';
import type {NextStep} from '../../diagnosis/findings/next-step.js';
import type {Rank} from '../../diagnosis/labels.js';
import type {Report, Solution, Verdict} from '../../diagnosis/report.js';
import {indented, type Layout, type Part, stack, text, verbatim} from '../output/layout/layout.js';
import {plainRecord} from '../output/layout/table.js';
import {colors} from '../output/output.js';
import {printable} from '../output/terminal-text.js';

interface Shown {
  readonly reveal: boolean;
  /** Also show the background. */
  readonly explain: boolean;
}

/** A report for people: the cause, what else is wrong, evidence, plaintexts, what to do next. */
export function diagnosisText(report: Report, {reveal, explain}: Shown): Layout {
  const {solved, solution} = report;
  return stack(
    ...(solved && solution
      ? opened(solution)
      : [text('Not decrypted: no combination of key and settings worked.', colors.bold)]),
    '',
    ...verdictParts(report, explain),
    ...section('Evidence', report.evidence.map(fact)),
    ...section('Plaintext', plaintextParts(report, reveal)),
    ...nextParts(report),
    ...section('What was tried', report.solved ? [] : report.excluded),
    `${report.tried.toLocaleString('en')} ${nounFor(report.tried, 'trial')} in ${(report.elapsedMs / 1000).toFixed(1)} s`,
  );
}

/** Its heading, its parts below it, an empty line; nothing without parts. */
function section(heading: string, parts: readonly Part[]): Part[] {
  return parts.length === 0 ? [] : [heading, ...parts.map((part) => indented(2, part)), ''];
}

function opened(solution: Solution): Part[] {
  const {key, ksn, variant, selfEncrypted, algorithm, usage, mode, iv, packing} = solution;
  const made = usage
    ? `usage ${usage}`
    : `${variant} variant${selfEncrypted ? ', self-encrypted' : ''}`;
  const chain = iv === null ? 'IV unknown' : /[^0]/.test(iv) ? `IV ${iv}` : 'zero IV';
  const members = plainRecord([
    ['terminal', solution.deviceType ?? 'unknown'],
    ['form', printable(solution.form)],
    ['key', printable(`${key.source} (${ROLES[key.role] ?? key.role})`)],
    ['KSN', ksn ?? 'not needed'],
    ['working key', key.role === 'working' ? 'used directly' : made],
    ['cipher', `${algorithm.toUpperCase()} ${mode?.toUpperCase() ?? 'CBC or ECB'}, ${chain}`],
    ['packing', packing],
  ]);
  return [text('Decrypted.', colors.bold), indented(2, members)];
}

const ROLES: Readonly<Record<string, string>> = {
  bdk: 'BDK',
  ik: 'initial key',
  transaction: 'transaction key',
  working: 'working key',
};

/** The cause, then what else is known by rank. */
function verdictParts({verdicts}: Report, explain: boolean): Part[] {
  const [first, ...others] = verdicts.filter(({rank}) => explain || rank !== 'background');
  const of = (rank: Rank) => others.filter((one) => one.rank === rank).map(verdictPart);
  return [
    ...(first ? [verdictPart(first)] : []),
    '',
    ...section('Further mistakes', of('mistake')),
    ...section('How it is encrypted', of('setting')),
    ...section('Background', of('background')),
  ];
}

function verdictPart({label, text: what, detail, correction}: Verdict): Part {
  const lines = [what, detail, correction].filter((line) => line !== undefined);
  return stack(text(label, colors.bold), ...lines.map((line) => indented(2, printable(line))));
}

function fact(what: string): Part {
  const mark = colors.green('✓');
  const line = text(`✓ ${printable(what)}`);
  return (width) => line(width).replace('✓', mark);
}

function plaintextParts({plaintexts}: Report, reveal: boolean): Part[] {
  return plaintexts.flatMap((one) => {
    const {hex, text: shown} = reveal ? one : maskPlaintext(one);
    const line = `${printable(one.name)}: ${printable(shown === '' ? hex : shown)}`;
    return reveal && shown !== '' ? [line, indented(2, hex)] : [line];
  });
}

function nextParts({next, solution, verdicts, plaintexts}: Report): Part[] {
  if (next) return ['Next', ...nextCommands(next), ''];
  if (!solution) return [];
  if (verdicts.some(({label}) => label === 'frame-damaged')) {
    return section('Next', ['Capture the payload again: `decrypt` rejects a damaged frame.']);
  }
  const {role} = solution.key;
  if (role !== 'transaction') return section('Next', [remedyFor(solution, plaintexts)]);
  return section('Next', [
    '`decrypt` needs a BDK, an initial key or the working key: request one of these from the key owner.',
  ]);
}

function nextCommands(next: NextStep): Part[] {
  const before = preparationOf(next);
  const changes = changesOf(next);
  return [
    ...(changes === undefined ? [] : [indented(2, changes)]),
    ...(before === undefined ? [] : [verbatim(`  ${before}`)]),
    verbatim(`  ${commandOf(next)}`),
    ...(isPrompted(next)
      ? [indented(2, 'It prompts for the key; --key-file FILE reads it from a file instead.')]
      : []),
    ...(isUnshown(next) && changes === undefined
      ? [indented(2, 'It reads the corrected payload from stdin.')]
      : []),
  ];
}

/** What to do if the key is correct but `decrypt` has nothing to show. */
function remedyFor({iv}: Solution, [first]: Report['plaintexts']): string {
  if (first?.isPin) return 'Nothing to fix: `decrypt` handles card data, not PIN blocks.';
  if (iv === null)
    return 'The first block cannot be recovered: get the IV, or the bytes that precede the ciphertext.';
  return 'The key is correct, but `decrypt` needs complete card data. Run `paylens derive` to see the working key.';
}
