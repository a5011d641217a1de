import {checkProcessPayload} from '../../contract/check-request.js';
import {echoedReference} from '../../contract/echoed-reference.js';
import {type JsonObject, parseBody} from '../../contract/parse-json.js';
import {PaylensError, rethrowTerminalFault} from '../../contract/paylens-error.js';
import {isBinary} from '../../engine/decode-input.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import type {AnyRequest, TerminalSet} from '../../engine/families/terminal-set.js';
import {recognise, recogniseOne} from '../../engine/recognise.js';
import {isHex} from '../../platform/bytes.js';
import {attempt} from '../attempt.js';
import {plainCharacters} from '../notations/plain-characters.js';

/** The members of a request that flags add to a payload, and how the flags are called. */
const FLAGS = {
  deviceType: 'device-type',
  ksn: 'ksn',
  iv: 'iv',
  deviceSerial: 'serial',
  reference: 'reference',
  clientId: 'client',
} as const;

type Member = keyof typeof FLAGS;

/** What the flags of a command add to a payload, by the members of a request. */
export type RequestFlags = {readonly [M in Member]?: string | undefined};

/** Those flags as they are called on the command line. */
export type PayloadFlags = {readonly [M in Member as (typeof FLAGS)[M]]?: string | undefined};

/** The flags by the members of a request. */
export function requestFlags(flags: PayloadFlags): RequestFlags {
  const members = Object.entries(FLAGS).map(([member, flag]) => [member, flags[flag]]);
  return Object.fromEntries(members) as RequestFlags;
}

/**
 * Reads `given` as a request JSON, or returns undefined when it is a raw payload. An object with
 * `deviceType` or `devicePayload` is a request; other JSON is one unless the terminal is named, or a
 * reader accepts it as a payload. One that was copied out of a JSON string may keep its escapes.
 * Throws 2004 when it can only be meant as a request and is not a valid JSON object, or has text around it.
 */
export function requestBody(
  given: string,
  deviceType?: string,
  terminals: TerminalSet = KNOWN_TERMINALS,
): JsonObject | undefined {
  const input = copiedRequest(given);
  const isPayload = () =>
    deviceType !== undefined || recognise(withoutLineEnd(input, terminals), terminals).length > 0;
  if (!isJsonText(input)) {
    if (!NAMES_A_REQUEST.test(input) || isPayload()) return undefined;
    throw new PaylensError(2004, 'there is other text around the request', {
      hint: 'Pass the JSON of the request alone, from { to }.',
    });
  }
  let body: JsonObject;
  try {
    body = parseBody(input);
  } catch (error) {
    if (SEVERAL_REQUESTS.test(input) && error instanceof PaylensError)
      throw new PaylensError(error.code, error.detail, {hint: OF_SEVERAL});
    if (NAMES_A_REQUEST.test(input) || !(holdsData(input) || isPayload())) throw error;
    return undefined;
  }
  return 'deviceType' in body || 'devicePayload' in body || !isPayload() ? body : undefined;
}

/** One behind another, with or without a comma. */
const SEVERAL_REQUESTS = /\}[\s,]{0,40}\{\s{0,40}"device(?:Type|Payload)"/;
const OF_SEVERAL = 'Put each request on a line of its own, and use `paylens decrypt --batch`.';

/** Of text that begins as JSON and ends within, or is damaged: that it may be what a terminal sent. */
const holdsData = (input: string) => /"\s*:\s*"[\dA-Fa-f]{14}/.test(input);

const NAMES_A_REQUEST = /"device(?:Type|Payload)"/;

/**
 * A request without the escapes of the JSON string that it was copied from, with its quotes or not, and
 * without the marks of quoted mail.
 */
function copiedRequest(given: string): string {
  const text = given.trim();
  if (!/^(?:"\s*\{|\{\s*\\")/.test(text)) return plainRequest(given);
  const inner: unknown = attempt(() => JSON.parse(text.startsWith('"') ? text : `"${text}"`));
  return typeof inner === 'string' && NAMES_A_REQUEST.test(inner) ? inner : given;
}

/** A request behind the marks of quoted mail, or blanks of a web page, but no byte order mark. */
function plainRequest(given: string): string {
  const [lead = ''] = /^[>\s]+/.exec(given) ?? [];
  const isQuoted = lead !== '' && !lead.includes('\uFEFF') && NAMES_A_REQUEST.test(given);
  const plain = isQuoted ? plainCharacters(given).trim() : '';
  return isJson(plain) ? plain : given;
}

/** A number may be hex digits; a bracket may begin `[STX]`, a word may be a member's name. */
function isJsonText(input: string): boolean {
  const text = input.trim();
  return text.startsWith('{') || (/^(?:\[|"|(?:null|true|false)$)/.test(text) && isJson(text));
}

function isJson(text: string): boolean {
  return attempt(() => JSON.parse(text)) !== undefined;
}

/**
 * The reference of a request, in its body or from its flag, as it is echoed even when the request
 * fails.
 */
export function referenceOf(body: JsonObject | undefined, flag?: string): string | undefined {
  const reference = typeof body?.reference === 'string' ? body.reference : flag;
  return reference === undefined ? undefined : echoedReference(reference);
}

/**
 * The request that `body` (or, without one, `input` as raw payload) and the flags give together.
 * Credentials are left out, one final line ending of a raw payload too. Without a device type the
 * payload must fit exactly one reader. Throws 9001 when a flag and a member differ, 2000 when
 * several readers fit, 2100 when none does, and what checkProcessPayload throws.
 */
export function toRequest(
  input: string,
  body: JsonObject | undefined,
  flags: RequestFlags,
  terminals: TerminalSet = KNOWN_TERMINALS,
): AnyRequest {
  if (body) return checkProcessPayload({...body, ...given(flags, body)}, terminals.types);
  const devicePayload = withoutLineEnd(input, terminals);
  if (devicePayload === '') throw new PaylensError(2002);
  const named = flags.deviceType;
  const own =
    named === undefined
      ? recognised(devicePayload, flags.ksn, terminals)
      : {deviceType: named, devicePayload};
  const types = named === undefined ? [own.deviceType] : terminals.types;
  return checkProcessPayload({...given(flags, {}), ...own}, types);
}

/** What a payload is of. With a KSN, whole blocks that no terminal recognises are bare ciphertext. */
function recognised(devicePayload: string, ksn: string | undefined, terminals: TerminalSet) {
  try {
    return {deviceType: recogniseOne(devicePayload, terminals), devicePayload};
  } catch (error) {
    rethrowTerminalFault(error);
    const data = devicePayload.replaceAll(/\s/g, '');
    const isBare = ksn !== undefined && isHex(data) && data.length % CIPHER_BLOCK_DIGITS === 0;
    const form = terminals.all.find(({ofBlocks}) => ofBlocks);
    if (!isBare || !form?.ofBlocks) throw error;
    return {deviceType: form.type, devicePayload: form.ofBlocks(data)};
  }
}

/** A block of TDES in hex. */
const CIPHER_BLOCK_DIGITS = 16;

function given(flags: RequestFlags, body: JsonObject): Record<string, string> {
  const members: Record<string, string> = {};
  for (const [member, value] of Object.entries(flags)) {
    if (value === undefined || isGiven(body, member, value)) continue;
    members[member] = value;
  }
  return members;
}

// Whether the body has the member; it must then agree with the flag. Hex counts in either case.
function isGiven(body: JsonObject, member: string, value: string): boolean {
  const own = body[member];
  if (own === undefined || own === '') return false;
  if (typeof own !== 'string' || own.toUpperCase() === value.toUpperCase()) return true;
  const flag = `--${FLAGS[member as Member]}`;
  throw new PaylensError(9001, `${flag} conflicts with ${member} in the request`, {
    hint: `Omit ${flag}: the request already sets it.`,
    fault: {kind: 'setting', setting: member, is: 'doubled'},
  });
}

/**
 * A raw payload without one final line ending. A binary frame may end with a byte that looks like one:
 * it stays if only that is read.
 */
export function withoutLineEnd(input: string, terminals: TerminalSet = KNOWN_TERMINALS): string {
  const dropped = input.replace(/\r\n$|[\r\n]$/, '');
  if (dropped === input || !isBinary(input)) return dropped;
  return recognise(dropped, terminals).length === 0 && recognise(input, terminals).length > 0
    ? input
    : dropped;
}
