import {PaylensError, rethrowTerminalFault} from '../contract/paylens-error.js';
import {base64Of, bytesOfHex, isHex, latin1Of, looseBase64, upperHexOf} from '../platform/bytes.js';
import type {AnyTerminal, PayloadForm} from './families/terminal.js';
import type {TerminalSet} from './families/terminal-set.js';
import {UNKNOWN_MEMBER} from './forms/json-payload.js';
import {severalReads} from './forms/one-read.js';
import type {SignedTerminal} from './forms/signs.js';
import type {EncryptedField, Reading, UnreadField} from './reading.js';
import {type Describe, type TextMembers, Trace} from './trace.js';

/** A ciphertext in hex or base64, and no KSN: more than 12 bytes, or one block; or a character per byte. */
const MAY_BE_CIPHERTEXT =
  /[\dA-Za-z+/]{25}|[\dA-Za-z+/]{22}==|\b[\dA-Fa-f]{16}\b|(?![\t\r\n])\p{Cc}/u;
/** No request has nearly as many values that may be ciphertext, and no terminal reads. */
const MAX_TEXTS = 64;
/** Of one block, in hex. */
const MIN_CIPHER_DIGITS = 16;
/** Of 32 bytes, in hex: in them a track has its card number, month and service code. */
const TRACK_LEAD_DIGITS = 64;
/** Fewest bytes of an object in which a ciphertext, its KSN and a frame have room. */
const MIN_BYTES = 32;

/**
 * Checks that no other terminal has a sign, and none finds a read that shares no ciphertext with this
 * one, in the values of members and the objects of a list that the form does not declare, in objects of
 * JSON, and in JSON in other members that its reader does not use. Throws 2100.
 *
 * Returns what may be further ciphertext of this read, under a name that was mistyped.
 */
export function fieldsAside(
  {type}: PayloadForm,
  reading: Reading,
  members: TextMembers | undefined,
  terminals: TerminalSet,
): readonly UnreadField[] {
  if (!members && !reading.undeclared) return NOTHING_ASIDE;
  const aside = new Aside(reading, members?.describe);
  if (members?.object) aside.addObject(members.object);
  for (const [name, value] of members?.list ?? []) aside.add(name, value);
  if (members && aside.texts.length > 0) aside.addTogether();
  for (const [name, text] of aside.texts) {
    const signed = ({type: other, signs}: SignedTerminal) =>
      other !== type &&
      signs?.members?.test(name) &&
      !aside.isDeclared(name) &&
      !aside.own.someIn(text);
    const other =
      terminals.signs.inText.find(signed) ??
      terminals.trying(text).find((terminal) => aside.own.lacks(terminal, text));
    if (other) throw severalReads(`${memberPlace(name)}: a read of ${other.type} beside this one`);
  }
  return aside.ciphertexts
    .filter(([, hex]) => !aside.own.overlap(hex))
    .map(([name, hex]) => ({
      name: memberPlace(name),
      ciphertext: bytesOfHex(hex.slice(0, TRACK_LEAD_DIGITS)),
    }));
}

const NOTHING_ASIDE: readonly UnreadField[] = [];

/** A name in the payload may be a card number, also in groups of digits, or a key. */
function memberPlace(name: string): string {
  const isSafe = !/\d{6}|[\dA-F]{16}/i.test(name.replaceAll(/[ ._-]/g, ''));
  const isName = isSafe && /^[A-Za-z_][\w .-]{0,39}$/.test(name);
  if (!isName) return 'a member';
  return name.startsWith('tag ') ? name : `member ${name}`;
}

/** What a form leaves aside: members that it does not declare, and objects with nothing of its own. */
class Aside {
  /** By the names of their members. */
  readonly texts: (readonly [name: string, text: string])[] = [];
  /** Those of whole blocks, in hex, that are members themselves: objects may be copies of this read. */
  readonly ciphertexts: [name: string, hex: string][] = [];
  /** The same as the payload has them. */
  readonly #given: (readonly [name: string, text: string])[] = [];
  readonly #describe: Describe;
  readonly own: Ciphertexts;
  #depth = 0;

  constructor(reading: Reading, describe: Describe = () => UNKNOWN_MEMBER) {
    this.own = new Ciphertexts(reading);
    this.#describe = describe;
    for (const {tag, value} of reading.undeclared ?? [])
      if (value.length >= MIN_BYTES) this.add(`tag ${tag}`, upperHexOf(value));
  }

  /** Whether there is anything in it that may be ciphertext. */
  addObject(object: object): boolean {
    let mayBe = false;
    for (const [name, value] of Object.entries(object)) mayBe = this.add(name, value) || mayBe;
    return mayBe;
  }

  isDeclared(name: string): boolean {
    return isDeclared(name, this.#describe);
  }

  add(name: string, given: unknown): boolean {
    if (typeof given === 'string') return this.#addText(name, given);
    if (typeof given !== 'object' || given === null) return false;
    this.#depth++;
    const mayBe = this.addObject(given);
    this.#depth--;
    if (mayBe && !this.isDeclared(name)) this.#addWhole(name, given);
    return mayBe;
  }

  #addText(name: string, given: string): boolean {
    if (given.length < MIN_CIPHER_DIGITS) return false;
    const isDeclared = this.isDeclared(name);
    if (isDeclared && !MAY_BE_JSON.test(given)) return mayBeCiphertext(given);
    const text = decoded(given);
    if (!mayBeCiphertext(text)) return false;
    const value = parsed(text);
    if (typeof value !== 'object') {
      if (!isDeclared && mayBeCiphertext(value)) {
        this.#push(name, value, given);
        if (this.#depth === 0 && BLOCKS_IN_HEX.test(value)) this.ciphertexts.push([name, value]);
      }
    } else if (!isDeclared || !this.#mayBeUsed(text)) {
      this.add(name, value);
      if (isDeclared) this.#addWhole(name, value);
    }
    return true;
  }

  /** Whether the reader may have used the JSON in a declared member; objects are tried as a whole. */
  #mayBeUsed(text: string): boolean {
    return this.#depth > 0 || this.own.isUnknown || this.own.someIn(text);
  }

  #addWhole(name: string, value: object): void {
    const text = JSON.stringify(value);
    if (this.own.someIn(text)) return;
    if (!Array.isArray(value)) this.#push(name, text);
    // A form that names what it is in looks for it at every depth.
    if (this.#depth === 0) this.#push(name, JSON.stringify({[name]: value}));
  }

  /** Adds all texts as the members of one object. */
  addTogether(): void {
    const [[name]] = this.texts as [readonly [string, string]];
    this.#push(name, JSON.stringify(Object.fromEntries(this.#given)));
  }

  /** Every terminal tries each of them. */
  #push(name: string, text: string, given = text): void {
    this.#given.push([name, given]);
    if (this.texts.push([name, text]) <= MAX_TEXTS) return;
    throw new PaylensError(2100, `more than ${MAX_TEXTS} values beside those of the form`);
  }
}

function isDeclared(name: string, describe: Describe): boolean {
  const found = describe(name);
  return found !== UNKNOWN_MEMBER && (found.meaning ?? found.sensitivity) !== undefined;
}

function mayBeCiphertext(text: string): boolean {
  const isLong = text.length === MIN_CIPHER_DIGITS || text.length >= 24;
  return isLong && MAY_BE_CIPHERTEXT.test(text);
}

/** As it is, with percent escapes, in hex or in base64. */
const MAY_BE_JSON = /^\s*(?:[[{]|%?[57]B|[We]|0x)/i;

/** What a text is in hex, also in groups, or in base64: characters, or bytes in hex; else the text. */
function decoded(text: string): string {
  const compact = HEX_GROUPS.test(text) ? text.replaceAll(/^0x|\s/gi, '') : text;
  const hex =
    isHex(compact) || !LONG_BASE64.test(compact) ? compact : upperHexOf(looseBase64(compact));
  return ASCII_HEX.test(hex) ? latin1Of(bytesOfHex(hex)) : hex;
}

const HEX_GROUPS = /^(?:0x)?[\dA-F]{2}(?:\s?[\dA-F]{2}){11,}\s*$/i;
/** At least two: no track is shorter. */
const BLOCKS_IN_HEX = /^(?:[\dA-F]{16}){2,}$/i;
/** Not a UUID. */
const LONG_BASE64 = /^(?!\w{8}-\w{4}-)[\w+/-]{32,}={0,2}$/;
/** Hex of characters, not of ciphertext. */
const ASCII_HEX = /^(?:[0-7][\dA-F])+$/i;

/** The object in a text of JSON, also behind percent escapes; any other text as it is. */
function parsed(given: string): string | object {
  try {
    const text = /^\s*%[\dA-F]{2}/i.test(given) ? decodeURIComponent(given) : given;
    const value = /^\s*[[{]/.test(text) ? JSON.parse(text) : text;
    return isShallow(value) ? value : text;
  } catch {
    return given;
  }
}

/** No read is nested as deep. */
const MAX_TEXT_LEVELS = 8;

function isShallow(value: unknown, levels = MAX_TEXT_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1));
}

/** The ciphertexts of a reading. */
class Ciphertexts {
  readonly #reading: Reading;
  #hex: readonly string[] | undefined;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Of a read that is refused, its reader need not say them. */
  get isUnknown(): boolean {
    return this.#reading.refusal !== undefined;
  }

  /** In upper-case hex. */
  get hex(): readonly string[] {
    this.#hex ??= fieldsOf(this.#reading).map(({ciphertext}) => upperHexOf(ciphertext));
    return this.#hex;
  }

  /** Whether a text in hex begins one of them, or holds one of more than a block. */
  overlap(text: string): boolean {
    const upper = text.toUpperCase();
    const isIn = (hex: string) => hex.length > MIN_CIPHER_DIGITS && upper.includes(hex);
    return this.hex.some((hex) => hex.startsWith(upper) || isIn(hex));
  }

  /** Whether a text holds one of them, in hex or base64. */
  someIn(text: string): boolean {
    const upper = text.toUpperCase();
    const isIn = ({ciphertext}: EncryptedField) => text.includes(base64Of(ciphertext));
    return this.hex.some((hex) => upper.includes(hex)) || fieldsOf(this.#reading).some(isIn);
  }

  /** Whether a terminal recognises a text by its form, and finds a read in it that has nothing of this. */
  lacks(terminal: AnyTerminal, text: string): boolean {
    try {
      const trace = new Trace({recording: false});
      const reading = terminal.read(text, trace);
      const {recognisedBy, refusal} = reading;
      if (recognisedBy === 'length') return false;
      if (refusal?.code === 2111) return true;
      const others = new Ciphertexts(reading).hex.filter((hex) => hex.length >= MIN_CIPHER_DIGITS);
      const isOwn = (hex: string) => this.hex.some((one) => one.includes(hex) || hex.includes(one));
      if (others.length === 0 || others.some(isOwn)) return false;
      if (recognisedBy !== 'members') return true;
      return fieldsOf(reading).some((field) => isOfCard(field, trace.members));
    } catch (error) {
      rethrowTerminalFault(error);
      return false;
    }
  }
}

/**
 * People call a hash, a PIN block or EMV data `data` as well: without a KSN it is of a card if there is
 * nothing else beside it.
 */
function isOfCard({name, ksn, ciphertext}: EncryptedField, members?: TextMembers): boolean {
  if (name.startsWith('track')) return true;
  if (ciphertext.length <= MIN_CIPHER_DIGITS / 2) return false;
  return ksn !== undefined || (hasOnlyDeclared(members) && !isEmvData(ciphertext));
}

function hasOnlyDeclared({object, list = [], describe}: TextMembers = {describe: () => ({})}) {
  const names = object ? Object.keys(object) : list.map(([name]) => name);
  return names.every((name) => isDeclared(name, describe));
}

/** Clear EMV data: it begins with a tag of the card or the transaction, and a length. */
function isEmvData(bytes: Uint8Array): boolean {
  return EMV_START.test(upperHexOf(bytes.subarray(0, 3)));
}

const EMV_START = /^(?:[59]F..|4F|50|5[7A]|8[24]|9[5ABC])(?:0[1-9A-F]|1|20)/;

function fieldsOf({candidates, secondaryFields = []}: Reading): readonly EncryptedField[] {
  return [...candidates.flat(), ...secondaryFields];
}
