import {parseJsonObject} from '../../contract/parse-json.js';
import {type DiagnosisJson, diagnosisJson} from '../../diagnosis/answer/diagnosis-json.js';
import {maskReport} from '../../diagnosis/answer/mask-report.js';
import {type Diagnosis, diagnose} from '../../diagnosis/diagnose.js';
import {report} from '../../diagnosis/report.js';
import {isBinary} from '../../engine/decode-input.js';
import type {TerminalType} from '../../engine/families/registry.js';
import {isCase, parseCase} from '../../input/case.js';
import {isReadByDiagnosis} from '../../input/interpret.js';
import {mayBePaste} from '../../input/paste/judge.js';
import {readPaste} from '../../input/paste/read-paste.js';
import {upperHexOf} from '../../platform/bytes.js';
import {type ErrorView, errorView} from '../model/advice.js';
import type {RequestFields} from '../model/read-input.js';

/** A text for the worker to diagnose. */
export interface DiagnosisOrder extends DiagnosisSettings {
  readonly isDiagnosis: true;
  readonly text: string;
}

/** The settings of the page that decrypt the case. */
export interface Remedy {
  readonly payload: string;
  readonly deviceType: string;
  readonly ksn?: string | undefined;
  readonly iv?: string | undefined;
  /** The key to use; absent: a published one. */
  readonly key?: string;
  readonly compatibility?: boolean;
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
/** At most ten messages a second. */
const PROGRESS_PAUSE_MS = 100;

/** Answers one order. */
export function diagnoseOrder(order: DiagnosisOrder, send: (news: DiagnosisNews) => void): void {
  let last = -PROGRESS_PAUSE_MS;
  try {
    const diagnosis = diagnose(parseCase(caseOf(order.text, order)), {
      budgetMs: DIAGNOSIS_MS,
      now: () => performance.now(),
      onProgress: (stage, tried, elapsedMs) => {
        if (elapsedMs - last < PROGRESS_PAUSE_MS) return;
        last = elapsedMs;
        send({kind: 'progress', stage, tried, elapsedMs});
      },
    });
    send({kind: 'done', answer: diagnosed(diagnosis)});
  } catch (error) {
    send({kind: 'failed', error: errorView(error)});
  }
}

function diagnosed(diagnosis: Diagnosis): Diagnosed {
  const found = report(diagnosis);
  const remedy = remedyOf(diagnosis, found);
  return {
    masked: diagnosisJson(maskReport(found), false),
    clear: diagnosisJson(found, true),
    ...(remedy ? {remedy} : {}),
  };
}

function remedyOf({found}: Diagnosis, {next}: ReturnType<typeof report>): Remedy | undefined {
  if (!found || !next) return undefined;
  const {deviceType, devicePayload, ksn, iv} = next.request;
  return {
    payload: devicePayload,
    deviceType,
    ksn,
    iv,
    ...(next.keys === 'published' ? {} : {key: upperHexOf(found.key.bytes)}),
    ...(next.compatibility ? {compatibility: true} : {}),
  };
}

/** The settings for the text to diagnose. */
interface DiagnosisSettings extends RequestFields {
  readonly terminal: TerminalType | undefined;
  readonly keys: readonly string[];
}

/** The case that a text and the settings give together, in JSON. Throws 2004, and 2100 as `readPaste`. */
function caseOf(text: string, {terminal, ksn, iv, keys}: DiagnosisSettings): string {
  const own = isCase(text) ? {...parseJsonObject(text)} : {payload: bareOf(text, terminal)};
  const {keys: given = [], ...rest} = own as {keys?: readonly unknown[]};
  const added = keys.map((hex) => ({kind: 'unknown', hex}));
  return JSON.stringify({
    ...rest,
    ...(terminal === undefined ? {} : {deviceType: terminal}),
    ...(ksn === undefined ? {} : {ksn}),
    ...(iv === undefined ? {} : {iv}),
    keys: [...given, ...added],
  });
}

/** Undoes only the pastes that the diagnosis does not undo and name itself. */
function bareOf(text: string, terminal: TerminalType | undefined): string {
  const payload = isBinary(text) ? text : text.replace(/\r?\n$/, '');
  const paste = mayBePaste(payload, terminal) ? readPaste(payload, terminal) : undefined;
  if (!paste) return payload;
  return isReadByDiagnosis(payload, {deviceType: terminal}) ? payload : paste.payload;
}
