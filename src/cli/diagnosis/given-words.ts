import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {quoted} from '../../diagnosis/answer/command-of.js';
import type {GivenWords, NextStep} from '../../diagnosis/findings/next-step.js';
import type {Report} from '../../diagnosis/report.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {attempt} from '../../input/attempt.js';
import {requestBody, withoutLineEnd} from '../../input/paste/request-input.js';
import {isHex} from '../../platform/bytes.js';
import {kindOf} from '../input/input-file.js';
import type {PayloadSource} from '../input/payload-flags.js';
import type {KeyFlags} from '../keyfile/key-flags.js';
import {mayBeSecret} from '../typed-secrets.js';

/** What a command was given, as far as another command repeats it. */
export interface GivenInput {
  /** The payload or request, out of its notation. */
  readonly input: string;
  readonly argument: string | undefined;
  readonly flags: GivenFlags;
}

type GivenFlags = KeyFlags & PayloadSource;

/** Gives a report whose next command names files and key options as the user did. */
export function inGivenWords(given: GivenInput): (report: Report) => Report {
  return (report) =>
    report.next ? {...report, next: nextInWords(report, report.next, given)} : report;
}

function nextInWords(
  {verdicts}: Report,
  next: NextStep,
  {input, argument, flags}: GivenInput,
): NextStep {
  const {terminal: modules, terminals} = flags;
  const body = attempt(() => requestBody(input, flags['device-type'], terminals));
  const holds: Partial<AnyRequest> = body ?? {devicePayload: withoutLineEnd(input, terminals)};
  const words = sourceWords(argument, flags);
  const isRead = holds.devicePayload !== undefined && !words.includes('--payload');
  // The KSN has the algorithm of any other key.
  const algorithm = next.kind === 'working' ? (['key-algorithm'] as const) : [];
  const key = repeated(flags, ['key-file', 'key-prompt', ...algorithm]);
  // An initial key of the device opens the read by itself, also if it is derived from a published key.
  const isInitial = key.length > 0 && verdicts.some(({label}) => label === 'key-is-ik');
  return {
    ...next,
    ...(isInitial && ({keys: 'given', kind: 'ik', isAsGiven: true} as const)),
    ...(modules && {modules}),
    given: {
      ...(isRead && repeatedInput(words, holds, next.request)),
      ...(key.length > 0 && {key}),
      keyfile: repeated(flags, KEYFILE),
    },
  };
}

/** The input that the next command reads, as it is or with members of it changed. */
function repeatedInput(
  words: readonly string[],
  holds: Partial<AnyRequest>,
  request: AnyRequest,
): Pick<GivenWords, 'input' | 'corrected'> {
  const wrong = MEMBERS.filter(
    (member) => holds[member] !== undefined && holds[member] !== request[member],
  );
  if (wrong.length === 0) return {input: {words, holds}};
  const changes = Object.fromEntries(wrong.map((member) => [member, request[member]]));
  const isKept = !wrong.includes('devicePayload') && wrong.every((member) => request[member]);
  return isKept ? {corrected: {words, holds: {...holds, ...changes}, changes}} : {};
}

const MEMBERS = ['deviceType', 'devicePayload', 'ksn', 'iv'] as const;
const KEYFILE = ['keyfile', 'passphrase-file', 'identity'] as const;
const SEARCHED = [
  ...['device-type', 'ksn', 'iv', 'terminal', 'test-keys', 'key-file', 'key-prompt', 'key-kind'],
  ...KEYFILE,
] as const;

/** The command that searches longer for what was given. */
export function searchCommand({argument, flags}: GivenInput): string {
  const words = sourceWords(argument, flags);
  const safe = words.every(isSafe) ? words : ['-'];
  const all = [...repeated(flags, SEARCHED as readonly (keyof GivenFlags)[]), ...safe];
  return ['paylens diagnose', ...all.map(quoted)].join(' ');
}

/** Where the input comes from: a file, stdin, or literally. */
function sourceWords(argument: string | undefined, {file, payload}: GivenFlags): string[] {
  if (file !== undefined) return ['--file', file];
  const literal = payload ?? argument ?? '-';
  const isNamed = payload === undefined && (literal === '-' || kindOf(literal) !== undefined);
  return isNamed ? [literal] : ['--payload', literal];
}

/** Hex as of a KSN or an IV, or no long digits: anything else may be a card or a key. */
function isSafe(word: string): boolean {
  return redactCardNumbers(word) === word && (isHex(word) || isNoSecret(word));
}

/** The name of a file that is there, or a text that is no card, key or passphrase. */
export function isNoSecret(word: string): boolean {
  return kindOf(word) !== undefined || !mayBeSecret(word);
}

/** The flags that were given, in words, without those whose value may not be shown. */
function repeated(flags: GivenFlags, names: readonly (keyof GivenFlags)[]): string[] {
  return names.flatMap((name) => {
    const value = flags[name];
    if (value === undefined || value === false) return [];
    const values = Array.isArray(value) ? (value as string[]) : [value];
    if (values.includes(true)) return [`--${name}`];
    return values.map(String).flatMap((one) => (isSafe(one) ? [`--${name}`, one] : []));
  });
}
