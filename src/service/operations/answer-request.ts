import type {IncomingMessage} from 'node:http';
import {type AuthContext, type Authenticated, authenticate} from '../../auth/authenticate.js';
import {
  checkProcessPayload,
  checkText,
  checkValidateDevice,
  checkValidatePartner,
} from '../../contract/check-request.js';
import type {Fault} from '../../contract/control/queued-answer.js';
import {echoedReference} from '../../contract/echoed-reference.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import type {Operation} from '../../contract/operation.js';
import {type JsonObject, parseBody} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {ProcessPayloadResult} from '../../contract/process-payload.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {processPayload} from '../../engine/process-payload.js';
import {errorAnswer, type HttpAnswer, successAnswer} from '../http/http-message.js';
import {headerValues, type RawRequest} from '../http/request-head.js';
import {checkFirmware} from '../registry/device-registry.js';
import type {Registry} from '../registry/registry.js';
import {mockAnswer} from './mock-answer.js';
import {
  type AnswerContext,
  type ScriptedAnswer,
  scriptedAnswerFor,
  textMember,
} from './scripted-answer.js';
import {assertStrictBody, assertStrictCredentials} from './strict.js';

/** One POST as it came in. */
export interface Incoming extends RawRequest {
  readonly operation: Operation;
}

/** What answering a request needs of its service. */
export interface ServiceContext extends AnswerContext {
  /** The registry in force: read once per request, so that a reload never mixes two. */
  readonly registry: Registry;
  /** What `authenticate` compares a request with. */
  readonly authContext: (registry: Registry) => AuthContext;
  /** The WWW-Authenticate values for what `authenticate` threw. */
  readonly challenges: (error: unknown) => string[];
  readonly messageId: () => string;
  /** Explains a 1003; status and body do not depend on it. */
  readonly explain?: ((refused: RefusedSender) => Promise<string | undefined>) | undefined;
  /** Demo and mock: refuses what the interface does not promise. */
  readonly strict?: boolean | undefined;
  /** Types of terminal that are accepted. */
  readonly deviceTypes: readonly string[];
}

/** A request that got a 1003. */
export interface RefusedSender {
  readonly incoming: Incoming;
  readonly error: PaylensError;
  readonly registry: Registry;
  readonly messageId: string;
}

/** What happened to a request, for the log, the metrics and `/_requests`. */
export interface Outcome {
  readonly answer: HttpAnswer;
  readonly messageId: string;
  readonly fault?: Fault | undefined;
  /** Milliseconds before the answer. */
  readonly latency?: number | undefined;
  readonly sender?: Authenticated | undefined;
  readonly reference?: string | undefined;
  readonly deviceType?: string | undefined;
  /** The body, if it could be parsed: it may hold keys and cards. */
  readonly sent?: JsonObject | undefined;
  /** The serial number of the device that was found. */
  readonly serial?: string | undefined;
  /** Why it was refused, under `--explain`. */
  readonly why?: string | undefined;
  readonly error?: PaylensError | undefined;
  /** The error was asked for. */
  readonly isRequested?: true | undefined;
  /** The cause of an internal error. */
  readonly defect?: unknown;
}

/** A request and what became of it. */
export interface FinishedRequest extends RawRequest {
  /** Not spread into this object: that makes a hidden class, in old space, for every request. */
  readonly outcome: Outcome;
  /** Absent: it was passed on to another path of an endpoint. */
  readonly operation?: Operation | undefined;
  /** Absent: POST. */
  readonly method?: string;
  readonly milliseconds: number;
  /** Of HTTP: `1.1`. */
  readonly version?: string;
  /** Status line and headers as sent; undefined if nothing was, '' if there was no connection. */
  readonly responseHead?: string | undefined;
  /** What was sent of the body. */
  readonly responseBody?: string;
}

/** A request that was answered before an operation saw it. */
export interface RefusedRequest {
  readonly answer: HttpAnswer;
  readonly messageId: string;
  readonly error: PaylensError;
  /** Absent where the HTTP parser found none. */
  readonly request?: IncomingMessage | undefined;
  /** Status line and headers as sent. */
  readonly responseHead?: string | undefined;
  /** The cause of an internal error. */
  readonly defect?: unknown;
}

/** A body that was parsed, or the error that it gave. */
type Parsed = {readonly object?: JsonObject; readonly error?: unknown};

/**
 * Answers one request of the interface: authentication, then the parameters, then the operation
 * (docs/contract.md#order-of-checks). Never throws: every failure is an error object.
 */
export async function answerRequest(incoming: Incoming, context: ServiceContext): Promise<Outcome> {
  const messageId = context.messageId();
  const parsed = parse(incoming.body);
  const {object: sent} = parsed;
  const asked = textMember(sent, 'reference');
  const reference = asked === undefined ? undefined : echoedReference(asked);
  const known = {messageId, reference, deviceType: textMember(sent, 'deviceType'), sent};
  let sender: Authenticated | undefined;
  let scripted: ScriptedAnswer = {};
  const {registry} = context;
  try {
    sender = await senderOf(incoming, parsed, registry, context);
    const body = objectOf(parsed);
    if (context.strict) assertStrictBody(incoming.operation, body);
    if (context.mode !== 'real') scripted = scriptedAnswerFor(incoming.operation, body, context);
    if (scripted.error) throw scripted.error;
    const result = PERFORM[incoming.operation](body, {registry, context, scripted, sender});
    const answer = successAnswer({messageId, reference}, result);
    const {fault, latency} = scripted;
    return {answer, ...known, sender, serial: result.meta?.serial, fault, latency};
  } catch (caught) {
    const error = caught instanceof PaylensError ? caught : new PaylensError(1);
    const defect = error === caught ? undefined : caught;
    const why = context.explain && (await context.explain({incoming, error, registry, messageId}));
    const headers = {
      ...(error.code === 1003 && {'www-authenticate': context.challenges(caught)}),
      ...(why !== undefined && context.mode !== 'real' && {'paylens-why': whyHeader(why)}),
    };
    const shown = error.code === 1003 ? new PaylensError(1003) : error;
    const answer = errorAnswer(shown, {messageId, reference}, {headers});
    const {fault, latency} = scripted;
    const isRequested = error === scripted.error || undefined;
    return {answer, ...known, sender, error, isRequested, defect, why, fault, latency};
  }
}

/** Longest value of the header. */
const MAX_WHY_CHARS = 200;

/** A reason as the value of `Paylens-Why`: printable ASCII. */
function whyHeader(why: string): string {
  const masked = redactKeys(redactCardNumbers(why));
  const shown = masked.replace(/[^\x20-\x7e]+/g, '?').trim();
  return shown.length <= MAX_WHY_CHARS ? shown : `${shown.slice(0, MAX_WHY_CHARS - 3)}...`;
}

function parse(body: Uint8Array): Parsed {
  try {
    return {object: parseBody(body)};
  } catch (error) {
    return {error};
  }
}

function objectOf({object, error}: Parsed): JsonObject {
  if (object) return object;
  throw error;
}

/** A header takes precedence over the body; no header and an empty body: 1003 with the challenges. */
async function senderOf(
  incoming: Incoming,
  parsed: Parsed,
  registry: Registry,
  context: ServiceContext,
): Promise<Authenticated> {
  const authorization = headerValues(incoming.rawHeaders, 'authorization');
  const {target, body} = incoming;
  if (context.strict) assertStrictCredentials(incoming.rawHeaders);
  if (authorization.length === 0) assertCredentials(body, parsed);
  const credentials = {
    partnerId: textMember(parsed.object, 'partnerId'),
    partnerKey: textMember(parsed.object, 'partnerKey'),
  };
  const request = {method: 'POST', target, authorization, body, credentials};
  return authenticate(request, context.authContext(registry));
}

function assertCredentials(body: Uint8Array, parsed: Parsed): void {
  const isBlank = body.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
  if (isBlank) throw new PaylensError(1003);
  const object = objectOf(parsed);
  assertCredential(object, 'partnerId', 1101);
  assertCredential(object, 'partnerKey', 1102);
}

function assertCredential(object: JsonObject, member: string, code: 1101 | 1102): void {
  const value = Object.hasOwn(object, member) ? object[member] : '';
  checkText(member, value);
  if (value === '') throw new PaylensError(code);
}

interface Circumstances {
  readonly registry: Registry;
  readonly context: ServiceContext;
  readonly scripted: ScriptedAnswer;
  readonly sender: Authenticated;
}

type Perform = (body: JsonObject, by: Circumstances) => Partial<ProcessPayloadResult>;

const PERFORM: Readonly<Record<Operation, Perform>> = {
  'validate-partner': (body) => {
    checkValidatePartner(body);
    return {};
  },
  'validate-device': (body, {registry, sender, context}) => {
    const {serial, firmware, clientId} = checkValidateDevice(body);
    if (context.mode === 'mock') return {};
    const device = registry.devices.require({partnerId: sender.partnerId, serial, clientId});
    // Otherwise serials match without leading zeros and without regard to case.
    if (context.strict && device.serial !== serial) throw new PaylensError(1202);
    checkFirmware(device, firmware);
    return {};
  },
  'process-payload': (body, {registry, sender, context, scripted}) => {
    const request: AnyRequest = checkProcessPayload(body, context.deviceTypes);
    if (context.mode === 'mock' || scripted.card !== undefined)
      return mockAnswer(request, scripted);
    const {clientId} = request;
    const checkDevice = (serial: string) => {
      registry.devices.require({partnerId: sender.partnerId, serial, clientId});
    };
    return processPayload(request, registry.keys, registry.allowUnregistered ? {} : {checkDevice});
  },
};
