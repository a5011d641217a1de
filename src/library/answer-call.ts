import {nextTurn, workedMs} from '#platform';
import {type Answer, answerSteps, isOfOtherType} from '../diagnosis/answer/answer.js';
import {commandOf} from '../diagnosis/answer/command-of.js';
import type {RingKey} from '../engine/dukpt/ring-key.js';
import {attempt} from '../input/attempt.js';
import type {DiagnosisCase} from '../input/case.js';
import {type AbortSignalLike, inTurns} from '../input/steps.js';
import type {FailedCall} from './calls.js';
import {ringKeysOf} from './keys.js';

/**
 * The answer to a call that failed, giving way to other tasks, whose time does not count. Rejects with
 * the reason of `abort`.
 */
export async function answerCall(
  call: FailedCall,
  abort: AbortSignalLike | undefined,
): Promise<Answer> {
  const {error, members} = call;
  // Keys that were wiped or changed since the call are none.
  const keys = attempt(() => ringKeysOf(members.keys)) ?? [];
  const hasKeys = keys.length > 0 || members.testKeys === true;
  const failure = {error, given: caseOfCall(call, keys), hasKeys, search: searchOf(call, keys)};
  let away = 0;
  const turn = async () => {
    const left = workedMs();
    await nextTurn();
    away += workedMs() - left;
  };
  try {
    return await inTurns(
      answerSteps(failure, () => workedMs() - away),
      abort,
      turn,
    );
  } finally {
    for (const {secret} of keys) secret.wipe();
  }
}

function caseOfCall(call: FailedCall, keys: readonly RingKey[]): DiagnosisCase {
  const {devicePayload, terminals} = call;
  const given = keys.map(({name = '', kind, secret}, i) => {
    const source = OF_THE_OPTION.test(name) ? `Key ${i + 1}` : name;
    return {kind, bytes: secret.reveal(), source, origin: 'given'} as const;
  });
  const payload = {payload: devicePayload, ciphertexts: [], writtenKeys: [], keys: given};
  return {...payload, ...settingsOf(call), terminals};
}

/** What a key is called that has no name. */
const OF_THE_OPTION = /^(?:keys(?:\[\d+\])?)?$/;

/** The command that searches for longer; the payload may hold a card, so it reads it from stdin. */
function searchOf(call: FailedCall, {length}: readonly RingKey[]): string {
  const known = {devicePayload: '', ...settingsOf(call)};
  const {deviceType = ''} = isOfOtherType(call.error) ? {} : known;
  const request = {...known, deviceType};
  const given = {keyfile: [], input: {words: ['-'], holds: {}}};
  const keys = length > 0 ? 'given' : 'published';
  return commandOf({request, keys, kind: 'bdk', given}, 'diagnose');
}

type Settings = Partial<Record<'deviceType' | 'ksn' | 'iv', string>>;

function settingsOf({members, terminals}: FailedCall): Settings {
  const {deviceType, ksn, iv} = members;
  return {
    ...(typeof deviceType === 'string' && terminals.has(deviceType) && {deviceType}),
    ...(typeof ksn === 'string' && ksn !== '' && {ksn}),
    ...(typeof iv === 'string' && iv !== '' && {iv}),
  };
}
