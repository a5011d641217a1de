import {ERROR_CATALOGUE, type ErrorCode} from '../contract/error-catalogue.js';
import {describeFault} from '../contract/json-fault.js';
import type {Operation} from '../contract/operation.js';
import {isJsonObject, type JsonObject, kindOf, readJson} from '../contract/parse-json.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {HttpAnswer} from './transport.js';

/** The body of an answer of the interface: `success`, and what goes with it. */
export interface Answer {
  readonly success: boolean;
  readonly messageId?: string;
  readonly reference?: string;
  readonly errCode?: number;
  readonly errMessage?: string;
  readonly [member: string]: unknown;
}

/**
 * Reads the body of an answer. Throws 9021 when it is not one of this interface: a JSON object with
 * `success`, when that is false with `errCode` and `errMessage`, else with the card of process-payload,
 * each of the type that the interface gives. Nor does a success come with a status of an error.
 */
export function readAnswer(answer: HttpAnswer, url: string, operation: Operation): Answer {
  assertPlain(answer, url);
  const from = `POST ${url}: HTTP ${answer.status}`;
  const read = readJson(answer.body);
  if ('fault' in read) {
    const detail = `${from}: expected a JSON object: ${describeFault(read.fault)}`;
    throw new PaylensError(9021, detail, answer.status >= 500 ? {hint: MADE_ON_THE_WAY} : {});
  }
  const {value} = read;
  if (!isJsonObject(value)) throw foreign(from, `expected a JSON object, found ${kindOf(value)}`);
  for (const [path, found, type, mayLack] of membersOf(value, operation)) {
    if (found === undefined && mayLack) continue;
    if (found === undefined) throw foreign(from, `the response has no "${path}" member`);
    if (type === 'an integer' ? !Number.isInteger(found) : kindOf(found) !== type)
      throw foreign(from, `expected ${type} as "${path}", found ${kindOf(found)}`);
  }
  if (value.success && answer.status >= 400)
    throw foreign(from, 'expected HTTP 200 with "success": true');
  return value as unknown as Answer;
}

const MADE_ON_THE_WAY =
  'A proxy or load balancer before the endpoint often answers so: see whether the endpoint runs.';

/** Refuses what no client of the interface can use: a redirect, and a body that is encoded. Throws 9021. */
export function assertPlain({status, header}: HttpAnswer, url: string): void {
  const coding = header('content-encoding').join(', ');
  const isRedirect = status >= 300 && status < 400;
  if (!isRedirect && /^(?:identity)?$/i.test(coding)) return;
  const [location = ''] = header('location');
  const found = isRedirect
    ? `a redirect ${targetOf(location, url)}`
    : `Content-Encoding "${coding}"`;
  const detail = `expected a response of the interface, found ${found}`;
  throw new PaylensError(9021, `POST ${url}: HTTP ${status}: ${detail}`, {
    hint: isRedirect
      ? 'Redirects are not followed: a signature holds for one path, and credentials for one host. If the new address is the one you want, pass it as the base URL.'
      : 'The request allows no encoding (Accept-Encoding: identity), and the interface has JSON. Switch compression off in the endpoint, or in its reverse proxy.',
  });
}

/** Where a redirect points, without the query and a password, which may be secret. */
function targetOf(location: string, base: string): string {
  if (location === '' || !URL.canParse(location, base)) return 'without a usable Location';
  const {protocol, host, pathname} = new URL(location, base);
  return `to ${protocol}//${host}${pathname}`;
}

/** The members that are used: path, value, type, and whether it may be absent. */
function* membersOf(answer: JsonObject, operation: Operation): Iterable<Member> {
  yield ['success', answer.success, 'a boolean'];
  // Some programs write an absent text as null.
  for (const name of ['messageId', 'reference'])
    yield [name, answer[name] ?? undefined, 'a string', true];
  if (!answer.success) {
    yield ['errCode', answer.errCode, 'an integer'];
    yield ['errMessage', answer.errMessage, 'a string'];
  } else if (operation === 'process-payload')
    for (const [name, {mayLack, required, optional = []}] of Object.entries(CARD)) {
      const part = answer[name];
      yield [name, part, 'an object', mayLack];
      for (const member of isJsonObject(part) ? [...required, ...optional] : [])
        yield [`${name}.${member}`, Object(part)[member], 'a string', optional.includes(member)];
    }
}

type Member = readonly [path: string, found: unknown, type: string, mayLack?: boolean | undefined];

interface Members {
  readonly mayLack?: boolean;
  readonly required: readonly string[];
  readonly optional?: readonly string[];
}

const TRACK: Members = {mayLack: true, required: ['ascii', 'masked']};
/** The objects of a card, and the members of each that are texts. */
const CARD: Readonly<Record<string, Members>> = {
  meta: {required: ['device', 'serial', 'mode']},
  extracted: {
    required: ['PAN', 'EXPY'],
    optional: ['CVV', 'street', 'ZIP', 'FirstName', 'Surname', 'ServiceCode', 'Discretionary'],
  },
  tlv: {mayLack: true, required: ['decrypted']},
  track1: TRACK,
  track2: TRACK,
  track3: TRACK,
  track2equivalent: TRACK,
  keyed: TRACK,
};

/** The same of an endpoint, whoever made it. */
const ENDPOINT_DEFECT = 'The endpoint failed on its own. Report it to those who run it.';

/** What an error code of an answer means and what to do next; undefined for an unknown code. */
export function explainCode(
  code: number,
): {message: string; hint: string; exit: number} | undefined {
  if (!Object.hasOwn(ERROR_CATALOGUE, code)) return undefined;
  const entry = ERROR_CATALOGUE[code as ErrorCode];
  return code === 1 ? {...entry, hint: ENDPOINT_DEFECT} : entry;
}

function foreign(from: string, what: string): PaylensError {
  return new PaylensError(9021, `${from}: ${what}`);
}
