import {PaylensError, rethrowTerminalFault} from '../contract/paylens-error.js';
import {bytesFromHex, latin1Of} from '../platform/bytes.js';
import {type CardContent, mergeContent} from './card/card-content.js';
import {isRejection, moreTelling, notCardData} from './card/evidence.js';
import {beginsWithTrack} from './card/is-clear-card.js';
import {assertAnsweredPan} from './card/masked-pans.js';
import {
  assertOneCard,
  assertOnePerson,
  type CardPart,
  isPlainSwipe,
  placesOf,
} from './card/one-card.js';
import {assertReadable} from './card/text-members.js';
import type {Algorithm, BlockCipher, CipherMode} from './cipher/block-cipher.js';
import {blockSizeOf} from './cipher/block-cipher.js';
import {prepareCipher} from './cipher/modes.js';
import type {KeyRing, TransactionKey} from './dukpt/key-ring.js';
import {dataKeyType} from './dukpt/key-usage.js';
import {type Ksn, parseKsn, transactionKsn} from './dukpt/ksn.js';
import type {RingKey} from './dukpt/ring-key.js';
import type {DecryptionObserver} from './explanation.js';
import type {Plan, PlannedField, Way} from './plan.js';
import {
  type CipherSetting,
  type EncryptedField,
  MistypedName,
  type Opened,
  type UnreadField,
} from './reading.js';

/**
 * Decrypts every field and has it prove its plaintext: the first candidate whose fields are all
 * accepted wins.
 *
 * Throws 2600 if a KSN has no key, 2601 if no candidate is accepted, 2602 if all but the first
 * block of a field is card data and its IV is missing.
 */
export function decrypt(plan: Plan, keys: KeyRing, observer?: DecryptionObserver): CardContent {
  const session = new Session(keys, observer);
  try {
    const candidates = session.served(plan.candidates);
    return firstThatOpens({...plan, candidates}, session);
  } catch (error) {
    throw isRejection(error) ? (plan.reading.doubt ?? error) : error;
  } finally {
    session.wipe();
  }
}

/**
 * The keys of one payload: each KSN is derived once, and consecutive fields with the same settings
 * share one cipher.
 */
class Session {
  readonly observer: DecryptionObserver | undefined;
  readonly #keys: KeyRing;
  readonly #transactions = new Map<string, TransactionKey>();
  #last: {ksn: Ksn | undefined; setting: CipherSetting; way: Way; cipher: BlockCipher} | undefined;

  constructor(keys: KeyRing, observer: DecryptionObserver | undefined) {
    this.#keys = keys;
    this.observer = observer;
  }

  /** The cipher of `field` under `ksn`; undefined if no key serves it. */
  algorithm(ksn: Ksn | undefined, {setting}: EncryptedField): Algorithm | undefined {
    return this.#keys.find(ksn) && this.#keys.algorithm(ksn, setting.algorithm);
  }

  /** The candidates whose KSNs have keys. Throws 2600, for the first, if none has. */
  served(candidates: Plan['candidates']): Plan['candidates'] {
    const served = passing(candidates, (fields) => this.#serves(fields));
    for (const fields of served.length > 0 ? served : candidates) this.#demandKeys(fields);
    return served;
  }

  #serves(fields: readonly PlannedField[]): boolean {
    return fields.every(({ksn, field}) => field.optional || this.#keys.find(ksn) !== undefined);
  }

  /** Throws 2600 if a field has no key that the response cannot do without. */
  #demandKeys(fields: readonly PlannedField[]): void {
    for (const {ksn, field} of fields) if (!field.optional) this.transaction(ksn);
  }

  transaction(ksn: Ksn | undefined): TransactionKey {
    const id = ksn?.hex ?? '';
    const known = this.#transactions.get(id);
    if (known) return known;
    const made = this.#keys.transaction(ksn);
    this.#transactions.set(id, made);
    return made;
  }

  /** The ways in which a field may be encrypted under the key of its KSN, most likely first. */
  ways({ksn, field}: PlannedField): readonly Way[] {
    const {scheme} = this.transaction(ksn);
    const {aes} = field.setting;
    if (scheme === 'aes') return aes ? [{usage: aes.usage}] : CARD_DATA_USAGES;
    const modes = scheme === 'working' ? field.workingModes : undefined;
    return modes?.map((mode) => IN_MODE[mode]) ?? AS_SET;
  }

  /**
   * Reuses the cipher of the field before if KSN, setting and way are the same: a batch takes 20
   * % longer if each track makes its own.
   */
  cipher(planned: PlannedField, way: Way): BlockCipher {
    const {ksn, field} = planned;
    const last = this.#last;
    if (last && last.ksn === ksn && last.setting === field.setting && last.way === way)
      return last.cipher;
    last?.cipher.wipe();
    const key = this.#workingKey(planned, way);
    const cipher = prepareCipher(planned.algorithm, key);
    key.fill(0);
    this.#last = {ksn, setting: field.setting, way, cipher};
    return cipher;
  }

  #workingKey({ksn, algorithm, field}: PlannedField, {usage}: Way): Uint8Array {
    const transaction = this.transaction(ksn);
    const {variant, selfEncrypted, aes} = field.setting;
    const given = this.#keys.find(ksn);
    if (given?.kind === 'working') assertWorkingKeyLength(given, field);
    if (usage === undefined) return transaction.workingKey(variant, selfEncrypted);
    const type = aes?.type ?? dataKeyType(algorithm, given?.secret.length ?? 16);
    return transaction.aesWorkingKey(usage, type);
  }

  wipe(): void {
    this.#last?.cipher.wipe();
    for (const transaction of this.#transactions.values()) transaction.wipe();
  }
}

/** Terminals use different key usages for card data (docs/terminals/common.md#aes-dukpt). */
const CARD_DATA_USAGES: readonly Way[] = [
  {usage: 'data-encryption'},
  {usage: 'data'},
  {usage: 'data-decryption'},
];
const AS_SET: readonly Way[] = [{}];
const IN_MODE: Readonly<Record<CipherMode, Way>> = {cbc: {mode: 'cbc'}, ecb: {mode: 'ecb'}};

/** Throws 9015 for a DES key where the format has no single DES. */
function assertWorkingKeyLength(
  {name, secret}: RingKey,
  {singleDes, name: field}: EncryptedField,
): void {
  if (singleDes || secret.length !== 8) return;
  const found = `${name ?? 'the working key'} of 8 bytes`;
  throw new PaylensError(9015, `${found}: single DES does not occur in this format (${field})`);
}

function firstThatOpens({candidates, reading}: Plan, session: Session): CardContent {
  return firstAccepted(candidates, (all) => {
    const fields = passing(
      all,
      ({field, ksn}) => !field.optional || session.algorithm(ksn, field) !== undefined,
    );
    const contents = fields.map((planned) => openField(planned, session));
    const content = mergeContent(reading.clear ? [...contents, reading.clear] : contents);
    assertReadable(content);
    reading.agree?.(content, contents);
    const expiry = reading.clearExpiryMayDiffer ? undefined : reading.clear?.expiry;
    const secondaryFields = reading.secondaryFields?.length
      ? crossChecks(reading.secondaryFields, fields, session)
      : [];
    if (secondaryFields.length > 0 || !isPlainSwipe(contents, expiry)) {
      const parts = [...partsOf(fields, contents), ...secondaryFields];
      assertOneCard(parts, expiry, reading.tracksMayDiffer);
    }
    assertOnePerson(contents, reading.clear, reading.masked);
    if (reading.masked) assertAnsweredPan(reading.masked, content);
    if (reading.unread) assertAllRead(reading.unread, fields, session);
    session.observer?.accepted(fields, reading);
    return content;
  });
}

/**
 * The fields as parts of a card. One KSN is one transaction: all fields under it are one swipe,
 * unless the reader states otherwise.
 */
function partsOf(fields: readonly PlannedField[], contents: readonly CardContent[]): CardPart[] {
  return fields.map(({field, ksn}, i) => ({
    name: fields.length > 1 ? `${field.name} at ${field.offset}` : field.name,
    swipe: `${ksn?.hex} ${field.swipe ?? ''}`,
    content: contents[i] ?? {},
  }));
}

/** The contents of those further ciphertexts that decrypt; the others are ignored. */
function crossChecks(
  secondaryFields: readonly EncryptedField[],
  [first]: readonly PlannedField[],
  session: Session,
): CardPart[] {
  return secondaryFields.flatMap((field) => {
    const ksn = field.ksn === undefined ? first?.ksn : transactionKsn(field.ksn);
    if (field.ksn !== undefined && !ksn) return [];
    const algorithm = session.algorithm(ksn, field);
    const iv = field.iv === undefined ? undefined : bytesFromHex(field.iv);
    if (!algorithm || field.ciphertext.length % blockSizeOf(algorithm) !== 0) return [];
    const content = contentOf({field, ksn, algorithm, iv}, session);
    return content ? [{name: field.name, swipe: field.name, content}] : [];
  });
}

/** An answer without a field that was sent under a mistyped name would look whole. Throws 2100. */
function assertAllRead(
  unread: readonly UnreadField[],
  [first]: readonly PlannedField[],
  session: Session,
): void {
  if (!first) return;
  const found = unread.find(({name, ciphertext}) => {
    const field = {...first.field, name, ciphertext, open: openUnread};
    const isBlocks = ciphertext.length % blockSizeOf(first.algorithm) === 0;
    return isBlocks && contentOf({...first, field}, session);
  });
  if (!found) return;
  throw new PaylensError(
    2100,
    `${found.name} is not of this form, and decrypts to a track under the same key`,
    {hint: 'Correct the name, or leave the value out.', cause: new MistypedName()},
  );
}

function openUnread(plain: Uint8Array): CardContent {
  if (beginsWithTrack(plain)) return {};
  throw notCardData('a further value', 'no track');
}

/** The content of a field that need not open. */
function contentOf(planned: PlannedField, session: Session): CardContent | undefined {
  try {
    return openField(planned, session);
  } catch (error) {
    if (isRejection(error)) return undefined;
    throw error;
  }
}

/** The content of a field, and of what is encrypted again inside it. */
function openField(planned: PlannedField, session: Session): CardContent {
  const opened = firstAccepted(session.ways(planned), (way) => openWith(session, planned, way));
  if (!opened.within) return opened;
  const {within, ...content} = opened;
  const inner = within.map((field) => openField(planOfInner(field, session), session));
  const all = [...inner, content];
  return Object.assign(mergeContent(all), {places: all.flatMap((one) => [...placesOf(one)])});
}

/** A field found by decrypting another: no request names its KSN or its IV. Throws 2600. */
function planOfInner(field: EncryptedField, session: Session): PlannedField {
  const ksn = parseKsn(field.ksn ?? '');
  session.transaction(ksn);
  return {field, ksn, algorithm: session.algorithm(ksn, field) ?? field.setting.algorithm};
}

/** Those of which the test is true: the list itself if all are, as nearly always. */
function passing<T>(all: readonly T[], test: (one: T) => boolean): readonly T[] {
  return all.every(test) ? all : all.filter(test);
}

/** The result of the first candidate that is not rejected; the most telling error if all are. */
function firstAccepted<T>(ways: readonly T[], open: (way: T) => Opened): Opened {
  let first: unknown;
  for (let i = 0; i < ways.length; i++) {
    try {
      return open(ways[i] as T);
    } catch (error) {
      if (!isRejection(error)) throw error;
      first = moreTelling(first, error);
    }
  }
  throw first;
}

function openWith(session: Session, planned: PlannedField, way: Way): Opened {
  const cipher = session.cipher(planned, way);
  const {field, iv} = planned;
  const {ciphertext, setting} = field;
  const mode = way.mode ?? setting.mode;
  const plain = mode === 'cbc' ? cipher.decryptCbc(ciphertext, iv) : cipher.decryptEcb(ciphertext);
  try {
    const content = field.open(plain, mode);
    session.observer?.opened({planned, way, plain, content});
    return content;
  } catch (error) {
    rethrowTerminalFault(error);
    throw (mode === 'cbc' ? missingIv(planned, plain) : undefined) ?? error;
  }
}

/** A track without its beginning: a wrong IV corrupts only the first block of CBC. */
const TRACK_WITHOUT_HEAD = /^[ -_]*[=^][0-9]{4}[ -_]*\?/;
/** A document of XML or JSON with a card number, without its beginning. */
const DOCUMENT_WITHOUT_HEAD = /(?:PAN>|(?:PAN|number)"\s*:\s*")\d{9,19}[<"]/i;
/**
 * The beginning of a track, of a document, or of a tag that contains one. If it is correct, the IV is
 * not the problem.
 */
const TRACK_HEAD = /^(?:\s*[<{]|%?[A-Z]\d[\d ]+(?:\^[ -_]*)?$|[;+]?\d[\d=]+$|_[!-#]|\xdf\xdb)/;

function missingIv(planned: PlannedField, plain: Uint8Array): PaylensError | undefined {
  const {field, iv, algorithm} = planned;
  if (!field.ivExpected || iv) return undefined;
  const block = blockSizeOf(algorithm);
  const rest = latin1Of(plain.subarray(block));
  if (!TRACK_WITHOUT_HEAD.test(rest) && !DOCUMENT_WITHOUT_HEAD.test(rest)) return undefined;
  if (TRACK_HEAD.test(latin1Of(plain.subarray(0, block)))) return undefined;
  const detail = `${field.name} decrypts from its second block on: the key is correct, the IV is missing`;
  return new PaylensError(2602, detail);
}
