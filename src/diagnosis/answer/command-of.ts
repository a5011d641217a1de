import {pastable} from '../../engine/decode-input.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import {bytesFromUtf8, hexByte} from '../../platform/bytes.js';
import type {NextStep} from '../findings/next-step.js';

/**
 * The shell command that decrypts the case as diagnosed, or diagnoses it. A key that is in no keyfile
 * is asked for: a command line must not contain one. An empty type is one that is not known.
 */
export function commandOf(
  next: NextStep,
  command: 'decrypt' | 'diagnose' | 'inspect' = 'decrypt',
): string {
  const {request, given} = next;
  // No argument holds a NUL, nor bytes that are not UTF-8.
  const payload = pastable(request.devicePayload);
  const {words = ['--payload', payload], holds = {}} = given?.input ?? {};
  const setting = (flag: string, member: 'deviceType' | 'ksn' | 'iv') => {
    const value = request[member];
    return !value || holds[member] === value ? [] : [flag, value];
  };
  const {deviceType} = request;
  // Files that the command must be given so that it knows the terminal.
  const files =
    deviceType === '' || KNOWN_TERMINALS.has(deviceType) ? [] : (next.modules ?? ['FILE']);
  const all = [
    ...files.flatMap((file) => ['--terminal', file]),
    ...setting('--device-type', 'deviceType'),
    ...words,
    ...setting('--ksn', 'ksn'),
    ...(command === 'inspect' ? [] : [...setting('--iv', 'iv'), ...keyWords(next)]),
  ];
  return [`paylens ${command}`, ...all.map(quoted)].join(' ');
}

function keyWords(next: NextStep): readonly string[] {
  const {keys, kind, given, isAsGiven} = next;
  if (keys === 'published') return ['--test-keys'];
  if (!isAskedFor(next)) return given?.keyfile ?? [];
  const words = (isAsGiven && given?.key) || ['--key-prompt'];
  return kind === 'bdk' ? words : [...words, '--key-kind', kind];
}

/** True if the payload holds clear card data: the command reads it from the request, or from stdin. */
export function isUnshown({request}: NextStep): boolean {
  return request.devicePayload === '';
}

/** What to change in the request first, so that the command decrypts it. */
export function changesOf({given}: NextStep): string | undefined {
  const changes = Object.entries(given?.input?.changes ?? {});
  if (changes.length === 0) return undefined;
  const members = changes.map(([name, value]) => `${name} to ${value}`).join(' and ');
  return `Set ${members} in the request first.`;
}

/** What to do first if the key needs attributes that only a keyfile can hold. */
export function preparationOf({kind, ksnPrefix, compatibility}: NextStep): string | undefined {
  if (!compatibility) return undefined;
  const flags = [
    ...(kind === 'ik' ? ['--kind ik'] : []),
    ...(ksnPrefix ? [`--ksn-prefix ${ksnPrefix}`] : []),
  ];
  return ['paylens key add mine', ...flags, '--algorithm aes --compatibility'].join(' ');
}

/** True for a key that was given for the diagnosis, if it can be given to `decrypt` as well. */
function isAskedFor({keys, compatibility}: NextStep): boolean {
  return keys === 'given' && !compatibility;
}

/** True if the command prompts for the key although it was given otherwise. */
export function isPrompted(next: NextStep): boolean {
  return isAskedFor(next) && keyWords(next).includes('--key-prompt');
}

/** What nobody sees in a command, but blanks. */
const UNSEEN = /\p{C}|(?! )\p{Z}/u;

/** A word of a command, as bash reads it. */
export function quoted(text: string): string {
  if (/^[\w.,:/=+%-]+$/.test(text)) return text;
  if (!UNSEEN.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = [...text].map((c) => {
    if (c === "'" || c === '\\') return `\\${c}`;
    if (!UNSEEN.test(c)) return c;
    return Array.from(bytesFromUtf8(c), (byte) => `\\x${hexByte(byte)}`).join('');
  });
  return `$'${escaped.join('')}'`;
}
