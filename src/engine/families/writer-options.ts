import {redactKeys} from '../../contract/masks/redact-keys.js';
import {didYouMean} from '../../contract/nearest-name.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {WriteRequest, Writer, WriterOption, Written} from '../writing.js';

/** The value of every declared option, by its name. */
export type OptionValues<Options> = Options extends readonly WriterOption[]
  ? Readonly<Record<Options[number]['name'], string>>
  : never;

/** The tracks of a swipe that were read. */
export const TRACKS_OPTION = {
  name: 'tracks',
  values: ['all'],
  form: /^1?2?3?$/,
  meaning: 'tracks that were read: 12, 2, ...',
} as const;

/** What a writer declares. */
interface DeclaredWriter<Options> extends Omit<Writer, 'options' | 'write'> {
  readonly options: Options;
  /** Whose payloads have no IV: one that is given is refused (9001). */
  readonly withoutIv?: string;
  /** Text is a payload without the serial. */
  readonly write: (request: WriteRequest, values: OptionValues<Options>) => string | Written;
}

/** A writer that checks KSN, IV and options before it writes. */
export function terminalWriter<const Options extends readonly WriterOption[]>({
  withoutIv,
  write,
  ...declared
}: DeclaredWriter<Options>): Writer {
  return {
    ...declared,
    write: (request) => {
      assertTdesKsn(declared, request);
      if (withoutIv && request.iv) throw new PaylensError(9001, `${withoutIv} payloads have no IV`);
      const values = resolveOptions(declared.options, request.options);
      const payload = write(request, values as OptionValues<Options>);
      if (typeof payload !== 'string') return payload;
      const {serial} = request;
      return {devicePayload: payload, ...(serial === undefined ? {} : {deviceSerial: serial})};
    },
  };
}

/**
 * The value of every option of a format, with defaults. Names match in any case. Throws 9001 for an
 * unknown name or value, listing the known ones.
 */
export function resolveOptions<Name extends string>(
  options: readonly (WriterOption & {readonly name: Name})[],
  given: Readonly<Record<string, string>>,
): Readonly<Record<Name, string>> {
  const resolved: Record<string, string> = {};
  for (const {name, values} of options) resolved[name] = values[0] ?? '';
  for (const [name, value] of Object.entries(given)) {
    const option = options.find((known) => known.name.toLowerCase() === name.toLowerCase());
    if (!option) throw unknownOption(name, options);
    resolved[option.name] = checkValue(option, value);
  }
  return resolved as Record<Name, string>;
}

/** Throws 9001 for a KSN that the format of the mode has no room for. */
export function assertTdesKsn({tdesOnly}: Pick<Writer, 'tdesOnly'>, request: WriteRequest): void {
  const {mode, ksn} = request;
  if (ksn.length === TDES_KSN_DIGITS || !tdesOnly?.includes(mode)) return;
  const detail = `KSN when ${mode}: expected 10 bytes (TDES DUKPT), found ${ksn.length / 2}`;
  throw new PaylensError(9001, detail);
}

const TDES_KSN_DIGITS = 20;

function unknownOption(typed: string, options: readonly WriterOption[]): PaylensError {
  const names = options.map(({name}) => name);
  const detail = `expected an option of this format: ${names.join(', ') || 'it has none'}`;
  return mistyped(detail, {typed, known: names, before: '--option ', setting: 'options'});
}

function checkValue({name, values, form, meaning}: WriterOption, value: string): string {
  if (values.includes(value) || form?.test(value)) return value;
  const known = values.filter((each) => each !== '');
  const found = redactKeys(`option ${name}=${value}`);
  const detail = `${found} (${meaning}): expected ${known.join(', ') || 'another form'}`;
  const before = `--option ${name}=`;
  throw mistyped(detail, {typed: value, known, before, setting: `option ${name}`});
}

interface Mistyped {
  readonly typed: string;
  readonly known: readonly string[];
  /** What stands before the right value on the command line. */
  readonly before: string;
  readonly setting: string;
}

function mistyped(detail: string, {typed, known, before, setting}: Mistyped): PaylensError {
  const hint = didYouMean(typed, known, before);
  const fault = {kind: 'setting', setting, is: 'wrong'} as const;
  return new PaylensError(9001, detail, hint === undefined ? {fault} : {hint, fault});
}
