import {explainHeader} from '../../auth/explain/explain-header.js';
import type {SignatureExplanation} from '../../auth/explain/explain-signature.js';
import {credentialsInBody} from '../../auth/methods/transparent.js';
import {
  checkTransparent,
  checkWithOthers,
  methodOfHeader,
  usernameOfHeader,
} from '../../client/check-header.js';
import {KEY_OF_METHOD} from '../../contract/auth-method.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {note, printJson, printResult, printVerbatim} from '../output/output.js';
import {REJECTED_NOW, stepsText, verdict} from './check-text.js';
import {loadSuspect} from './load-sender.js';
import {type CheckedFlags, type CheckedRequest, requestToCheck} from './request-to-check.js';
import type {SenderFlags} from './sender-flags.js';

/** The flags of `sign --check`. */
export interface CheckFlags extends SenderFlags, CheckedFlags {
  readonly timestamp?: number | undefined;
  readonly json?: boolean | undefined;
  readonly explain?: boolean | undefined;
}

const CHECK_FAILED = 7;

/**
 * Checks the credentials of a request, prints why they are wrong, and sets exit code 7. `targetOf`
 * requires a target where only a header is given. Throws 9001, 9002, 9015 and what opening a keyfile
 * throws.
 */
export async function checkSignature(
  body: string | undefined,
  flags: CheckFlags,
  targetOf: (flags: CheckedFlags) => string,
): Promise<void> {
  const request = await requestToCheck(body, flags, targetOf);
  const result = await judge(request, flags);
  if (!result.right) process.exitCode = CHECK_FAILED;
  if (flags.json) return printJson(result);
  for (const step of stepsText(result, flags.explain ?? false)) printVerbatim(step);
  printResult(verdict(result));
  if (result.unexplained) note('Compare the string to hash with the one of your code.');
  if (!result.right && result.timeFault !== undefined)
    note(`${REJECTED_NOW}: ${result.timeFault}.`);
}

async function judge(request: CheckedRequest, flags: CheckFlags): Promise<SignatureExplanation> {
  const [authorization, ...more] = request.authorization;
  if (more.length > 0) return {right: false, faults: ['two Authorization headers']};
  if (request.method !== 'POST')
    note('The interface has POST only; the string to hash begins with the method of the request.');
  const now =
    flags.timestamp === undefined ? (request.sentAt ?? Date.now()) : flags.timestamp * 1000;
  if (authorization === undefined) return judgeBody(request, flags);
  const method = methodOfHeader(authorization);
  // A header outside the interface is wrong for every partner.
  if (!method) return explainHeader({...request, authorization}, () => undefined, now);
  const needed = method === 'rsa' ? 'rsaPublicKey' : KEY_OF_METHOD[method];
  const suspect = await loadSuspect(flags, needed, usernameOfHeader(authorization));
  return checkWithOthers({...request, authorization}, method, suspect, now);
}

/** Without a header the credentials are in the body. */
async function judgeBody({body}: CheckedRequest, flags: CheckFlags): Promise<SignatureExplanation> {
  const found = credentialsInBody(body);
  if (!found.partnerId || !found.partnerKey)
    throw new PaylensError(
      9002,
      'the request has no Authorization header, and no credentials in its body',
      {
        hint: 'Browsers leave the header out of a HAR unless it is exported with sensitive data. Pass the header with --check.',
      },
    );
  const {sender} = await loadSuspect(flags, 'partnerKey', found.partnerId);
  return checkTransparent(found, sender);
}
