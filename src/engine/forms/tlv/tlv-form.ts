import {PaylensError} from '../../../contract/paylens-error.js';
import {upperHexOf} from '../../../platform/bytes.js';
import type {CardContent} from '../../card/card-content.js';
import {clearBeside, numbersBeside, refuseClearPan} from '../../card/clear-tags.js';
import type {Evidence} from '../../card/evidence.js';
import type {MaskedPan} from '../../card/masked-pans.js';
import {assertBlocks} from '../../cipher/block-cipher.js';
import {CARD_DATA_SETTING, type EncryptedField, type Reading} from '../../reading.js';
import {flatten, type TlvObject} from '../../tlv/ber.js';
import type {NoteOptions} from '../../tlv/note-tlv.js';
import type {Unit} from '../../trace.js';
import {assertTagsOnce, CLEAR_TAGS} from '../one-read.js';
import {proveContent} from '../prove-content.js';
import {ksnsIn} from './ksns-in.js';
import {pinsIn} from './pins-in.js';
import {assertTerminalTags} from './terminal-tags.js';

/** What a tag contains: it decides the mask of `inspect`, and what a reader does with the value. */
export type TagRole =
  /** Ciphertext with card data, its KSN and its IV. */
  | 'cipher'
  | 'ksn'
  | 'iv'
  /** An encrypted PIN and its KSN. */
  | 'pin'
  | 'pin-ksn'
  /** The KSN of a MAC, or of data that no response needs. */
  | 'other-ksn'
  /** A card number with hidden digits: packed, or a track in text. */
  | 'masked'
  | 'masked-text'
  /** Card data in cleartext, if the terminal encrypts nothing. */
  | 'card'
  | 'serial'
  /** Ciphertext, a hash, text or binary data: never packed digits. */
  | 'opaque';

/** The meaning of a tag, and its role if it has one. */
type DeclaredTag = string | readonly [meaning: string, role: TagRole];

/** The tags of one terminal, declared once for reader, writer, `inspect` and docs. */
export interface TlvForm {
  readonly name: string;
  /** Meanings of the terminal's own tags; EMV tags are named in tlv/tags. */
  readonly names: Readonly<Record<string, string>>;
  /** How `inspect` names and masks the objects. */
  readonly notes: NoteOptions;
  /** The tags with a role, as declared. */
  readonly tags: Readonly<Record<TagRole, ReadonlySet<string>>>;
  /** Tags that one read has only once, or with the same value. */
  readonly once: ReadonlySet<string>;
}

/** One read has one value under these roles. */
const SINGLE_ROLES: readonly TagRole[] = ['cipher', 'ksn', 'iv', 'masked', 'masked-text', 'serial'];

interface FormOptions {
  /** Roles of which one read may have several values: those of several ciphertexts. */
  readonly several?: readonly TagRole[];
  /** Further tags of which one read has one value. */
  readonly once?: readonly string[];
}

/** Declares the tags of a terminal. */
export function tlvForm(
  name: string,
  declared: Readonly<Record<string, DeclaredTag>>,
  {several = [], once = []}: FormOptions = {},
): TlvForm {
  const names: Record<string, string> = {};
  const tags = noTags();
  for (const [tag, as] of Object.entries(declared)) {
    const [meaning, role] = typeof as === 'string' ? [as] : as;
    names[tag] = meaning;
    if (role) tags[role].add(tag);
  }
  const withRoles = (roles: readonly TagRole[]) =>
    new Set(roles.flatMap((role) => [...tags[role]]));
  const kinds = {
    ksn: withRoles(['ksn', 'pin-ksn', 'other-ksn']),
    serial: tags.serial,
    opaque: withRoles(['cipher', 'iv', 'pin', 'opaque']),
  };
  const single = withRoles(SINGLE_ROLES.filter((role) => !several.includes(role)));
  return {
    ...{name, names, tags},
    notes: {names, kinds, cardTags: tags.card},
    once: new Set([...single, ...once, ...CLEAR_TAGS]),
  };
}

function noTags(): Record<TagRole, Set<string>> {
  const none = () => new Set<string>();
  return {
    ...{cipher: none(), ksn: none(), iv: none(), pin: none(), 'pin-ksn': none()},
    ...{'other-ksn': none(), masked: none(), 'masked-text': none()},
    ...{card: none(), serial: none(), opaque: none()},
  };
}

/** The objects of a list, and what a reading takes from them in addition to its ciphertexts. */
interface TlvContent {
  /** Nested objects included. */
  readonly all: readonly TlvObject[];
  readonly extras: Required<Pick<Reading, 'clear' | 'masked' | 'ksns' | 'pins' | 'undeclared'>>;
}

/**
 * Reads the objects of a list by the roles of their tags. Throws 2100 if a tag that one read has
 * once has two values, or if the bytes are not a list.
 */
export function readTlvForm(form: TlvForm, objects: readonly TlvObject[]): TlvContent {
  const all = flatten(objects);
  assertTerminalTags(all);
  assertTagsOnce(all, form.once);
  const {tags, notes} = form;
  const extras = {
    undeclared: all.filter(({tag}) => form.names[tag] === undefined),
    clear: clearBeside(all),
    masked: numbersBeside(all, {packed: tags.masked, text: tags['masked-text']}),
    ksns: ksnsIn(all, notes.kinds?.ksn ?? new Set()),
    pins: pinsIn(all, {block: firstTag(form, 'pin'), ksn: firstTag(form, 'pin-ksn')}),
  };
  return {all, extras};
}

/** The first tag with a role; empty if the form has none. */
function firstTag({tags}: TlvForm, role: TagRole): string {
  const [first = ''] = tags[role];
  return first;
}

/** An object of ciphertext, and the KSN and IV that apply to it. */
export interface CipherObject {
  readonly object: TlvObject;
  readonly ksn?: TlvObject | undefined;
  readonly iv?: TlvObject | undefined;
}

/** Reads the plaintext of a field. Throws 2601 if it is not card data. */
export type ReadPlain = (field: string, plain: Uint8Array, evidence: Evidence) => CardContent;

/** What proves a plaintext besides its form. */
interface Proof {
  readonly copies: readonly MaskedPan[];
  /** What the hint of an unproven plaintext asks for: `A masked copy (57, 5A)`. */
  readonly missing: string;
  /** Unit of the object's offset; default: byte. */
  readonly unit?: Unit;
}

/** The field of a ciphertext: `read` and the masked copies prove it. Throws 2102 if it is cut. */
export function cipherField(
  {object, ksn, iv}: CipherObject,
  read: ReadPlain,
  {copies, missing, unit = 'byte'}: Proof,
): EncryptedField {
  const {tag, value, offset, headerLength} = object;
  const name = `tag ${tag}`;
  assertBlocks(`${name} at ${unit} ${offset}`, value);
  return {
    name,
    offset: offset + headerLength,
    ciphertext: value,
    ...(ksn ? {ksn: upperHexOf(ksn.value)} : {}),
    ...(iv ? {iv: upperHexOf(iv.value)} : {}),
    setting: CARD_DATA_SETTING,
    open: (plain) => proveContent(name, (evidence) => read(name, plain, evidence), copies, missing),
  };
}

/**
 * The refusal (2110) of a list without ciphertext that has a clear card number. Throws 2100 if it
 * has no card data at all.
 */
export function noCipher(
  form: TlvForm,
  all: readonly TlvObject[],
  card = form.tags.card,
): PaylensError {
  const refusal = refuseClearPan(all, card);
  if (refusal) return refusal;
  const expected = firstTag(form, 'cipher');
  throw new PaylensError(2100, `expected tag ${expected}, found none in ${all.length} objects`);
}
