import {PaylensError, type Place} from '../../contract/paylens-error.js';
import type {ProcessPayloadResult} from '../../contract/process-payload.js';
import {Secret} from '../../contract/secret.js';
import type {KeyRing} from '../../engine/dukpt/key-ring.js';
import type {RingKeyKind} from '../../engine/dukpt/ring-key.js';
import {
  type DecryptionObserver,
  Explainer,
  type Explanation,
  type FieldExplanation,
  type OpenedField,
} from '../../engine/explanation.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {isMacValid} from '../../engine/forms/verify-macs.js';
import type {PlannedField} from '../../engine/plan.js';
import {processPayload} from '../../engine/process-payload.js';
import type {MessageMac, Reading} from '../../engine/reading.js';
import {derivationOf, type Step} from './derivation.js';
import {type KeyChoice, type NamedRing, ringsOf} from './keys.js';
import {type Plaintext, plaintextOf} from './plaintext.js';

/** One decrypted field: its plaintext, how it was decrypted, and the keys on the way. */
export interface OpenedPart {
  readonly name: string;
  readonly offset: number;
  readonly ciphertext: Uint8Array;
  readonly blockSize: number;
  readonly plaintext: Plaintext;
  readonly explanation: FieldExplanation;
  readonly steps: readonly Step[];
}

/** A decrypted payload. */
export interface Opened {
  readonly result: ProcessPayloadResult;
  readonly explanation: Explanation;
  readonly parts: readonly OpenedPart[];
  /** Whose key it was. */
  readonly key: string;
  readonly kind: RingKeyKind;
  readonly isPublishedKey: boolean;
}

/** A MAC or a hash that a key could check, and whether it was the one `of` what it covers. */
export interface CheckedMac extends Pick<MessageMac, 'name' | 'offset'> {
  readonly of: 'MAC of the data' | 'hash of the plaintext' | 'masked copy of the card';
  readonly ok: boolean;
}

/** What came of decrypting: a wrong MAC or hash is known by its place although nothing is shown. */
export interface Tried {
  readonly opened?: Opened;
  readonly failure?: PaylensError;
  readonly macs?: readonly CheckedMac[];
}

/**
 * Decrypts as `decrypt` does, under the first ring that serves the KSNs of the payload. Throws 9015
 * for an unusable key.
 */
export function openPayload(request: AnyRequest, keys: KeyChoice, ksns: readonly string[]): Tried {
  const rings = ringsOf(keys, ksns);
  try {
    return openWithFirst(request, rings);
  } finally {
    for (const {ring} of rings) ring.wipe();
  }
}

/** The error of the first ring is the most useful one: its keys were typed. */
function openWithFirst(request: AnyRequest, rings: readonly NamedRing[]): Tried {
  let first: Tried | undefined;
  for (const ring of rings) {
    const tried = openWith(request, ring);
    const code = tried.failure?.code;
    if (code === undefined || (!first && !KEY_ERRORS.has(code))) return tried;
    if (tried.failure && contradicted(tried.failure).length > 0) return tried;
    first ??= tried;
  }
  return first ?? {failure: new PaylensError(2600)};
}

/** Errors that another key may avoid; a working key needs no KSN. */
const KEY_ERRORS: ReadonlySet<number> = new Set([2400, 2600, 2601, 9015]);

function openWith(request: AnyRequest, named: NamedRing): Tried {
  const {ring} = named;
  const explainer = new Explainer(ring, request.deviceType);
  const watcher = new Watcher(explainer);
  try {
    const opened = openedWith(request, named, explainer, watcher);
    return {opened, macs: checkedIn(watcher, ring)};
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    return {failure: error, macs: [...checkedIn(watcher, ring), ...contradicted(error)]};
  }
}

/** The MACs, wrong ones too, and the hashes that were right. */
function checkedIn({macs, hashes}: Watcher, ring: KeyRing): CheckedMac[] {
  const checked = macs.flatMap((mac): CheckedMac[] => {
    const ok = isMacValid(mac, ring);
    const {name, offset} = mac;
    return ok === undefined ? [] : [{name, offset, of: 'MAC of the data', ok}];
  });
  return [...checked, ...hashes.map((at) => checkedHash(at, true))];
}

/** A wrong hash or masked copy ends the decryption; its error has the offset. */
function contradicted({fault}: PaylensError): CheckedMac[] {
  if (fault?.kind === 'hash') return [checkedHash(fault, false)];
  if (fault?.kind !== 'masked-copy') return [];
  const {name, offset} = fault;
  return [{name, offset, of: 'masked copy of the card', ok: false}];
}

function checkedHash({name, offset}: Place, ok: boolean): CheckedMac {
  return {name, offset, of: 'hash of the plaintext', ok};
}

function openedWith(
  request: AnyRequest,
  {ring, what, kind, isPublished}: NamedRing,
  explainer: Explainer,
  watcher: Watcher,
): Opened {
  const result = processPayload(request, ring, {observer: watcher});
  const {explanation} = explainer;
  if (!explanation) throw new PaylensError(1);
  const parts = watcher.accepting.map(({opened, bytes}, i): OpenedPart => {
    const {field} = opened.planned;
    const explained = explanation.fields[i];
    if (!explained) throw new PaylensError(1);
    return {
      name: field.name,
      offset: field.offset,
      ciphertext: field.ciphertext,
      blockSize: opened.planned.algorithm === 'aes' ? 16 : 8,
      plaintext: plaintextOf(bytes, opened.content),
      explanation: explained,
      steps: wayOf(opened, ring, explained),
    };
  });
  return {result, explanation, parts, key: what, kind, isPublishedKey: isPublished};
}

/** From a working key nothing is derived. */
function wayOf(opened: OpenedField, ring: KeyRing, {key}: FieldExplanation): readonly Step[] {
  const steps = derivationOf(opened, ring);
  const secret = ring.find(opened.planned.ksn)?.secret;
  if (steps.length > 0 || !secret) return steps;
  return [{name: 'working key', kcv: key.kcv, key: new Secret(secret.reveal())}];
}

interface Seen {
  readonly opened: OpenedField;
  /** A copy: the pipeline wipes what it used. */
  readonly bytes: Uint8Array;
}

/** Keeps the plaintexts that the answer is made of. */
class Watcher implements DecryptionObserver {
  readonly #explainer: Explainer;
  readonly #seen = new Map<PlannedField, Seen>();
  accepting: readonly Seen[] = [];
  macs: readonly MessageMac[] = [];
  /** Places of the hashes that matched. */
  readonly hashes: Place[] = [];

  constructor(explainer: Explainer) {
    this.#explainer = explainer;
  }

  opened(opened: OpenedField): void {
    this.#explainer.opened(opened);
    this.#seen.set(opened.planned, {opened, bytes: opened.plain.slice()});
    this.hashes.push(...(opened.content.facts ?? []).flatMap(({at}) => at ?? []));
  }

  accepted(fields: readonly PlannedField[], reading: Reading): void {
    this.#explainer.accepted(fields, reading);
    this.macs = reading.macs ?? [];
    this.accepting = fields.flatMap((planned) => this.#seen.get(planned) ?? []);
  }
}
