import {defined} from '../../contract/defined.js';
import type {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {mergeContent} from '../../engine/card/card-content.js';
import {assertAnsweredPan} from '../../engine/card/masked-pans.js';
import {KeyRing, type RingKey, testKeyRing} from '../../engine/dukpt/key-ring.js';
import type {RingKeyKind} from '../../engine/dukpt/ring-key.js';
import {describedRequest} from '../../engine/families/generic/described-request.js';
import type {AnyRequest, TerminalSet} from '../../engine/families/terminal-set.js';
import {processPayload} from '../../engine/process-payload.js';
import {Trace} from '../../engine/trace.js';
import {attempt, rejectionOf} from '../../input/attempt.js';
import {upperHexOf} from '../../platform/bytes.js';
import {
  deviceTypeOf,
  type KeyMatch,
  type OpenedTarget,
  targetsWithData,
} from '../search/key-match.js';

/** A request whose response contains the card, and whether the key must be added first. */
export interface NextStep {
  readonly request: AnyRequest;
  readonly keys: 'published' | 'keyfile' | 'given';
  /** For a given key: the kind to add it as. */
  readonly kind: RingKeyKind;
  readonly ksnPrefix?: string;
  /** The key is AES and serves KSNs of 10 bytes. */
  readonly compatibility?: boolean;
  /** A given key as it was given, but perhaps of another kind. */
  readonly isAsGiven?: boolean;
  /** Files with the terminals of the user that the command needs. */
  readonly modules?: readonly string[];
  /** How the user gave the payload and the keys, in words of a command; absent: literally, by a prompt. */
  readonly given?: GivenWords;
}

/** An input in words of a command. */
export interface NamedInput {
  readonly words: readonly string[];
  /** The members of the request that it holds itself. */
  readonly holds: Partial<AnyRequest>;
  /** Those that it must be given first. */
  readonly changes?: Partial<AnyRequest>;
}

/** What a command can repeat of the one before it. */
export interface GivenWords {
  /** The input, if it is still what is to be read. */
  readonly input?: NamedInput;
  /** The request that the user gave, if its payload is right and other members are to be changed. */
  readonly corrected?: NamedInput;
  /** The options of the key that was given for this run. */
  readonly key?: readonly string[];
  /** The options of the keyfiles. */
  readonly keyfile: readonly string[];
}

/**
 * The request that decrypts the case: the payload with its mistakes fixed, else its ciphertexts as
 * a generic payload. It is tried before it is suggested. Undefined for a transaction key, which no
 * command takes, and if the plaintext is not card data.
 */
export function nextStep(found: KeyMatch, terminals: TerminalSet): NextStep | undefined {
  const {key} = found;
  if (!isUsable(found)) return undefined;
  const ksn = found.ksn?.ksn;
  const others = contradictionOf(found) ? [] : [asGeneric(found), ...asBare(found, terminals)];
  const candidates = [asPayload(found, terminals), ...others];
  const request = candidates.find((one) => one && works(one, found, terminals));
  if (!request) return undefined;
  const prefix = key.role === 'ik' && ksn ? {ksnPrefix: ksn.initial} : {};
  const kind = key.role as RingKeyKind;
  // Published keys serve only KSNs of their own length.
  if (isCompatible(found)) return {request, keys: 'given', kind, ...prefix, compatibility: true};
  const keys = hasKeyByDefault(key, request, terminals) ? key.origin : 'given';
  const isAsGiven = key.origin === 'given' && key.change === undefined;
  return {request, keys, kind, ...prefix, ...(isAsGiven && {isAsGiven})};
}

/** True if a command takes the key: a transaction key is for one read, and is taken by none. */
function isUsable({key: {role, adjustIk}, ksn}: KeyMatch): boolean {
  return role === 'working' || (role !== 'transaction' && ksn !== undefined && !adjustIk);
}

/** True if `decrypt` has the key by itself: those of the keyfile, unchanged, and of `--test-keys`. */
function hasKeyByDefault(
  {role, kind, origin, change, bytes, serves}: KeyMatch['key'],
  request: AnyRequest,
  terminals: TerminalSet,
) {
  if (change !== undefined) return false;
  // Not every published key is one of `--test-keys`.
  if (origin === 'published') return opens(request, testKeyRing({cache: false}), terminals);
  if (origin !== 'keyfile') return role !== 'working';
  // It serves the KSNs that it is stored for, as the kind that it is stored as.
  const stored = {...serves, kind: kind as RingKeyKind, secret: new Secret(bytes)};
  const ring = attempt(() => new KeyRing([stored], {cache: false}));
  return ring !== undefined && opens(request, ring, terminals);
}

/** True if `decrypt` can process a request with the key that was found. */
export function works(request: AnyRequest, found: KeyMatch, terminals: TerminalSet): boolean {
  return opens(request, ringOf(found), terminals);
}

function opens(request: AnyRequest, ring: KeyRing, terminals: TerminalSet): boolean {
  return attempt(() => processPayload(request, ring, {terminals})) !== undefined;
}

/**
 * What `decrypt` rejects in a payload although the key is right; undefined if it accepts it, or no
 * command takes the key.
 */
export function rejection(found: KeyMatch, terminals: TerminalSet): PaylensError | undefined {
  const request = isUsable(found) ? asPayload(found, terminals) : undefined;
  return request && rejectionOf(() => processPayload(request, ringOf(found), {terminals}));
}

/** What masked copies in the payload say against the card; they must not be left out then. */
export function contradictionOf({probe, opened}: KeyMatch): PaylensError | undefined {
  const {reader, payload} = probe.interpretation;
  if (!reader || payload === undefined) return undefined;
  const reading = attempt(() => reader.read(payload, new Trace({recording: false})));
  const contents = opened.flatMap(({reading: {openings}}) =>
    openings.flatMap(({content}) => content ?? []),
  );
  return rejectionOf(() => assertAnsweredPan(reading?.masked ?? [], mergeContent(contents)));
}

/** A ring with the key that was found and no other. */
function ringOf(found: KeyMatch): KeyRing {
  const {role, bytes} = found.key;
  const kind = role === 'working' || role === 'ik' ? role : 'bdk';
  const isNew = role !== 'working' && isCompatible(found);
  const key: RingKey = {
    kind,
    secret: new Secret(bytes),
    ...(kind === 'ik' && {ksnPrefix: found.ksn?.ksn.initial ?? ''}),
    ...(isNew && {algorithm: 'aes', compatibility: true}),
  };
  return new KeyRing([key], {cache: false});
}

/** True for AES DUKPT under a KSN of 10 bytes, which the key must allow explicitly. */
function isCompatible({setting, ksn}: KeyMatch): boolean {
  return setting.usage !== undefined && ksn?.ksn.scheme === 'tdes';
}

function asPayload(found: KeyMatch, terminals: TerminalSet): AnyRequest | undefined {
  const {probe, opened, ksn} = found;
  const {payload} = probe.interpretation;
  const deviceType = deviceTypeOf(found);
  if (deviceType === undefined || !terminals.has(deviceType) || payload === undefined)
    return undefined;
  const own = probe.target.ksn === undefined ? ksn?.ksn.hex : undefined;
  const other = opened.map(({reading}) => reading.iv).find((one) => one && one.source !== 'zero');
  const iv = other && other.source !== 'own' ? upperHexOf(other.bytes) : undefined;
  return {deviceType, devicePayload: payload, ...defined({ksn: own, iv})};
}

/** For terminals that send bare ciphertext: it alone, without what was around it. */
function asBare({opened, ksn}: KeyMatch, terminals: TerminalSet): AnyRequest[] {
  const [first] = opened;
  if (!first || opened.length > 1) return [];
  const devicePayload = upperHexOf(first.target.ciphertext);
  const given = defined({ksn: ksn?.ksn.hex});
  const readers = terminals.all.filter(({readsBare}) => readsBare);
  return readers.map(({type}) => ({deviceType: type, devicePayload, ...given}));
}

function asGeneric(found: KeyMatch): AnyRequest | undefined {
  const opened = targetsWithData(found);
  const [first] = opened;
  if (!first) return undefined;
  const {usage, variant, selfEncrypted, algorithm} = first.setting;
  const {mode, iv} = first.reading;
  if (mode === undefined) return undefined;
  const isMade = usage === undefined && found.key.role !== 'working';
  const key = isMade ? {variant, selfEncrypted} : DATA_KEY;
  return describedRequest({
    ksn: found.ksn?.ksn,
    setting: {...key, algorithm, mode},
    iv: iv && iv.source !== 'zero' ? iv.bytes : undefined,
    values: opened.flatMap(genericValues),
  });
}

/** AES DUKPT uses key usages instead of the data variants, a working key neither. */
const DATA_KEY = {variant: 'data', selfEncrypted: true} as const;

/** Each CBC chain is a separate value, named after its content. */
function genericValues({target, reading}: OpenedTarget): [string, string][] {
  const {restarts = [], openings, iv, plain} = reading;
  const from = iv?.source === 'prepended' ? iv.bytes.length : 0;
  const starts = [from, ...restarts];
  return starts.map((start, i) => {
    // If the ciphertext is inside other bytes, only the decrypted part.
    const bytes = target.ciphertext.subarray(start, starts[i + 1] ?? from + plain.length);
    const {packing, content} = openings[i] ?? {};
    // A track in a TLV list counts as a list.
    const track = (['track1', 'track2', 'track3'] as const).find((name) => content?.[name]);
    return [packing !== 'tlv' && track ? track : 'data', upperHexOf(bytes)];
  });
}
