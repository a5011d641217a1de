import {PaylensError} from '../../../contract/paylens-error.js';
import {isSameBytes, latin1Of, upperHexOf} from '../../../platform/bytes.js';
import {unlessThrown} from '../../../platform/unless-thrown.js';
import type {CardContent} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {addMaskedPans, type MaskedPan} from '../../card/masked-pans.js';
import {hasCheckDigit, isPan} from '../../card/track-data.js';
import {readPackedDigits} from '../../card/track2-equivalent.js';
import {assertBlocks} from '../../cipher/block-cipher.js';
import {isFill} from '../../cipher/padding.js';
import {NAD, readLinkFrames} from '../../forms/link-frame.js';
import {assertOneValue, severalReads} from '../../forms/one-read.js';
import {proveContent} from '../../forms/prove-content.js';
import {bodyOf, readTlvBody} from '../../forms/tlv/tlv-body.js';
import {type CipherObject, noCipher, readTlvForm} from '../../forms/tlv/tlv-form.js';
import type {Reading} from '../../reading.js';
import type {TlvObject} from '../../tlv/ber.js';
import type {Trace} from '../../trace.js';
import {blockField, openVipaBlock, verifoneMode, withEcb} from './blocks.js';
import {VERIFONE_TAGS, VIPA} from './layout.js';

/** The tags of one encrypted block. */
type BlockTags = Readonly<Record<'cipher' | 'ksn' | 'iv', string>>;

const CARD_BLOCK: BlockTags = {cipher: 'DFDF10', ksn: 'DFDF11', iv: 'DFDF12'};
const PAN_BLOCK: BlockTags = {cipher: 'DFDF13', ksn: 'DFDF14', iv: 'DFDF15'};

/**
 * Reads one or more VIPA frames, or the TLV list without them (docs/terminals/verifone.md#vipa).
 *
 * Throws 2100 if it is not a TLV list, if the terminal reports that encryption failed, or if there
 * is no card data; 2101 and 2102 as the frames do.
 */
export function readVipa(bytes: Uint8Array, trace: Trace): Reading {
  const isFramed = bytes[0] === NAD;
  const bodies = isFramed ? readLinkFrames(bytes, trace).map(({body}) => body) : [bodyOf(bytes)];
  const notes = {...VIPA.notes, names: VERIFONE_TAGS};
  const objects = bodies.flatMap((body) => readTlvBody(body, trace, notes));
  return readVipaObjects(isFramed ? 'VIPA frames' : 'VIPA tags', objects);
}

function readVipaObjects(form: string, objects: readonly TlvObject[]): Reading {
  const {all, extras} = readTlvForm(VIPA, objects);
  const {undeclared} = extras;
  const cards = blocksIn(objects, CARD_BLOCK);
  assertEncryptionStatus(all, 'DFDB0F');
  if (cards.length > 0) {
    const fields = cards.map((block) => blockField(block, extras.masked));
    // The response does not need FF7E, so it may be malformed.
    const pans = unlessThrown(() => blocksIn(objects, PAN_BLOCK)) ?? [];
    const secondaryFields = pans.map((block) => ({
      ...blockField(block),
      open: (plain: Uint8Array) => openPanForCheck(PAN_NAME, plain),
    }));
    const mode = (content: CardContent) => verifoneMode(content, all);
    return {form, mode, candidates: withEcb(fields), ...extras, secondaryFields};
  }
  const pans = blocksIn(objects, PAN_BLOCK);
  if (pans.length === 0) return {form, undeclared, candidates: [[]], refusal: noCipher(VIPA, all)};
  assertEncryptionStatus(all, 'DFDB16');
  const fields = pans.map((block) => ({
    ...blockField(block),
    open: (plain: Uint8Array) => openBarePan(PAN_NAME, plain, extras.masked),
  }));
  return {form: `${form}, PAN only`, mode: 'emv', candidates: withEcb(fields), ...extras};
}

/** All frames of one transaction repeat the same block. */
const MAX_BLOCKS = 32;

/** Ciphertexts with their KSN and IV, in any order; a repeated tag begins the next block. */
function blocksIn(objects: readonly TlvObject[], tags: BlockTags): CipherObject[] {
  const groups = groupsIn(objects, Object.values(tags));
  const blocks = groups.flatMap((group): CipherObject[] => {
    const object = group.get(tags.cipher);
    if (!object || object.value.length === 0) return [];
    return [{object, ksn: group.get(tags.ksn), iv: group.get(tags.iv)}];
  });
  for (const {object} of blocks)
    assertBlocks(`tag ${object.tag} at byte ${object.offset}`, object.value);
  assertOneTransaction(groups, tags);
  if (blocks.length <= MAX_BLOCKS) return distinctBlocks(blocks);
  const detail = `${tags.cipher}: expected at most ${MAX_BLOCKS}, found ${blocks.length}`;
  throw new PaylensError(2100, detail);
}

type Group = ReadonlyMap<string, TlvObject>;

function groupsIn(objects: readonly TlvObject[], tags: readonly string[]): Group[] {
  const groups: Group[] = [];
  let group: Map<string, TlvObject> | undefined;
  for (const object of objects) {
    if (object.children) groups.push(...groupsIn(object.children, tags));
    if (!tags.includes(object.tag)) continue;
    const known = group?.get(object.tag);
    if (known && isSameBytes(known.value, object.value)) continue;
    if (!group || known) {
      group = new Map();
      groups.push(group);
    }
    group.set(object.tag, object);
  }
  return groups;
}

/**
 * Several ciphertexts under one KSN may belong to one read. A second KSN, or a KSN or ciphertext on
 * its own, belongs to another read. Throws 2100.
 */
function assertOneTransaction(groups: readonly Group[], tags: BlockTags): void {
  if (!groups.some((group) => group.has(tags.cipher))) return;
  assertOneValue(groups.flatMap((group) => group.get(tags.ksn) ?? []));
  const alone = groups.find((group) => !group.has(tags.cipher) || !group.has(tags.ksn));
  if (!alone || groups.length === 1) return;
  const [object] = alone.values();
  throw severalReads(`tag ${object?.tag} at ${object?.offset}: given twice`);
}

/** The later frames of a transaction repeat the block of the first. */
function distinctBlocks(blocks: readonly CipherObject[]): CipherObject[] {
  const keys = blocks.map(({object, ksn, iv}) =>
    [ksn, iv, object].map((one) => one && upperHexOf(one.value)).join(' '),
  );
  return blocks.filter((_, i) => keys.indexOf(keys[i] ?? '') === i);
}

function assertEncryptionStatus(all: readonly TlvObject[], tag: string): void {
  const failed = all.find((one) => one.tag === tag && one.value.some((byte) => byte !== 0));
  if (!failed) return;
  const detail = `tag ${tag} at byte ${failed.offset}: the terminal reports that encryption failed`;
  throw new PaylensError(2100, detail);
}

const PAN_NAME = `tag ${PAN_BLOCK.cipher}`;

/** Reads FF7E: tag 5A, or the bare number, which only a masked copy can prove. Throws 2601. */
function openBarePan(name: string, plain: Uint8Array, copies: readonly MaskedPan[]): CardContent {
  if (plain[0] === 0x5a) return openVipaBlock(name, plain, copies);
  if (copies.length === 0) new Evidence().assertEnough(name, 'A masked copy (57, 5A)');
  const [pan, ...others] = barePans(plain).filter(
    (number) => !addMaskedPans(name, copies, {pan: number}, new Evidence()),
  );
  if (pan === undefined) throw notCardData(name, 'neither tag 5A nor the masked card number');
  const missing = 'A masked copy with more digits';
  if (others.length > 0) new Evidence().assertEnough(name, missing);
  const countDigits = (evidence: Evidence) => {
    evidence.add('other', 'number of digits', pan.length * 0.67);
    return {pan};
  };
  return proveContent(name, countDigits, copies, missing);
}

/**
 * Reads FF7E in a payload with FF7F. The masked copies are not used: if FF7E is of another card, so
 * are they. Throws 2601.
 */
function openPanForCheck(name: string, plain: Uint8Array): CardContent {
  if (plain[0] === 0x5a) return openVipaBlock(name, plain);
  const [pan, ...others] = barePans(plain).filter(hasCheckDigit);
  if (pan === undefined || others.length > 0) throw notCardData(name, 'no card number');
  const evidence = new Evidence();
  evidence.add('other', 'number of digits', pan.length * 0.67);
  evidence.add('padding', 'padding after it', (plain.length - Math.ceil(pan.length / 2)) * 8);
  evidence.assertEnough(name, 'A tag');
  return {pan};
}

/** Packed lengths of a card number, most common first. */
const PACKED_LENGTHS = [8, 10, 9, 7, 6];

/** ASCII digits, or packed digits with `F` filler, followed only by cipher padding. */
function barePans(plain: Uint8Array): string[] {
  const ascii = /^\d{12,19}/.exec(latin1Of(plain))?.[0];
  if (ascii !== undefined) return isFill(plain, ascii.length) ? [ascii] : [];
  return PACKED_LENGTHS.flatMap((length) => {
    const digits = readPackedDigits(plain.subarray(0, length)) ?? '';
    return isPan(digits) && isFill(plain, length) ? [digits] : [];
  });
}
