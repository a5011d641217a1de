import {nounFor} from '../contract/found-hex.js';
import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import {upperHexOf} from '../platform/bytes.js';
import type {CardContent} from './card/card-content.js';
import type {Fact} from './card/evidence.js';
import {type Algorithm, blockSizeOf} from './cipher/block-cipher.js';
import {type Fill, isFill} from './cipher/padding.js';
import {aesKcv, tdesKcv} from './dukpt/kcv.js';
import type {KeyRing} from './dukpt/key-ring.js';
import {type Ksn, keySetId} from './dukpt/ksn.js';
import {schemeFor} from './dukpt/ring-key.js';
import {asTdes} from './dukpt/working-key.js';
import {type MemberSource, memberSources, type NamedContent} from './member-sources.js';
import type {PlannedField, Way} from './plan.js';
import type {EncryptedField, Opened, Reading} from './reading.js';

/** A field that proved to be card data, and how. */
export interface OpenedField {
  readonly planned: PlannedField;
  readonly way: Way;
  readonly plain: Uint8Array;
  readonly content: Opened;
}

/** Receives each step of a decryption. */
export interface DecryptionObserver {
  opened(field: OpenedField): void;
  /** The fields that the answer is made of; each was opened before. */
  accepted(fields: readonly PlannedField[], reading: Reading): void;
}

/** How one field was decrypted. No card data, no key. */
export interface FieldExplanation {
  readonly name: string;
  /** Of the ciphertext, in units of the payload's form; its length in bytes. */
  readonly offset: number;
  readonly length: number;
  /** Absent for data without a KSN, which only a working key decrypts. */
  readonly ksn?: {
    readonly text: string;
    readonly keySet: string;
    readonly device: string;
    readonly counter: number;
  };
  readonly key: {readonly name?: string; readonly kcv: string};
  /** That of DUKPT; `working`: the key is the cipher key itself, nothing was derived from it. */
  readonly scheme: 'tdes' | 'aes' | 'working';
  /** The variant of a TDES key, the usage of an AES one, or the cipher of a working key. */
  readonly usage: string;
  readonly mode: string;
  readonly iv?: string;
  readonly padding: string;
  readonly facts: readonly string[];
}

/** How a payload was decrypted. */
export interface Explanation {
  readonly recognisedAs: string;
  readonly fields: readonly FieldExplanation[];
  /** Where each member of the response was read, and what agreed with it. */
  readonly members: readonly MemberSource[];
}

/** Makes the explanation of one decryption of a payload under `keys`. */
export class Explainer implements DecryptionObserver {
  readonly #keys: KeyRing;
  readonly #deviceType: string;
  readonly #isBrief: boolean;
  readonly #fields = new Map<PlannedField, FieldExplanation>();
  readonly #contents = new Map<EncryptedField, Opened>();
  #answer: {readonly fields: readonly PlannedField[]; readonly reading: Reading} | undefined;
  #pin: FieldExplanation | undefined;

  /** A brief explanation has neither facts nor members. */
  constructor(keys: KeyRing, deviceType: string, {isBrief = false} = {}) {
    this.#keys = keys;
    this.#deviceType = deviceType;
    this.#isBrief = isBrief;
  }

  opened(field: OpenedField): void {
    this.#fields.set(field.planned, explainField(field, this.#keys, this.#isBrief));
    this.#contents.set(field.planned.field, field.content);
  }

  accepted(fields: readonly PlannedField[], reading: Reading): void {
    this.#answer = {fields, reading};
  }

  /** Adds a PIN block that was decrypted, without its plaintext. */
  addPin(planned: PlannedField, facts: readonly Fact[]): void {
    const way = {usage: 'pin'} as const;
    const pin = {planned, way, plain: new Uint8Array(), content: {facts}};
    this.#pin = explainField(pin, this.#keys);
  }

  /** Undefined until a payload has been decrypted; 2100 and 2800 if its card is incomplete. */
  get explanation(): Explanation | undefined {
    if (!this.#answer) return undefined;
    const {fields, reading} = this.#answer;
    const explained = fields.flatMap((planned) => this.#fields.get(planned) ?? []);
    const pin = this.#pin ? [this.#pin] : [];
    return {
      recognisedAs: `${this.#deviceType}, ${reading.form}`,
      fields: [...explained, ...pin],
      members: [
        ...this.#memberSources(
          fields.map(({field}) => field),
          reading,
        ),
        ...pin.map(({name, facts}) => ({member: 'pin', from: name, agreed: facts})),
      ],
    };
  }

  #memberSources(fields: readonly EncryptedField[], reading: Reading): MemberSource[] {
    if (this.#isBrief) return [];
    const {clear, secondaryFields = [], masked} = reading;
    const beside = clear ? [{name: 'the cleartext data', content: clear, facts: []}] : [];
    const others = [...beside, ...this.#named(secondaryFields)];
    return memberSources(this.#named(fields), others, masked);
  }

  /** The contents of those fields that were opened, what is encrypted again inside them first. */
  #named(fields: readonly EncryptedField[]): NamedContent[] {
    const names = fields.map(({name}) => name);
    return fields.flatMap((field) => {
      const content = this.#contents.get(field);
      if (!content) return [];
      const isOnly = names.indexOf(field.name) === names.lastIndexOf(field.name);
      const name = isOnly ? field.name : `${field.name} at ${field.offset}`;
      const facts = factTexts(content, ({kind}) => kind !== 'other');
      return [...this.#named(content.within ?? []), {name, content, facts}];
    });
  }
}

/** Most are ours alone, but some quote the payload. */
function factTexts({facts = []}: CardContent, isShown: (fact: Fact) => boolean = () => true) {
  return facts.filter(isShown).map(({text}) => redactCardNumbers(text));
}

function explainField(opened: OpenedField, keys: KeyRing, isBrief = false) {
  const {planned, way, plain, content} = opened;
  const {field, ksn, algorithm, iv} = planned;
  const mode = way.mode ?? field.setting.mode;
  const zero = new Uint8Array(blockSizeOf(algorithm));
  return {
    name: field.name,
    offset: field.offset,
    length: field.ciphertext.length,
    ...explainKey(planned, way, keys),
    mode,
    ...(mode === 'cbc' ? {iv: upperHexOf(iv ?? zero)} : {}),
    padding: paddingOf(plain, content),
    facts: isBrief ? [] : factTexts(content),
    ...(ksn ? {ksn: explainKsn(ksn)} : {}),
  } satisfies FieldExplanation;
}

function explainKsn(ksn: Ksn) {
  return {
    text: ksn.hex,
    keySet: keySetId(ksn),
    device: ksn.initial.slice(10, ksn.scheme === 'aes' ? 16 : 15),
    counter: ksn.counter,
  };
}

function explainKey({field, ksn, algorithm}: PlannedField, {usage}: Way, keys: KeyRing) {
  const key = keys.find(ksn);
  const bytes = key?.secret.reveal() ?? new Uint8Array();
  const name = key?.name === undefined ? {} : {name: key.name};
  if (!ksn || !key || key.kind === 'working') {
    const kcv = algorithm === 'aes' ? aesKcv(bytes) : tdesKcv(asTdes(bytes));
    return {
      key: {...name, kcv},
      scheme: 'working',
      usage: cipherName(algorithm, bytes.length),
    } as const;
  }
  const {variant, selfEncrypted} = field.setting;
  const scheme = schemeFor(key, ksn);
  return {
    key: {...name, kcv: scheme === 'aes' ? aesKcv(bytes) : tdesKcv(bytes)},
    scheme,
    usage: usage ?? (selfEncrypted ? `${variant}, self-encrypted` : variant),
  };
}

/** `DES`, `TDES with two keys`, `AES-128`. */
function cipherName(algorithm: Algorithm, bytes: number): string {
  if (algorithm === 'aes') return `AES-${8 * bytes}`;
  return bytes === 8 ? 'DES' : `TDES with ${bytes === 16 ? 'two' : 'three'} keys`;
}

const FILLS: Readonly<Record<Fill, string>> = {
  zero: 'zeros',
  iso7816: 'ISO/IEC 7816-4',
  pkcs7: 'PKCS #7',
  x923: 'ANSI X9.23',
  ff: 'FF',
};

function paddingOf(plain: Uint8Array, content: CardContent): string {
  const end = endOfContent(plain, content);
  const count = plain.length - end;
  if (count === 0) return 'none';
  const fill = (Object.keys(FILLS) as Fill[]).find((one) => isFill(plain, end, [one]));
  return `${count} ${nounFor(count, 'byte')}: ${fill ? FILLS[fill] : 'other'}`;
}

/** Where the data ends: behind what was read, else where a run of zeros to the end begins. */
function endOfContent(plain: Uint8Array, content: CardContent): number {
  const {track1, track2, track3, tlv = [], track2equivalent, keyed} = content;
  const ends = [tlv, [track1, track2, track3], [track2equivalent], [keyed]].map((parts) =>
    parts.reduce((sum, part) => sum + (part?.bytes.length ?? 0), 0),
  );
  const end = ends.find((one) => one > 0 && isFill(plain, one));
  return end ?? plain.findLastIndex((byte) => byte !== 0) + 1;
}
