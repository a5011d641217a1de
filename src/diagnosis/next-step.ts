import type {ProcessPayloadRequest} from '../contract/process-payload.js';
import {Secret} from '../contract/secret.js';
import {upperHexOf} from '../engine/bytes.js';
import {KeyRing, type RingKey} from '../engine/dukpt/key-ring.js';
import type {Variant} from '../engine/dukpt/key-usage.js';
import type {Ksn} from '../engine/dukpt/ksn.js';
import {processPayload} from '../engine/process-payload.js';
import {attempt} from './open-card.js';
import type {Found, OpenedTarget} from './search.js';

/** A request that process-payload answers with the card, and whether the key must be added first. */
export interface NextStep {
  readonly request: ProcessPayloadRequest;
  readonly keys: 'published' | 'keyfile' | 'given';
  /** Of a given key: what it is to be added as. */
  readonly kind: 'bdk' | 'ik';
  readonly ksnPrefix?: string;
}

/**
 * The request with which decryption works: the payload with what was wrong put right, else its
 * ciphertexts as a generic payload. Tried before it is given. Undefined where the key is one that
 * nothing is derived from, or what opened is no card data.
 */
export function nextStep(found: Found): NextStep | undefined {
  const {role, origin} = found.key;
  const ksn = found.ksn?.ksn;
  if ((role !== 'bdk' && role !== 'ik') || !ksn || found.key.adjustIk) return undefined;
  const candidates = [asPayload(found, ksn), asGeneric(found, ksn)].filter(
    (one) => one !== undefined,
  );
  const request = candidates.find((one) => works(one, found, ksn));
  if (!request) return undefined;
  const keys = found.key.change === undefined ? origin : 'given';
  const prefix = role === 'ik' ? {ksnPrefix: ksn.initial} : {};
  return {request, keys, kind: role, ...prefix};
}

/** Whether `decrypt` opens a request under the key that was found. */
export function works(request: ProcessPayloadRequest, found: Found, ksn: Ksn): boolean {
  const ring = new KeyRing([ringKey(found, ksn)], {cache: false});
  return attempt(() => processPayload(request, ring)) !== undefined;
}

function ringKey({key}: Found, ksn: Ksn): RingKey {
  const secret = new Secret(key.bytes);
  return key.role === 'ik' ? {kind: 'ik', secret, ksnPrefix: ksn.initial} : {kind: 'bdk', secret};
}

function asPayload({probe, opened}: Found, ksn: Ksn): ProcessPayloadRequest | undefined {
  const {deviceType, payload} = probe.subject;
  if (deviceType === undefined || deviceType === 'magtek' || payload === undefined)
    return undefined;
  const iv = givenIv(opened);
  return {
    deviceType,
    devicePayload: payload,
    ...(probe.target.ksn === undefined ? {ksn: ksn.hex} : {}),
    ...(iv === undefined ? {} : {iv}),
  };
}

function givenIv(opened: readonly OpenedTarget[]): string | undefined {
  const iv = opened.map(({reading}) => reading.iv).find((one) => one && one.source !== 'zero');
  return iv && iv.source !== 'own' ? upperHexOf(iv.bytes) : undefined;
}

function asGeneric(found: Found, ksn: Ksn): ProcessPayloadRequest | undefined {
  const [first] = found.opened;
  const variant = first && genericVariant(first.setting.variant, first.setting.selfEncrypted);
  if (
    !first ||
    variant === undefined ||
    (first.setting.usage !== undefined && ksn.scheme !== 'aes')
  )
    return undefined;
  const {mode, iv} = first.reading;
  const values = found.opened.flatMap(genericValues);
  const members = {
    ksn: ksn.hex,
    ...(iv && iv.source !== 'zero' ? {iv: upperHexOf(iv.bytes)} : {}),
    ...(variant === 'data' ? {} : {variant}),
    ...(mode === 'cbc' ? {} : {mode}),
    ...(first.setting.algorithm === 'aes' && ksn.scheme === 'tdes' ? {algorithm: 'aes'} : {}),
    ...Object.fromEntries(values),
  };
  return {deviceType: 'generic', devicePayload: JSON.stringify(members)};
}

/** The names that generic payloads have for variants; undefined for those it has not. */
function genericVariant(variant: Variant, selfEncrypted: boolean): string | undefined {
  if (variant === 'data') return selfEncrypted ? 'data' : 'data-plain';
  if (variant === 'data-response') return selfEncrypted ? variant : undefined;
  return selfEncrypted ? undefined : variant;
}

/** Each chain is a value of its own, named by what it holds. */
function genericValues({target, reading}: OpenedTarget): [string, string][] {
  const {restarts, openings, iv} = reading;
  const from = iv?.source === 'prepended' ? iv.bytes.length : 0;
  const starts = [from, ...restarts];
  return starts.map((start, i) => {
    const bytes = target.ciphertext.subarray(start, starts[i + 1] ?? target.ciphertext.length);
    const {track1, track2, track3} = openings[i]?.content ?? {};
    const name = track1 ? 'track1' : track2 ? 'track2' : track3 ? 'track3' : 'data';
    return [name, upperHexOf(bytes)];
  });
}
