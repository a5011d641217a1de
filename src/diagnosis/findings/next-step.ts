import {PaylensError, rethrowTerminalFault} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {KeyRing, type RingKey, testKeyRing} from '../../engine/dukpt/key-ring.js';
import type {Ksn} from '../../engine/dukpt/ksn.js';
import type {RingKeyKind} from '../../engine/dukpt/ring-key.js';
import {describedRequest} from '../../engine/families/generic/described-request.js';
import type {AnyRequest, TerminalSet} from '../../engine/families/terminal-set.js';
import {processPayload} from '../../engine/process-payload.js';
import {attempt} from '../../input/attempt.js';
import {upperHexOf} from '../../platform/bytes.js';
import type {Opening} from '../plaintext/opened-plaintext.js';
import {deviceTypeOf, type KeyMatch, type OpenedTarget} from '../search/key-match.js';

/** A request whose response contains the card, and whether the key must be added first. */
export interface NextStep {
  readonly request: AnyRequest;
  readonly keys: 'published' | 'keyfile' | 'given';
  /** For a given key: the kind to add it as. */
  readonly kind: RingKeyKind;
  readonly ksnPrefix?: string;
  /** The key is AES and serves KSNs of 10 bytes. */
  readonly compatibility?: boolean;
  /** Files with the terminals of the user that the command needs. */
  readonly modules?: readonly string[];
}

/**
 * The request that decrypts the case: the payload with its mistakes fixed, else its ciphertexts as
 * a generic payload. It is tried before it is suggested. Undefined for a transaction key, which no
 * command takes, and if the plaintext is not card data.
 */
export function nextStep(found: KeyMatch, terminals: TerminalSet): NextStep | undefined {
  const {role} = found.key;
  const ksn = found.ksn?.ksn;
  if (role === 'transaction' || found.key.adjustIk) return undefined;
  if (role !== 'working' && !ksn) return undefined;
  const candidates = [
    asPayload(found, ksn, terminals),
    asGeneric(found, ksn),
    ...asBare(found, ksn, terminals),
  ].filter((one) => one !== undefined);
  const request = candidates.find((one) => works(one, found, {ksn, terminals}));
  if (!request) return undefined;
  const keys = hasKeyByDefault(found.key, request, terminals) ? found.key.origin : 'given';
  const prefix = role === 'ik' && ksn ? {ksnPrefix: ksn.initial} : {};
  if (!isCompatible(found)) return {request, keys, kind: role, ...prefix};
  // Published keys serve only KSNs of their own length.
  return {request, keys: 'given', kind: role, ...prefix, compatibility: true};
}

/** True if `decrypt` has the key by itself: those of the keyfile, unchanged, and of `--test-keys`. */
function hasKeyByDefault(
  {role, kind, origin, change}: KeyMatch['key'],
  request: AnyRequest,
  terminals: TerminalSet,
) {
  if (change !== undefined) return false;
  // Not every published key is one of `--test-keys`.
  if (origin === 'published') return opens(request, testKeyRing({cache: false}), terminals);
  // Only a key stored as a working key is used as one.
  return role !== 'working' || (origin === 'keyfile' && kind === 'working');
}

/** True if `decrypt` can process a request with the key that was found. */
export function works(
  request: AnyRequest,
  found: KeyMatch,
  {ksn, terminals}: {readonly ksn: Ksn | undefined; readonly terminals: TerminalSet},
): boolean {
  return opens(request, new KeyRing([ringKey(found, ksn)], {cache: false}), terminals);
}

function opens(request: AnyRequest, ring: KeyRing, terminals: TerminalSet): boolean {
  return attempt(() => processPayload(request, ring, {terminals})) !== undefined;
}

/**
 * What `decrypt` rejects in a payload although the key is right; undefined if it accepts it, or no
 * command takes the key.
 */
export function rejection(found: KeyMatch, terminals: TerminalSet): PaylensError | undefined {
  const ksn = found.ksn?.ksn;
  const {role, adjustIk} = found.key;
  const isUsable = role === 'working' || (role !== 'transaction' && ksn !== undefined && !adjustIk);
  const request = isUsable ? asPayload(found, ksn, terminals) : undefined;
  if (!request) return undefined;
  try {
    processPayload(request, new KeyRing([ringKey(found, ksn)], {cache: false}), {terminals});
  } catch (error) {
    rethrowTerminalFault(error);
    return error instanceof PaylensError ? error : undefined;
  }
  return undefined;
}

function ringKey(found: KeyMatch, ksn: Ksn | undefined): RingKey {
  const {key} = found;
  const secret = new Secret(key.bytes);
  const mode = isCompatible(found) ? ({algorithm: 'aes', compatibility: true} as const) : {};
  if (key.role === 'working') return {kind: 'working', secret};
  if (key.role === 'ik') return {kind: 'ik', secret, ksnPrefix: ksn?.initial ?? '', ...mode};
  return {kind: 'bdk', secret, ...mode};
}

/** True for AES DUKPT under a KSN of 10 bytes, which the key must allow explicitly. */
function isCompatible({setting, ksn}: KeyMatch): boolean {
  return setting.usage !== undefined && ksn?.ksn.scheme === 'tdes';
}

function asPayload(
  found: KeyMatch,
  ksn: Ksn | undefined,
  terminals: TerminalSet,
): AnyRequest | undefined {
  const {probe, opened} = found;
  const {payload} = probe.interpretation;
  const deviceType = deviceTypeOf(found);
  if (deviceType === undefined || !terminals.has(deviceType) || payload === undefined)
    return undefined;
  const iv = givenIv(opened);
  return {
    deviceType,
    devicePayload: payload,
    ...(probe.target.ksn === undefined && ksn ? {ksn: ksn.hex} : {}),
    ...(iv === undefined ? {} : {iv}),
  };
}

/** For terminals that send bare ciphertext: it alone, without what was around it. */
function asBare({opened}: KeyMatch, ksn: Ksn | undefined, terminals: TerminalSet): AnyRequest[] {
  const [first] = opened;
  if (!first || opened.length > 1) return [];
  const devicePayload = upperHexOf(first.target.ciphertext);
  const given = ksn ? {ksn: ksn.hex} : {};
  const readers = terminals.all.filter(({readsBare}) => readsBare);
  return readers.map(({type}) => ({deviceType: type, devicePayload, ...given}));
}

function givenIv(opened: readonly OpenedTarget[]): string | undefined {
  const iv = opened.map(({reading}) => reading.iv).find((one) => one && one.source !== 'zero');
  return iv && iv.source !== 'own' ? upperHexOf(iv.bytes) : undefined;
}

function asGeneric(found: KeyMatch, ksn: Ksn | undefined): AnyRequest | undefined {
  const [first] = found.opened;
  if (!first) return undefined;
  const {
    setting: {usage, variant, selfEncrypted, algorithm},
    reading: {mode, iv},
  } = first;
  if (mode === undefined) return undefined;
  const isMade = usage === undefined && found.key.role !== 'working';
  const key = isMade ? {variant, selfEncrypted} : DATA_KEY;
  return describedRequest({
    ksn,
    setting: {...key, algorithm, mode},
    iv: iv && iv.source !== 'zero' ? iv.bytes : undefined,
    values: found.opened.flatMap(genericValues),
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
    return [valueName(openings[i]), upperHexOf(bytes)];
  });
}

/** The name of a value; a track in a TLV list counts as a list. */
function valueName(opening: Opening | undefined): string {
  const {track1, track2, track3} = opening?.content ?? {};
  if (opening?.packing === 'tlv') return 'data';
  return track1 ? 'track1' : track2 ? 'track2' : track3 ? 'track3' : 'data';
}
