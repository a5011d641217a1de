import {errorObjectOf} from '../../contract/error-object.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {ProcessPayloadResult} from '../../contract/process-payload.js';
import {maskPan} from '../../engine/card/mask.js';
import {expiryText} from '../../engine/card-rows.js';
import {decodeInput} from '../../engine/decode-input.js';
import type {KeyRing} from '../../engine/dukpt/key-ring.js';
import type {AnyRequest, TerminalSet} from '../../engine/families/terminal-set.js';
import type {WireFrame} from '../../engine/framing/frame-splitter.js';
import type {WireFormName} from '../../engine/framing/wire-forms.js';
import {inspectBoth} from '../../engine/inspection/inspect-payload.js';
import {maskUnknown} from '../../engine/inspection/mask-part.js';
import {savedPayload} from '../../engine/inspection/saved-payload.js';
import {processPayload} from '../../engine/process-payload.js';
import {mayBePaste} from '../../input/paste/judge.js';
import {readPaste} from '../../input/paste/read-paste.js';
import {
  type PayloadFlags,
  requestBody,
  requestFlags,
  toRequest,
} from '../../input/paste/request-input.js';
import {upperHexOf} from '../../platform/bytes.js';

/** A read, or what was damaged on its way, as one line of JSON; card data is masked. */
export interface TerminalRead {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly form?: WireFormName;
  /** Bytes of the stream before it. */
  readonly at: number;
  readonly deviceType?: string;
  /** As `decrypt --batch` and `send payload --batch` take it. */
  readonly devicePayload: string;
  /** The mask changed the payload: it cannot be decrypted any more. */
  readonly masked?: true;
  readonly ksn?: string;
  readonly mode?: string;
  /** The card number, masked. */
  readonly number?: string;
  readonly expiry?: string;
  readonly errCode?: number;
  readonly errMessage?: string;
  readonly cause?: string;
}

/** How frames are read. */
export interface ReadOptions {
  readonly flags: PayloadFlags;
  readonly terminals: TerminalSet;
  /** Absent: nothing is decrypted. */
  readonly keys: KeyRing | undefined;
  /** Keeps clear card data in the payload. */
  readonly keepsCards: boolean;
  /** The cause of an error, as a diagnosis finds it. */
  readonly explain: (payload: string, error: PaylensError) => Promise<string | undefined>;
}

const DAMAGE = {
  'wrong-check': 'its check does not match',
  unfinished: 'its end is missing',
  'no-frame': 'these bytes are not a frame',
} as const;

/** What a frame holds; undefined if it is no read, such as a status message or a line of a log. */
export async function terminalRead(
  frame: WireFrame,
  options: ReadOptions,
): Promise<TerminalRead | undefined> {
  const {form, at, damage} = frame;
  const payload = payloadOf(frame, options);
  const time = new Date().toISOString();
  const head = {time, ...(form !== undefined && {form}), at};
  try {
    const request = requestOf(payload, options);
    return {...head, ...(await requestRead(request, damage, options))};
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    if (!damage && error.code === 2100) return undefined;
    const failure = damage ? damageError(damage, error) : error;
    const devicePayload = options.keepsCards ? payload : maskUnknown(payload);
    const isMasked = devicePayload !== payload;
    const own = {devicePayload, ...(isMasked && ({masked: true} as const))};
    return {...head, ...own, ...(await refused(payload, failure, options))};
  }
}

/** A message as text; a line without what a log writes around the payload; other frames in hex. */
function payloadOf({form, bytes}: WireFrame, {flags, terminals}: ReadOptions): string {
  if (form !== 'line' && form !== 'text') return upperHexOf(bytes);
  const text = decodeInput(bytes);
  const type = flags['device-type'];
  if (!mayBePaste(text, type, terminals)) return text;
  try {
    return readPaste(text, type, terminals)?.payload ?? text;
  } catch (error) {
    if (error instanceof PaylensError) return text;
    throw error;
  }
}

function requestOf(payload: string, {flags, terminals}: ReadOptions): AnyRequest {
  const body = requestBody(payload, flags['device-type'], terminals);
  return toRequest(payload, body, requestFlags(flags), terminals);
}

async function requestRead(
  request: AnyRequest,
  damage: WireFrame['damage'],
  options: ReadOptions,
): Promise<Omit<TerminalRead, 'time' | 'at'>> {
  const {deviceType, devicePayload} = request;
  const {terminals, keepsCards} = options;
  const both = inspectBoth(request, terminals);
  const {masked} = both;
  const shown = keepsCards ? devicePayload : savedPayload(devicePayload, both);
  const ksn = request.ksn ?? masked.encrypted.find((part) => part.ksn !== undefined)?.ksn;
  const own = {
    deviceType,
    devicePayload: shown,
    ...(shown !== devicePayload && ({masked: true} as const)),
    ...(ksn !== undefined && {ksn}),
  };
  const failure = masked.failure ?? (damage && damageError(damage));
  if (failure) return {...own, ...(await refused(devicePayload, failure, options))};
  try {
    return {...own, ...(options.keys && decrypted(request, options.keys, options.terminals))};
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    return {...own, ...(await refused(devicePayload, error, options))};
  }
}

function decrypted(request: AnyRequest, keys: KeyRing, terminals: TerminalSet) {
  const {meta, extracted}: ProcessPayloadResult = processPayload(request, keys, {terminals});
  const {PAN, EXPY} = extracted;
  const expiry = expiryText(EXPY);
  return {mode: meta.mode, number: maskPan(PAN), ...(expiry !== undefined && {expiry})};
}

async function refused(payload: string, error: PaylensError, {explain}: ReadOptions) {
  const cause = await explain(payload, error);
  const {errCode, errMessage} = errorObjectOf(error);
  return {errCode, errMessage, ...(cause !== undefined && {cause})};
}

/** The error of a damaged frame: what its reader says, if that is about the damage. */
function damageError(damage: NonNullable<WireFrame['damage']>, error?: PaylensError): PaylensError {
  if (error?.code === 2101 || error?.code === 2102) return error;
  return new PaylensError(damage === 'unfinished' ? 2102 : 2101, DAMAGE[damage]);
}
