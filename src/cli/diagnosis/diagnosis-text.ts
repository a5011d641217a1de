import type {Report, Solution} from '../../diagnosis/report.js';
import {colors} from '../output/output.js';
import {printable} from '../output/terminal-text.js';
import {wrapText} from '../output/wrap-text.js';
import {commandOf, preparationOf} from './command-of.js';
import {maskPlaintext} from './mask-plaintext.js';

/** A report for people: verdict, mistakes, evidence, plaintexts, what to do next. */
export function diagnosisText(report: Report, reveal: boolean): string {
  const {solved, solution} = report;
  const head =
    solved && solution
      ? opened(solution)
      : [colors.bold('Not decrypted: no combination of key and settings worked.')];
  return [
    ...head,
    '',
    ...verdictLines(report),
    ...evidenceLines(report),
    ...plaintextLines(report, reveal),
    ...nextLines(report),
    ...excludedLines(report),
    `${report.tried.toLocaleString('en')} trials in ${(report.elapsedMs / 1000).toFixed(1)} s`,
  ].join('\n');
}

function opened(solution: Solution): string[] {
  const {key, ksn, variant, selfEncrypted, algorithm, usage, mode, iv, packing} = solution;
  const made = usage
    ? `usage ${usage}`
    : `${variant} variant${selfEncrypted ? ', self-encrypted' : ''}`;
  const chain = iv === null ? 'IV unknown' : /[^0]/.test(iv) ? `IV ${iv}` : 'zero IV';
  const rows = [
    ['terminal', solution.deviceType ?? 'unknown'],
    ['form', solution.form],
    ['key', `${key.source} (${ROLES[key.role] ?? key.role})`],
    ['KSN', ksn ?? 'not needed'],
    ['working key', key.role === 'working' ? 'used directly' : made],
    ['cipher', `${algorithm.toUpperCase()} ${mode?.toUpperCase() ?? 'CBC or ECB'}, ${chain}`],
    ['packing', packing],
  ];
  return [
    colors.bold('Decrypted.'),
    ...rows.map(([name = '', value = '']) => `  ${name.padEnd(12)}${printable(value)}`),
  ];
}

const ROLES: Readonly<Record<string, string>> = {
  bdk: 'BDK',
  ik: 'initial key',
  transaction: 'transaction key',
  working: 'working key',
};

function verdictLines({verdicts}: Report): string[] {
  return [
    ...verdicts.flatMap(({label, text, detail}) => [
      `${colors.bold(label)}`,
      ...wrapText(text, WIDTH)
        .split('\n')
        .map((line) => `  ${line}`),
      ...(detail === undefined
        ? []
        : wrapText(printable(detail), WIDTH)
            .split('\n')
            .map((line) => `  ${line}`)),
    ]),
    '',
  ];
}

const WIDTH = 96;

function excludedLines({solved, excluded}: Report): string[] {
  if (solved) return [];
  return ['What was tried', ...excluded.map((what) => `  ${what}`), ''];
}

function evidenceLines({evidence}: Report): string[] {
  if (evidence.length === 0) return [];
  return ['Evidence', ...evidence.map((fact) => `  ${colors.green('✓')} ${printable(fact)}`), ''];
}

function plaintextLines({plaintexts}: Report, reveal: boolean): string[] {
  if (plaintexts.length === 0) return [];
  const lines = plaintexts.flatMap((one) => {
    const {hex, text} = reveal ? one : maskPlaintext(one);
    const shown = text === '' ? hex : text;
    return [
      `  ${printable(one.name)}: ${printable(shown)}`,
      ...(reveal && text !== '' ? [`    ${hex}`] : []),
    ];
  });
  return ['Plaintext', ...lines, ''];
}

function nextLines({next, solution, verdicts, plaintexts}: Report): string[] {
  if (next) {
    const before = preparationOf(next);
    return ['Next', ...(before ? [`  ${before}`] : []), `  ${commandOf(next)}`, ''];
  }
  if (!solution) return [];
  if (verdicts.some(({label}) => label === 'frame-damaged')) {
    return ['Next', '  Capture the payload again: `decrypt` rejects a damaged frame.', ''];
  }
  const {role} = solution.key;
  if (role === 'bdk' || role === 'ik') return ['Next', `  ${remedyFor(solution, plaintexts)}`, ''];
  return [
    'Next',
    '  `decrypt` needs a BDK or initial key: request one of these from the key owner.',
    '',
  ];
}

/** What to do if the key is correct but `decrypt` has nothing to show. */
function remedyFor({iv}: Solution, [first]: Report['plaintexts']): string {
  if (first?.isPin) return 'Nothing to fix: `decrypt` handles card data, not PIN blocks.';
  if (iv === null)
    return 'The first block cannot be recovered: get the IV, or the bytes that precede the ciphertext.';
  return 'The key is correct, but `decrypt` needs complete card data. Run `paylens derive` to see the working key.';
}
