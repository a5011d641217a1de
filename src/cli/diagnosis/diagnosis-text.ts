import type {Report, Solution} from '../../diagnosis/report.js';
import {colors} from '../output/output.js';
import {printable} from '../output/terminal-text.js';
import {wrapText} from '../output/wrap-text.js';
import {commandOf, preparationOf} from './command-of.js';
import {maskPlaintext} from './mask-plaintext.js';

/** A report for people: verdict, mistakes, evidence, plaintexts, what to do next. */
export function diagnosisText(report: Report, reveal: boolean): string {
  const {solved, solution} = report;
  const head = solved && solution ? opened(solution) : [colors.bold('Nothing opens it.')];
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
  const chain = iv === null ? 'IV not known' : /[^0]/.test(iv) ? `IV ${iv}` : 'zero IV';
  const rows = [
    ['terminal', solution.deviceType ?? 'not known'],
    ['form', solution.form],
    ['key', `${key.source} (${ROLES[key.role] ?? key.role})`],
    ['KSN', ksn ?? 'not needed'],
    ['working key', key.role === 'working' ? 'as it is' : made],
    ['cipher', `${algorithm.toUpperCase()} ${mode.toUpperCase()}, ${chain}`],
    ['packing', packing],
  ];
  return [
    colors.bold('It opens.'),
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
  return ['Tried in vain', ...excluded.map((what) => `  ${what}`), ''];
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
    return ['Next', '  Capture the read again: decrypt refuses a damaged frame.', ''];
  }
  const {role} = solution.key;
  if (role === 'bdk' || role === 'ik') return ['Next', `  ${remedyFor(solution, plaintexts)}`, ''];
  return [
    'Next',
    '  decrypt derives its keys from a BDK or initial key: ask for one of these.',
    '',
  ];
}

/** What to do if the key is correct but `decrypt` has nothing to show. */
function remedyFor({iv}: Solution, [first]: Report['plaintexts']): string {
  if (first?.isPin) return 'Nothing is to be mended: decrypt reads cards, no PINs.';
  if (iv === null) return 'Ask for the IV, or for the bytes in front: the first block is lost.';
  return 'The key is right, but decrypt reads whole card data only: derive shows the working key.';
}
