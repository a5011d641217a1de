import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import type {DiagnosisJson} from '../diagnosis/answer/diagnosis-json.js';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import type {KINDS} from '../input/case.js';
import type {AbortSignalLike} from '../input/steps.js';
import {upperHexOf} from '../platform/bytes.js';
import {
  bytesOf,
  functionOf,
  guarded,
  listOf,
  membersOf,
  numberOf,
  payloadOf,
  required,
  textOf,
  wrong,
} from './arguments.js';
import type {KeyMaterial} from './keys.js';
import type {CheckedCase} from './run-diagnosis.js';
import {safelyLater} from './safe-errors.js';
import {
  type AnyTerminalType,
  TERMINAL_OPTIONS,
  type TerminalOptions,
  terminalsOf,
} from './terminals.js';

/** A key of a case: what it is meant to be, as far as that is known. */
export interface CaseKey {
  readonly kind?: (typeof KINDS)[number] | undefined;
  /** Hex may have typing errors: they are found. */
  readonly hex: KeyMaterial;
}

/** Everything that is known of a case; all of it is optional. */
export interface DiagnoseCase {
  /** What the terminal sent. */
  readonly payload?: string | Uint8Array | undefined;
  /** Bare ciphertexts, in hex or bytes. */
  readonly ciphertexts?: readonly {readonly name?: string; readonly hex: KeyMaterial}[] | undefined;
  readonly deviceType?: AnyTerminalType | undefined;
  readonly ksn?: string | undefined;
  readonly iv?: string | undefined;
  readonly keys?: readonly CaseKey[] | undefined;
  /** A card number that the plaintext may hold. */
  readonly pan?: string | undefined;
  /** Plaintexts or their beginnings that are known: hex or text. */
  readonly expected?: string | readonly string[] | undefined;
}

export type {AbortSignalLike} from '../input/steps.js';

/** Settings of `diagnose`. */
export interface DiagnoseOptions extends TerminalOptions {
  /** Ends the search: the promise is rejected with its reason. */
  readonly signal?: AbortSignalLike | undefined;
  /** Milliseconds after which the search ends without a result; absent: 10,000. */
  readonly budgetMs?: number | undefined;
  readonly onProgress?: ((stage: string, tried: number, elapsedMs: number) => void) | undefined;
}

/** Verdicts, the settings that decrypt, and the plaintexts, unmasked: the answer of `diagnose --json --reveal`. */
export type DiagnoseResult = DiagnosisJson;

const CASE = ['payload', 'ciphertexts', 'deviceType', 'ksn', 'iv', 'keys', 'pan', 'expected'];
const DIAGNOSE_OPTIONS = ['signal', 'budgetMs', 'onProgress', ...TERMINAL_OPTIONS];
const USUAL_BUDGET_MS = 10_000;
const MAX_BUDGET_MS = 3_600_000;

/**
 * Finds the key and settings that decrypt a case, proves them, and names the mistake. The published
 * test keys are always tried. Gives way to other tasks every few milliseconds. Rejects with
 * PaylensError: 2005 for a wrong argument, 9040 if a terminal of `terminals` fails.
 */
export function diagnose(given: DiagnoseCase, options?: DiagnoseOptions): Promise<DiagnoseResult> {
  return safelyLater(async () => {
    const members = membersOf(options, 'options', DIAGNOSE_OPTIONS);
    const {signal, budgetMs, onProgress} = members;
    const budget = numberOf(budgetMs, 'budgetMs', [1, MAX_BUDGET_MS]) ?? USUAL_BUDGET_MS;
    const progress = progressOf(onProgress);
    const abort = signalOf(signal);
    const checked = caseOf(given, terminalsOf(members));
    // Nearly a third of the library: a page loads it with the first case.
    const {runDiagnosis} = await import('./run-diagnosis.js');
    return runDiagnosis(checked, {budgetMs: budget, ...progress}, abort);
  }, redactCardNumbers);
}

/** A longer text is refused here, one longer than any payload by a verdict. */
const MAX_GIVEN_CHARS = 16 * 1024 * 1024;

function caseOf(value: unknown, terminals: TerminalSet): CheckedCase {
  if (value === undefined) throw wrong('case', 'an object', value);
  const {payload, keys, ciphertexts, expected, ...rest} = membersOf(value, 'case', CASE);
  const texts = Object.entries(rest).map(([name, text]) => [name, textOf(text, name)]);
  const members = {
    ...Object.fromEntries(texts),
    keys: listOf(keys, 'keys').map(inHex('keys', ['kind', 'hex'])),
    ciphertexts: listOf(ciphertexts, 'ciphertexts').map(inHex('ciphertexts', ['name', 'hex'])),
  };
  const plain = listOf(expected, 'expected').map((one, i) => required(one, `expected[${i}]`));
  return {
    json: JSON.stringify(members),
    payload: payload === undefined ? undefined : payloadOf(payload, MAX_GIVEN_CHARS),
    expected: plain.filter((one) => one !== ''),
    terminals,
  };
}

/** An element of a list whose `hex` may be bytes. */
function inHex(list: string, names: readonly string[]): (value: unknown, index: number) => object {
  return (value, index) => {
    const where = `${list}[${index}]`;
    if (value === undefined) throw wrong(where, 'an object', value);
    const {hex, ...rest} = membersOf(value, where, names);
    const texts = Object.entries(rest).map(([name, text]) => [
      name,
      textOf(text, `${where}.${name}`),
    ]);
    const bytes = typeof hex === 'string' ? undefined : bytesOf(hex, `${where}.hex`);
    if (typeof hex !== 'string' && !bytes) throw wrong(`${where}.hex`, 'hex or a Uint8Array', hex);
    const text = bytes ? upperHexOf(bytes) : textOf(hex, `${where}.hex`, MAX_CIPHERTEXT_CHARS);
    return {...Object.fromEntries(texts), hex: text};
  };
}

/** Hex digits of a ciphertext. */
const MAX_CIPHERTEXT_CHARS = 65_536;

/** What is read of a signal, if it is there, by the getters of every signal. Throws 2005. */
export function signalOf(value: unknown): AbortSignalLike | undefined {
  if (value === undefined) return undefined;
  if (!guarded('signal', () => value instanceof AbortSignal))
    throw wrong('signal', 'an AbortSignal', value);
  const read = (name: 'aborted' | 'reason') =>
    guarded('signal', () => ABORT[name]?.get?.call(value));
  read('aborted');
  return {
    get aborted() {
      return read('aborted');
    },
    get reason() {
      return read('reason');
    },
  };
}

/** The getters of every signal, whatever members one object has. */
const ABORT = Object.getOwnPropertyDescriptors(AbortSignal.prototype);

type Progress = NonNullable<DiagnoseOptions['onProgress']>;

function progressOf(value: unknown): {onProgress?: Progress} {
  const call = functionOf(value, 'onProgress') as Progress | undefined;
  if (!call) return {};
  return {
    onProgress: (...progress) =>
      guarded('onProgress', () => call(...progress), 'it throws an error'),
  };
}
