import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {PaylensError, rethrowTerminalFault} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import type {AnyRequest, TerminalSet} from '../../engine/families/terminal-set.js';
import {hiddenDigits, starred} from '../../engine/inspection/hidden-digits.js';
import {maskUnknown} from '../../engine/inspection/mask-part.js';
import {readPayload} from '../../engine/read-payload.js';
import {type Part, Trace} from '../../engine/trace.js';
import type {NextStep} from '../findings/next-step.js';
import type {Plaintext, Report, Verdict} from '../report.js';

/**
 * A report as it may be shown unasked: sentences without card numbers, names without any long number,
 * and a next command without a payload that holds clear card data. Plaintexts are masked where they
 * are shown.
 */
export function maskReport(report: Report, terminals?: TerminalSet): Report {
  const {verdicts, solution, evidence, plaintexts, next, excluded} = report;
  return {
    ...report,
    verdicts: verdicts.map(
      (one): Verdict =>
        one.detail === undefined ? one : {...one, detail: redactCardNumbers(one.detail)},
    ),
    ...(solution && {
      solution: {
        ...solution,
        form: redactCardNumbers(solution.form),
        key: {...solution.key, source: redactCardNumbers(solution.key.source)},
      },
    }),
    evidence: evidence.map(redactCardNumbers),
    plaintexts: plaintexts.map((one): Plaintext => ({...one, name: maskUnknown(one.name)})),
    ...(next ? {next: maskNext(next, terminals)} : {}),
    excluded: excluded.map(redactCardNumbers),
  };
}

/** A payload with asterisks in it would not decrypt, so the command reads the user's request, or stdin. */
function maskNext(next: NextStep, terminals: TerminalSet | undefined): NextStep {
  if (next.given?.input || !holdsClearCard(next.request, terminals)) return next;
  const {devicePayload, ...holds} = next.request;
  const input = next.given?.corrected ?? {words: ['-'], holds: {}};
  return {
    ...next,
    request: {...holds, devicePayload: ''},
    given: {keyfile: [], ...next.given, input},
  };
}

/** Whether a payload shows a card number besides its ciphertext; one masked with zeros does not count. */
function holdsClearCard(
  {deviceType, devicePayload}: AnyRequest,
  terminals: TerminalSet = KNOWN_TERMINALS,
): boolean {
  const trace = new Trace();
  try {
    readPayload(terminals.get(deviceType), devicePayload, trace);
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    rethrowTerminalFault(error);
  }
  return trace.parts.some(showsCard);
}

function showsCard({sensitivity, name, value, text = value}: Part): boolean {
  if (sensitivity === 'card') return [value, text].some(showsNumber);
  if (sensitivity !== undefined) return showsLikely(name);
  return [name, value, text].some(showsLikely);
}

/** The rest of a track after a masked number is masked as well. */
function showsNumber(value: string): boolean {
  const hidden = hiddenDigits(value);
  const start = hidden.indexOf(1);
  const end = hidden.indexOf(0, start);
  return start >= 0 && /[1-9]/.test(value.slice(start, end < 0 ? undefined : end));
}

function showsLikely(value: string): boolean {
  const masked = HEX_OR_BASE64.test(value)
    ? starred(value, hiddenDigits(value, 'chance'))
    : redactCardNumbers(value);
  return [...value].some((digit, i) => masked[i] === '*' && /[^0*]/.test(digit));
}

/** Hex or base64. */
const HEX_OR_BASE64 = /^[\w+/-]+=*$/;
