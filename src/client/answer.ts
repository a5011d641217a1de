import {ERROR_CATALOGUE, type ErrorCode} from '../contract/error-catalogue.js';
import {describeFault} from '../contract/json-fault.js';
import {isJsonObject, kindOf, readJson} from '../contract/parse-json.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {ProcessPayloadResult} from '../contract/process-payload.js';

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
 * `success`, and when that is false with `errCode` and `errMessage`. `from` names its sender.
 */
export function readAnswer(body: Uint8Array, from: string): Answer {
  const read = readJson(body);
  if ('fault' in read) throw foreign(from, `expected a JSON object: ${describeFault(read.fault)}`);
  const {value} = read;
  if (!isJsonObject(value)) throw foreign(from, `expected a JSON object, found ${kindOf(value)}`);
  const {success, errCode, errMessage} = value;
  if (typeof success !== 'boolean') throw foreign(from, 'the response has no "success" member');
  if (!success && typeof errCode !== 'number')
    throw foreign(from, 'the response has no "errCode" member');
  if (!success && typeof errMessage !== 'string')
    throw foreign(from, 'the response has no "errMessage" member');
  return value as unknown as Answer;
}

/**
 * The card in a successful answer of process-payload. Throws 9021 when a part is missing, or one
 * that is shown is not text.
 */
export function cardOf(answer: Answer): ProcessPayloadResult {
  for (const [name, {mayLack = false, required, optional = []}] of Object.entries(CARD)) {
    const part = answer[name];
    if (part === undefined && mayLack) continue;
    if (!isJsonObject(part)) throw new PaylensError(9021, `expected an object as "${name}"`);
    const wrong =
      required.find((member) => typeof part[member] !== 'string') ??
      optional.find((member) => !['string', 'undefined'].includes(typeof part[member]));
    if (wrong) throw new PaylensError(9021, `expected a string as "${name}.${wrong}"`);
  }
  return answer as unknown as ProcessPayloadResult;
}

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
