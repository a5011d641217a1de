import {PaylensError} from '../../contract/paylens-error.js';
import {isBinary} from '../../engine/decode-input.js';
import type {RingKey} from '../../engine/dukpt/key-ring.js';
import {type DiagnosisCase, type GivenKey, isCase, parseCase} from '../../input/case.js';
import {isReadByDiagnosis} from '../../input/interpret.js';
import type {PayloadSource} from '../input/payload-flags.js';
import {undoPaste} from '../input/undo-paste.js';
import {chooseKeys} from '../keyfile/choose-keys.js';
import type {KeyFlags} from '../keyfile/key-flags.js';

type CaseFlags = KeyFlags & PayloadSource & {readonly expected?: readonly string[] | undefined};

/**
 * Combines an input and the flags to a case. `isTyped`: the input was typed on the command line, where
 * keys are refused. Throws 9001 for keys there, 2004 and 2005 as parseCase, 9010 to 9015 as
 * the keyfile.
 */
export async function readCase(
  input: string,
  isTyped: boolean,
  flags: CaseFlags,
  keys?: readonly GivenKey[],
): Promise<DiagnosisCase> {
  const own = isCase(input) ? parseCase(input, flags.terminals) : rawCase(input);
  if (isTyped && own.writtenKeys.length > 0) {
    throw new PaylensError(9001, 'keys are not accepted as arguments: other users can see them', {
      hint: 'Put the case in a file, or pipe it to stdin and pass -.',
    });
  }
  return {
    ...own,
    ...(flags.ksn !== undefined && {ksn: flags.ksn}),
    ...(flags.iv !== undefined && {iv: flags.iv}),
    ...(flags.expected && {expected: [...(own.expected ?? []), ...flags.expected]}),
    ...(flags['device-type'] === undefined ? {} : {deviceType: flags['device-type']}),
    keys: keys ?? givenKeys(await chooseKeys(flags, true), flags),
  };
}

/**
 * The case with its payload taken out of a pasted notation, unless the diagnosis reads (and names)
 * that notation itself. Throws as undoPaste.
 */
export async function undoCase(
  given: DiagnosisCase,
  input: string,
  flags: Pick<CaseFlags, 'device-type' | 'terminals'>,
): Promise<DiagnosisCase> {
  const {payload} = given;
  if (payload === undefined || isCase(input)) return given;
  const plain = await undoPaste(payload, flags);
  if (plain === payload) return given;
  const senders = {deviceType: given.deviceType, terminals: flags.terminals};
  return isReadByDiagnosis(payload, senders) ? given : {...given, payload: plain};
}

function rawCase(input: string): DiagnosisCase {
  const payload = isBinary(input) ? input : input.replace(/\r?\n$/, '');
  return {payload, ciphertexts: [], writtenKeys: [], keys: []};
}

/** The keys of a command for its diagnosis; the published ones are tried anyway. */
export function givenKeys(keys: readonly RingKey[], flags: KeyFlags): GivenKey[] {
  if (flags['test-keys']) return [];
  const isForThisRun = flags['key-file'] !== undefined || flags['key-prompt'] === true;
  return keys.map(({name, kind, secret, ...serves}, i) => ({
    kind,
    bytes: secret.reveal(),
    ...(isForThisRun
      ? {source: name ?? kind, origin: 'given'}
      : {
          source: name === undefined ? `key ${i + 1} in the keyfile` : `${name} of the keyfile`,
          origin: 'keyfile',
          serves,
        }),
  }));
}
