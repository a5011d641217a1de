import {createHmac, timingSafeEqual} from 'node:crypto';
import {PaylensError} from '../contract/paylens-error.js';
import {latin1Of, upperHexOf} from './bytes.js';
import {type CardContent, mergeContent} from './card/card-content.js';
import {type BlockCipher, prepareCipher} from './cipher/modes.js';
import type {KeyRing, TransactionKey} from './dukpt/key-ring.js';
import {type Ksn, parseKsn} from './dukpt/ksn.js';
import type {Plan, PlannedField} from './plan.js';
import type {CipherSetting, Seal} from './reading.js';

/**
 * Decrypts every field and lets it prove itself: the first candidate whose fields all open wins.
 *
 * Throws 2600 when a KSN has no key, 2601 when nothing opens, 2602 when all but the first block of a
 * field is card data and its IV is missing.
 */
export function decrypt(plan: Plan, keys: KeyRing): CardContent {
  const session = new Session(keys);
  try {
    for (const fields of plan.candidates) for (const {ksn} of fields) session.transaction(ksn);
    return firstThatOpens(plan, session);
  } finally {
    session.wipe();
  }
}

/**
 * Checks the MACs of a payload whose KSN has a key; the others are skipped. Done once the plaintext
 * was accepted, since a MAC says nothing about a wrong key. Throws 2101 on a mismatch.
 */
export function verifySeals(seals: readonly Seal[], keys: KeyRing): void {
  for (const seal of seals) {
    const ksn = ksnOf(seal);
    if (ksn?.scheme !== 'tdes' || !keys.find(ksn)) continue;
    const transaction = keys.transaction(ksn);
    const key = transaction.workingKey(seal.variant, false);
    const expected = createHmac('sha256', key).update(seal.message).digest();
    key.fill(0);
    transaction.wipe();
    if (expected.length === seal.mac.length && timingSafeEqual(expected, seal.mac)) continue;
    throw new PaylensError(
      2101,
      `${seal.name} at byte ${seal.offset}: found ${upperHexOf(seal.mac.subarray(0, 4))}.., which is not the MAC of the data`,
    );
  }
}

/** Undefined for a KSN that no transaction has, as a reader without a MAC key sends. */
function ksnOf({ksn}: Seal): Ksn | undefined {
  try {
    return parseKsn(ksn);
  } catch {
    return undefined;
  }
}

/** The keys of one payload: each KSN is derived once, and each run of like fields has one cipher. */
class Session {
  readonly #keys: KeyRing;
  readonly #transactions = new Map<string, TransactionKey>();
  #last: {ksn: Ksn; setting: CipherSetting; cipher: BlockCipher} | undefined;

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  transaction(ksn: Ksn): TransactionKey {
    const known = this.#transactions.get(ksn.hex);
    if (known) return known;
    const made = this.#keys.transaction(ksn);
    this.#transactions.set(ksn.hex, made);
    return made;
  }

  /** The cipher of a field: that of the field before, where KSN and setting are the same. */
  cipher({ksn, field: {setting}}: PlannedField): BlockCipher {
    if (this.#last?.ksn === ksn && this.#last.setting === setting) return this.#last.cipher;
    this.#last?.cipher.wipe();
    const key = this.transaction(ksn).workingKey(setting.variant, setting.selfEncrypted);
    const cipher = prepareCipher(setting.algorithm, key);
    key.fill(0);
    this.#last = {ksn, setting, cipher};
    return cipher;
  }

  wipe(): void {
    this.#last?.cipher.wipe();
    for (const transaction of this.#transactions.values()) transaction.wipe();
  }
}

function firstThatOpens(plan: Plan, session: Session): CardContent {
  let first: unknown;
  for (const fields of plan.candidates) {
    try {
      const contents = fields.map((planned) => openField(planned, session));
      const content = mergeContent([...contents, plan.reading.clear ?? {}]);
      plan.reading.agree?.(content, contents);
      return content;
    } catch (error) {
      if (!isRejection(error)) throw error;
      first ??= error;
    }
  }
  throw first;
}

function openField(planned: PlannedField, session: Session): CardContent {
  const {field, iv} = planned;
  const {ciphertext, setting} = field;
  const cipher = session.cipher(planned);
  const plain =
    setting.mode === 'cbc' ? cipher.decryptCbc(ciphertext, iv) : cipher.decryptEcb(ciphertext);
  try {
    return field.open(plain);
  } catch (error) {
    throw missingIv(planned, plain) ?? error;
  }
}

/** A track without its head: with a wrong IV only the first block of CBC is lost. */
const TRACK_WITHOUT_HEAD = /^[ -_]*[=^][0-9]{4}[ -_]*\?/;

function missingIv({field, iv}: PlannedField, plain: Uint8Array): PaylensError | undefined {
  if (!field.ivExpected || iv) return undefined;
  if (
    !TRACK_WITHOUT_HEAD.test(latin1Of(plain.subarray(field.setting.algorithm === 'aes' ? 16 : 8)))
  )
    return undefined;
  return new PaylensError(
    2602,
    `${field.name} decrypts from its second block on: the key is right, the IV is missing`,
  );
}

function isRejection(error: unknown): boolean {
  return error instanceof PaylensError && (error.code === 2601 || error.code === 2602);
}
