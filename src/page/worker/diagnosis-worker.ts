import {DESCRIBED_TYPE} from '../../contract/device-types.js';
import {parseJsonObject} from '../../contract/parse-json.js';
import {type Answer, answerSteps} from '../../diagnosis/answer/answer.js';
import {type DiagnosisJson, diagnosisJson} from '../../diagnosis/answer/diagnosis-json.js';
import {maskReport} from '../../diagnosis/answer/mask-report.js';
import {type Diagnosis, diagnose} from '../../diagnosis/diagnose.js';
import {report} from '../../diagnosis/report.js';
import type {TerminalType} from '../../engine/families/registry.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {compactHex} from '../../engine/forms/payload-bytes.js';
import {isCase, parseCase} from '../../input/case.js';
import {finish} from '../../input/steps.js';
import {upperHexOf} from '../../platform/bytes.js';
import {type ErrorView, errorView} from '../model/advice.js';
import type {ExplorationOrder} from '../model/explore.js';
import {hasKeys, keysInWords, typedKeys} from '../model/keys.js';
import {NO_ROWS, type Read, type ReadSettings, readOf} from '../model/read.js';

/** A read for the worker to diagnose. */
export interface DiagnosisOrder extends ExplorationOrder {
  readonly isDiagnosis: true;
}

/** A read that failed, for the worker to say why. */
export interface WhyOrder extends ExplorationOrder {
  readonly error: ErrorView;
}

/** A row that is to change: its label, and its value before and after. */
export interface Change {
  readonly row: string;
  readonly from: string;
  readonly to: string;
}

export function changeInWords({row, from, to}: Change): string {
  return `${row} ${to || 'none'}${from && ` in place of ${from}`}`;
}

/** The rows of the page that decrypt the case. */
export interface Remedy {
  readonly read: ExplorationOrder;
  readonly changes: readonly Change[];
}

/** A finished diagnosis in both forms. */
export interface Diagnosed {
  readonly masked: DiagnosisJson;
  readonly clear: DiagnosisJson;
  readonly remedy?: Remedy;
}

/** A message of the worker. */
export type DiagnosisNews =
  | {
      readonly kind: 'progress';
      readonly stage: string;
      readonly tried: number;
      readonly elapsedMs: number;
    }
  | {readonly kind: 'done'; readonly answer: Diagnosed}
  | {readonly kind: 'failed'; readonly error: ErrorView};

/** The time that a diagnosis may take. */
export const DIAGNOSIS_MS = 10_000;
/** Of a busy machine: a browser has no clock of the work alone, and nobody waits. */
const WHY_MS = 3000;
/** At most ten messages a second. */
const PROGRESS_PAUSE_MS = 100;

/** Answers one order. */
export function diagnoseOrder(order: DiagnosisOrder, send: (news: DiagnosisNews) => void): void {
  let last = -PROGRESS_PAUSE_MS;
  try {
    const read = readOf(order);
    const diagnosis = diagnose(parseCase(caseOf(order, read)), {
      budgetMs: DIAGNOSIS_MS,
      now: () => performance.now(),
      onProgress: (stage, tried, elapsedMs) => {
        if (elapsedMs - last < PROGRESS_PAUSE_MS) return;
        last = elapsedMs;
        send({kind: 'progress', stage, tried, elapsedMs});
      },
    });
    const found = report(diagnosis);
    const remedy = remedyOf(diagnosis, found, order, read);
    const masked = diagnosisJson(maskReport(found), false);
    const answer = {masked, clear: diagnosisJson(found, true), ...(remedy && {remedy})};
    send({kind: 'done', answer});
  } catch (error) {
    send({kind: 'failed', error: errorView(error)});
  }
}

/** The answer that the command line has to the same failure, masked. Throws as `parseCase`. */
export function whyOf({error, ...order}: WhyOrder): Answer {
  const given = parseCase(caseOf(order, readOf(order)));
  const failure = {error, given, hasKeys: hasKeys(order.keys), search: '', budgetMs: WHY_MS};
  return finish(answerSteps(failure, () => performance.now()));
}

function remedyOf(
  {found}: Diagnosis,
  {next}: ReturnType<typeof report>,
  {keys}: DiagnosisOrder,
  before: Read,
): Remedy | undefined {
  if (!found || !next) return undefined;
  const {keys: whose, kind: role, compatibility, request} = next;
  const typed = upperHexOf(found.key.bytes);
  const chosen =
    whose === 'published'
      ? {testKeys: true, typed: ''}
      : {testKeys: keys.testKeys, typed, role, compatibility};
  const rows = rowsOf(request, before);
  const isRepaired = rows.text.toUpperCase() !== before.payload.toUpperCase();
  const changes = [
    ...ROW_LABELS.map(([name, row]) => ({row, from: before[name] ?? '', to: rows[name] ?? ''})),
    {row: 'Payload', from: '', to: isRepaired ? 'as it decrypts' : ''},
    {row: 'Key', from: keysInWords(keys), to: keysInWords(chosen)},
  ].filter(({from, to}) => from.toUpperCase() !== to.toUpperCase());
  return {read: {...rows, keys: chosen}, changes};
}

const ROW_LABELS = [
  ['terminal', 'Terminal'],
  ['ksn', 'KSN'],
  ['iv', 'IV'],
  ['variant', 'Variant'],
  ['mode', 'Mode'],
] as const;

/** The rows of a request; what describes the ciphertext that was given goes into rows of its own. */
function rowsOf(
  {deviceType, devicePayload: text, ksn, iv}: AnyRequest,
  {payload}: Read,
): ReadSettings & {readonly text: string} {
  if (deviceType === DESCRIBED_TYPE) {
    const {algorithm, ...members} = parseJsonObject(text);
    const {ksn, iv, variant, mode, ...values} = members as ReadSettings;
    const bare = compactHex(payload)?.toUpperCase();
    if (algorithm === undefined && Object.values(values).join() === bare)
      return {...NO_ROWS, text: payload, ksn, iv, variant, mode};
  }
  return {...NO_ROWS, terminal: deviceType as TerminalType, text, ksn, iv};
}

/** The case that a read and its keys give together, in JSON. Throws 2004. */
function caseOf({text, keys, ...rows}: ExplorationOrder, read: Read): string {
  const isOwn = isCase(text);
  const {keys: given = [], ...own}: {readonly keys?: readonly unknown[]} = isOwn
    ? parseJsonObject(text)
    : {payload: read.payload};
  // A case says more than the rows hold; only what was filled in by hand comes before it.
  const {terminal, ksn, iv} = isOwn ? rows : read;
  const added = typedKeys(keys.typed).map((hex) => ({kind: keys.role ?? 'unknown', hex}));
  const said = {...(terminal && {deviceType: terminal}), ...(ksn && {ksn}), ...(iv && {iv})};
  return JSON.stringify({...own, ...said, keys: [...given, ...added]});
}
