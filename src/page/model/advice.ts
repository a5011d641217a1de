import {ERROR_CATALOGUE, type ErrorCode} from '../../contract/error-catalogue.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {PaylensError, type ReadFault, titleOf} from '../../contract/paylens-error.js';

/** An error as plain data: a worker cannot send an instance of a class. */
export type ErrorView = Pick<PaylensError, 'code' | 'detail' | 'hint' | 'fault'>;

/** Converts an error to plain data; rethrows anything but a `PaylensError`. */
export function errorView(error: unknown): ErrorView {
  if (!(error instanceof PaylensError)) throw error;
  const {code, detail, hint, fault} = error;
  return {code, detail, hint, fault};
}

/** An error for people: what happened, the facts of this case, what to do next. */
export interface Advice {
  readonly title: string;
  readonly detail: string;
  readonly hint: string;
}

/** An error as the catalogue describes it; flags and commands are replaced by controls of the page. */
export function adviceOf({code, detail, hint, fault}: ErrorView): Advice {
  const {hint: usual} = ERROR_CATALOGUE[code];
  const own = fault?.kind === 'setting' ? ofSetting(fault, code) : {};
  const safe = redactCardNumbers(redactKeys(detail));
  // Without a specific hint, an error has the one of the catalogue.
  const next = hint === usual ? (INSTEAD[code] ?? hint) : hint;
  return {title: titleOf(code, fault), detail: safe, hint: next, ...own};
}

/** In place of hints of the catalogue that name commands. */
const INSTEAD: Readonly<Partial<Record<ErrorCode, string>>> = {
  1: 'This is a bug in paylens. Please report it with what you did.',
  2000: 'Choose the terminal type under Terminal.',
  2006: 'Give one card read at a time.',
  2100: 'Check Terminal and that the payload is complete. Diagnose can locate the change.',
  2400: 'Type the KSN of this read under KSN, or choose Diagnose.',
  2600: 'Type the BDK or initial key of this key set under Key, or tick Published test keys.',
  2601: 'Check that the key matches the key set and the KSN matches the card read, or choose Diagnose.',
  2602: 'Type the IV under IV, in hex.',
  9001: 'Change what the message names.',
};

type SettingFault = Extract<ReadFault, {readonly kind: 'setting'}>;

function ofSetting({setting, is, instead}: SettingFault, code: ErrorCode): Partial<Advice> {
  const control = CONTROLS[setting] ?? setting;
  if (is === 'wrong')
    return {hint: `Choose ${instead?.join(' or ') ?? 'otherwise'} under ${control}.`};
  return {
    hint:
      code === 2000
        ? `Choose one of them under ${control}.`
        : `Choose the terminal type under ${control} to see where parsing fails.`,
  };
}

const CONTROLS: Readonly<Record<string, string>> = {
  deviceType: 'Terminal',
  card: 'Test card',
  options: 'the options or Test card',
};
