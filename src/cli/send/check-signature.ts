import {readFile} from 'node:fs/promises';
import {explainHeader} from '../../auth/explain/explain-header.js';
import type {SignatureExplanation} from '../../auth/explain/explain-signature.js';
import {credentialsInBody} from '../../auth/methods/transparent.js';
import {
  checkTransparent,
  checkWithOthers,
  methodOfHeader,
  usernameOfHeader,
} from '../../client/check-header.js';
import {type GivenString, judgeGivenString} from '../../client/given-string.js';
import {KEY_OF_METHOD} from '../../contract/auth-method.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {unreadable} from '../input/input-file.js';
import {note, printJson, printResult, printVerbatim} from '../output/output.js';
import {givenVerdict, REJECTED_NOW, stepsText, verdict} from './check-text.js';
import {loadSuspect} from './load-sender.js';
import {type CheckedFlags, type CheckedRequest, requestToCheck} from './request-to-check.js';
import type {SenderFlags} from './sender-flags.js';

/** The flags of `sign --check`. */
export interface CheckFlags extends SenderFlags, CheckedFlags {
  readonly timestamp?: number | undefined;
  readonly 'string-to-hash-file'?: string | undefined;
  readonly json?: boolean | undefined;
  readonly explain?: boolean | undefined;
}

const CHECK_FAILED = 7;

/**
 * Checks the credentials of a request, prints why they are wrong, and sets exit code 7. `targetOf`
 * demands a target where only a header is given. Throws 9001, 9002, 9015 and what opening a keyfile
 * throws.
 */
export async function checkSignature(
  body: string | undefined,
  flags: CheckFlags,
  targetOf: (flags: CheckedFlags) => string,
): Promise<void> {
  const request = await requestToCheck(body, flags, targetOf);
  const {result, given} = await judge(request, flags);
  if (!result.right) process.exitCode = CHECK_FAILED;
  if (flags.json) return printJson({...result, ...(given && {given})});
  for (const step of stepsText(result, given, flags.explain ?? false)) printVerbatim(step);
  printResult(verdict(result));
  if (given) printResult(givenVerdict(given));
  else if (result.unexplained) note(COMPARE);
  if (!result.right && result.timeFault !== undefined)
    note(`${REJECTED_NOW}: ${result.timeFault}.`);
}

const COMPARE =
  'Compare the string to hash with the one of your code: --string-to-hash-file FILE marks the differences.';

interface Judged {
  readonly result: SignatureExplanation;
  readonly given?: GivenString | undefined;
}

async function judge(request: CheckedRequest, flags: CheckFlags): Promise<Judged> {
  const [authorization, ...more] = request.authorization;
  if (more.length > 0) return {result: {right: false, faults: ['two Authorization headers']}};
  if (request.method !== 'POST')
    note('The interface has POST only; the string to hash begins with the method of the request.');
  const now =
    flags.timestamp === undefined ? (request.sentAt ?? Date.now()) : flags.timestamp * 1000;
  if (authorization === undefined) return {result: await judgeBody(request, flags)};
  const method = methodOfHeader(authorization);
  if (!method) return {result: explainHeader({...request, authorization}, nobody, now)};
  const needed = method === 'rsa' ? 'rsaPublicKey' : KEY_OF_METHOD[method];
  const suspect = await loadSuspect(flags, needed, usernameOfHeader(authorization));
  const result = checkWithOthers({...request, authorization}, method, suspect, now);
  const text = await givenString(flags);
  if (text === undefined || result.stringToHash === undefined || result.right) return {result};
  return {
    result,
    given: judgeGivenString(result.stringToHash, text, authorization, suspect.sender),
  };
}

// A header outside the interface is wrong for every partner.
function nobody(): undefined {
  return undefined;
}

/** Without a header the credentials are in the body. */
async function judgeBody({body}: CheckedRequest, flags: CheckFlags): Promise<SignatureExplanation> {
  const found = credentialsInBody(body);
  if (!found.partnerId || !found.partnerKey) throw noHeader();
  const {sender} = await loadSuspect(flags, 'partnerKey', found.partnerId);
  return checkTransparent(found, sender);
}

async function givenString(flags: CheckFlags): Promise<string | undefined> {
  const file = flags['string-to-hash-file'];
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'latin1');
  } catch (error) {
    const {detail} = unreadable(error);
    throw new PaylensError(9002, `--string-to-hash-file: ${detail}`);
  }
}

function noHeader(): PaylensError {
  return new PaylensError(
    9002,
    'the request has no Authorization header, and no credentials in its body',
    {
      hint: 'Browsers leave the header out of a HAR unless it is exported with sensitive data. Pass the header with --check.',
    },
  );
}
