import {PaylensError} from '../../../contract/paylens-error.js';
import {isSameBytes, latin1Of, upperHexOf} from '../../../platform/bytes.js';
import type {CardContent} from '../../card/card-content.js';
import {clearBeside, numbersBeside, refuseClearPan} from '../../card/clear-tags.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {demandMaskedPans, type MaskedPan} from '../../card/masked-pans.js';
import {hasCheckDigit, isPan} from '../../card/track-data.js';
import {readPackedDigits} from '../../card/track2-equivalent.js';
import {demandBlocks} from '../../cipher/block-cipher.js';
import {isFill} from '../../cipher/padding.js';
import type {Reading} from '../../reading.js';
import {flatten, type TlvObject} from '../../tlv/ber.js';
import type {Trace} from '../../trace.js';
import {ksnsIn} from '../shared/ksns-in.js';
import {NAD, readLinkFrames} from '../shared/link-frame.js';
import {demandOneForm} from '../shared/one-form.js';
import {CLEAR_TAGS, demandOnce, demandOneValue, severalReads} from '../shared/one-read.js';
import {pinsIn} from '../shared/pins-in.js';
import {bodyOf, readTlvBody} from '../shared/tlv-body.js';
import {type Block, fieldOf, openBlock, vipaReading, withEcb} from './blocks.js';
import {MAX_BLOCKS, VERIFONE_TAG_KINDS, VERIFONE_TAGS, VIPA, VIPA_KSN_TAGS} from './layout.js';

/** The tags of one encrypted block. */
interface BlockTags {
  readonly ciphertext: string;
  readonly ksn: string;
  readonly iv: string;
}

const CARD_BLOCK: BlockTags = VIPA;
const PAN_BLOCK: BlockTags = {
  ciphertext: VIPA.panCiphertext,
  ksn: VIPA.panKsn,
  iv: VIPA.panIv,
};

/**
 * Reads one or more VIPA frames, or the TLV list without them (docs/formats/verifone.md#vipa).
 *
 * Throws 2100 if it is not a TLV list, if the terminal reports that encryption failed, or if there
 * is no card data; 2101 and 2102 as the frames do.
 */
export function readVipa(bytes: Uint8Array, trace: Trace): Reading {
  const isFramed = bytes[0] === NAD;
  const bodies = isFramed ? readLinkFrames(bytes, trace).map(({body}) => body) : [bodyOf(bytes)];
  const objects = bodies.flatMap((body) =>
    readTlvBody(body, trace, {
      names: VERIFONE_TAGS,
      kinds: VERIFONE_TAG_KINDS,
    }),
  );
  return readVipaTags(isFramed ? 'VIPA frames' : 'VIPA tags', objects);
}

/** Reads the objects of a VIPA response. Throws 2100, 2102. */
function readVipaTags(form: string, objects: readonly TlvObject[]): Reading {
  const all = flatten(objects);
  const copies = numbersBeside(all);
  demandOnce(all, CLEAR_TAGS);
  demandOneForm(all, 'VIPA');
  const cards = blocksOf(objects, CARD_BLOCK);
  const beside = {
    clear: clearBeside(all),
    masked: copies,
    ksns: ksnsIn(all, VIPA_KSN_TAGS),
    pins: pinsIn(all, {block: VIPA.pinBlock, ksn: VIPA.pinKsn}),
  };
  demandStatus(all, VIPA.status);
  if (cards.length > 0) {
    const witnesses = pansBeside(objects).map((block) =>
      fieldOf(block, (plain) => testifiedPan(block.name, plain)),
    );
    return {...vipaReading(form, cards, copies, all), ...beside, witnesses};
  }
  const pans = blocksOf(objects, PAN_BLOCK);
  if (pans.length === 0) return {form, candidates: [[]], refusal: refusalOf(all)};
  demandStatus(all, VIPA.panStatus);
  const fields = pans.map((block) => fieldOf(block, (plain) => openPan(block.name, plain, copies)));
  return {form: `${form}, PAN only`, mode: 'emv', candidates: withEcb(fields), ...beside};
}

/** Ciphertexts with their KSN and IV, in any order; a repeated tag begins the next block. */
function blocksOf(objects: readonly TlvObject[], tags: BlockTags): Block[] {
  const groups = groupsOf(objects, Object.values(pick(tags)));
  const blocks = groups.flatMap((group) => blockOf(group, tags));
  demandOneTransaction(groups, tags);
  if (blocks.length > MAX_BLOCKS) {
    throw new PaylensError(
      2100,
      `${tags.ciphertext}: expected at most ${MAX_BLOCKS}, found ${blocks.length}`,
    );
  }
  return distinct(blocks);
}

function pick({ciphertext, ksn, iv}: BlockTags): BlockTags {
  return {ciphertext, ksn, iv};
}

type Group = ReadonlyMap<string, TlvObject>;

function groupsOf(objects: readonly TlvObject[], tags: readonly string[]): Group[] {
  const groups: Map<string, TlvObject>[] = [];
  let group: Map<string, TlvObject> | undefined;
  for (const object of objects) {
    if (object.children) groups.push(...(groupsOf(object.children, tags) as typeof groups));
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
function demandOneTransaction(groups: readonly Group[], tags: BlockTags): void {
  if (!groups.some((group) => group.has(tags.ciphertext))) return;
  demandOneValue(groups.flatMap((group) => group.get(tags.ksn) ?? []));
  const alone = groups.find((group) => !group.has(tags.ciphertext) || !group.has(tags.ksn));
  if (!alone || groups.length === 1) return;
  const [object] = alone.values();
  throw severalReads(`tag ${object?.tag} at ${object?.offset}: given twice`);
}

function blockOf(group: Group, tags: BlockTags): Block[] {
  const object = group.get(tags.ciphertext);
  if (!object || object.value.length === 0) return [];
  const name = `tag ${tags.ciphertext}`;
  demandBlocks(`${name} at byte ${object.offset}`, object.value);
  const ksn = group.get(tags.ksn);
  const iv = group.get(tags.iv);
  return [
    {
      name,
      offset: object.offset + object.headerLength,
      ciphertext: object.value,
      ksn: ksn && upperHexOf(ksn.value),
      iv: iv && upperHexOf(iv.value),
    },
  ];
}

/** The later frames of a transaction repeat the block of the first. */
function distinct(blocks: readonly Block[]): Block[] {
  const key = ({ksn, iv, ciphertext}: Block) => [ksn, iv, upperHexOf(ciphertext)].join(' ');
  const keys = blocks.map(key);
  return blocks.filter((_, i) => keys.indexOf(keys[i] ?? '') === i);
}

function demandStatus(all: readonly TlvObject[], tag: string): void {
  const failed = all.find(
    (object) => object.tag === tag && object.value.some((byte) => byte !== 0),
  );
  if (!failed) return;
  throw new PaylensError(
    2100,
    `tag ${tag} at byte ${failed.offset}: the terminal reports that encryption failed`,
  );
}

/** Reads FF7E: tag 5A, or the bare number, which only a masked copy can prove. Throws 2601. */
function openPan(name: string, plain: Uint8Array, copies: readonly MaskedPan[]): CardContent {
  if (plain[0] === 0x5a) return openBlock(name, plain, copies);
  if (copies.length === 0) new Evidence().demand(name, 'A masked copy (57, 5A)');
  const evidence = new Evidence();
  const [pan, ...others] = barePans(plain).filter((number) => agrees(name, copies, {pan: number}));
  if (pan === undefined) throw notCardData(name, 'neither tag 5A nor the masked card number');
  if (others.length > 0) new Evidence().demand(name, 'A masked copy with more digits');
  evidence.add('other', 'number of digits', pan.length * 0.67);
  demandMaskedPans(name, copies, {pan}, evidence);
  evidence.demand(name, 'A masked copy with more digits');
  return {pan, facts: evidence.facts, bits: evidence.bits};
}

/** The blocks of FF7E. Beside FF7F the response does not need them, so they may be malformed. */
function pansBeside(objects: readonly TlvObject[]): Block[] {
  try {
    return blocksOf(objects, PAN_BLOCK);
  } catch {
    return [];
  }
}

/**
 * Reads FF7E beside FF7F. The masked copies are not used: if it is of another card, so are they.
 * Throws 2601.
 */
function testifiedPan(name: string, plain: Uint8Array): CardContent {
  if (plain[0] === 0x5a) return openBlock(name, plain);
  const [pan, ...others] = barePans(plain).filter(hasCheckDigit);
  if (pan === undefined || others.length > 0) throw notCardData(name, 'no card number');
  const evidence = new Evidence();
  evidence.add('other', 'number of digits', pan.length * 0.67);
  evidence.add('padding', 'padding after it', (plain.length - Math.ceil(pan.length / 2)) * 8);
  evidence.demand(name, 'A tag');
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

function agrees(name: string, copies: readonly MaskedPan[], content: CardContent): boolean {
  try {
    demandMaskedPans(name, copies, content, new Evidence());
    return true;
  } catch {
    return false;
  }
}

/** Clear card data is refused; a payload without any card data is not recognised (2100). */
function refusalOf(all: readonly TlvObject[]): PaylensError {
  const refusal = refuseClearPan(all);
  if (refusal) return refusal;
  throw new PaylensError(
    2100,
    `expected tag ${VIPA.ciphertext}, found none in ${all.length} objects`,
  );
}
