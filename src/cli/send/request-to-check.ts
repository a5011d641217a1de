import {
  type CapturedRequest,
  headerValues,
  hostOfCaptured,
  targetOfCaptured,
} from '../../client/captured/captured-request.js';
import {isCaptured, readCaptured} from '../../client/captured/read-captured.js';
import {redactQuery} from '../../contract/masks/redact-query.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {readBody, refuseSecrets} from '../input/body-input.js';
import {note} from '../output/output.js';

/** The flags that say what is checked. */
export interface CheckedFlags {
  readonly check?: string | undefined;
  readonly 'request-file'?: string | undefined;
  readonly entry?: number | undefined;
  readonly url?: string | undefined;
  readonly target?: string | undefined;
}

/** A request and its Authorization header: none for transparent authentication. */
export interface CheckedRequest {
  readonly method: string;
  readonly target: string;
  readonly host?: string | undefined;
  readonly body: Uint8Array;
  readonly authorization: readonly string[];
  /** When it was sent, in milliseconds since 1970, if that is known. */
  readonly sentAt?: number | undefined;
}

/**
 * Finds the request to check: a captured one, or a header, a body and a target by themselves. What
 * the command line gives replaces that part of a captured request. `targetOf` requires a target.
 * Throws 9001 and 9002.
 */
export async function requestToCheck(
  body: string | undefined,
  flags: CheckedFlags,
  targetOf: (flags: CheckedFlags) => string,
): Promise<CheckedRequest> {
  const {text, isArgument} = await givenText(body, flags);
  const isWhole = flags['request-file'] !== undefined || isCaptured(text.toString('latin1'));
  if (isWhole && isArgument) {
    const whole = text.toString();
    refuseSecrets(whole.replaceAll('\\"', '"'));
    if (/authorization"?:\s*basic\b|\s(?:-u|--user)\b/i.test(whole)) throw visibleKey();
  }
  if (isWhole)
    return ofCaptured(chooseRequest(readCaptured(text), flags.entry), body, flags, targetOf);
  if (flags.entry !== undefined)
    throw new PaylensError(9001, '--entry chooses one of several captured requests');
  const {bytes} = await readBody(requiredBody(body));
  const header = text
    .toString('latin1')
    .trim()
    .replace(/^authorization:\s*/i, '');
  if (isArgument && /^basic\b/i.test(header)) throw visibleKey();
  const host = /^https?:\/\/([^/?#]+)/i.exec(flags.url ?? '')?.[1];
  return {method: 'POST', target: targetOf(flags), host, body: bytes, authorization: [header]};
}

/** The header or the captured request, and whether other users could see it. */
async function givenText(body: string | undefined, flags: CheckedFlags) {
  const {check = '', 'request-file': file} = flags;
  if (file === undefined) return {text: Buffer.from(check), isArgument: true};
  if (file === '-' && body === '-')
    throw new PaylensError(9001, 'stdin cannot be both the request and its body');
  // A file may have any name; readBody would take `{...}` for JSON.
  const name = file.startsWith('{') ? `./${file}` : file;
  return {text: (await readBody(name)).bytes, isArgument: false};
}

async function ofCaptured(
  request: CapturedRequest,
  body: string | undefined,
  flags: CheckedFlags,
  targetOf: (flags: CheckedFlags) => string,
): Promise<CheckedRequest> {
  const isMoved = flags.url !== undefined || flags.target !== undefined;
  return {
    method: request.method,
    target: isMoved ? targetOf(flags) : targetOfCaptured(request),
    host: hostOfCaptured(request),
    body: body === undefined ? bodyOf(request) : (await readBody(body)).bytes,
    authorization: headerValues(request, 'authorization'),
    sentAt: request.sentAt,
  };
}

function bodyOf({body, bodyFile}: CapturedRequest): Uint8Array {
  if (bodyFile === undefined) return body ?? new Uint8Array();
  throw new PaylensError(9002, 'the body of the request is in a file, which is not read', {
    hint: 'Pass the file of the body as the argument BODY.',
  });
}

const MAX_LISTED = 20;

function chooseRequest(
  requests: readonly CapturedRequest[],
  entry: number | undefined,
): CapturedRequest {
  if (requests.length === 0) throw new PaylensError(9002, 'request: the file has no request');
  const signed = requests.filter((request) => headerValues(request, 'authorization').length > 0);
  const [only] = requests.length === 1 ? requests : signed;
  const chosen = entry === undefined ? only : requests[entry - 1];
  if (!chosen || (entry === undefined && requests.length > 1 && signed.length > 1))
    throw severalRequests(requests, entry);
  if (entry === undefined && requests.length > 1)
    note(
      `Request ${requests.indexOf(chosen) + 1} of ${requests.length} is checked: the only one with an Authorization header.`,
    );
  return chosen;
}

function severalRequests(
  requests: readonly CapturedRequest[],
  entry: number | undefined,
): PaylensError {
  const listed = requests.slice(0, MAX_LISTED).map(({method, url}, i) => {
    const shown = redactQuery(url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1'));
    return `  ${i + 1}  ${method} ${shown.slice(0, 100)}`;
  });
  const more = requests.length > MAX_LISTED ? ['  ...'] : [];
  const what = entry === undefined ? 'expected one request' : `--entry ${entry}: no such request`;
  return new PaylensError(9001, `${what}, found ${requests.length}`, {
    hint: ['Choose one with --entry N:', ...listed, ...more].join('\n'),
  });
}

// The header of Basic is the key itself, in base64.
function visibleKey(): PaylensError {
  return new PaylensError(
    9001,
    'a Basic header contains the key, and arguments are visible to other users',
    {
      hint: 'Put the whole request in a file and pass --request-file FILE.',
    },
  );
}

/** Throws 9001 where a command needs a body and has none. */
export function requiredBody(body: string | undefined): string {
  if (body !== undefined) return body;
  throw new PaylensError(9001, 'missing argument BODY', {
    hint: 'Pass a file, - for stdin, or a JSON object; or a whole request with --request-file.',
  });
}
