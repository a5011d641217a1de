import type {Mode} from '../../../contract/process-payload.js';
import {readCardBlock} from '../../card/card-block.js';
import type {CardContent} from '../../card/card-content.js';
import {Evidence} from '../../card/evidence.js';
import {demandMaskedPans, type MaskedPan} from '../../card/masked-pans.js';
import {CARD_DATA_SETTING, type EncryptedField, type Reading} from '../../reading.js';
import {flatten, type TlvObject} from '../../tlv/ber.js';
import {posEntryMode} from '../shared/pos-entry-mode.js';
import {VIPA} from './layout.js';

/** A ciphertext with the KSN and IV beside it, in hex. */
export interface Block {
  readonly name: string;
  readonly offset: number;
  readonly ciphertext: Uint8Array;
  readonly ksn: string | undefined;
  readonly iv: string | undefined;
}

/** The ciphertexts of a payload; those without an IV are also tried as ECB. */
export function vipaReading(
  form: string,
  blocks: readonly Block[],
  copies: readonly MaskedPan[] = [],
  outer: readonly TlvObject[] = [],
): Reading {
  const cbc = blocks.map((block) =>
    fieldOf(block, (plain) => openBlock(block.name, plain, copies)),
  );
  const mode = (content: CardContent) => verifoneMode(content, outer);
  return {form, mode, candidates: withEcb(cbc)};
}

/** One ciphertext as a field to decrypt. */
export function fieldOf(block: Block, open: EncryptedField['open']): EncryptedField {
  return {...block, setting: CARD_DATA_SETTING, ivExpected: true, open};
}

/** Adds ECB as an alternative: the terminal's profile may use it, and it needs no IV. */
export function withEcb(cbc: readonly EncryptedField[]): EncryptedField[][] {
  if (cbc.every(({iv}) => iv !== undefined)) return [[...cbc]];
  const ecb = cbc.map((field) =>
    field.iv === undefined ? {...field, setting: {...field.setting, mode: 'ecb' as const}} : field,
  );
  return [[...cbc], ecb];
}

/** Reads TLV or track text and compares it with the masked copies. Throws 2601. */
export function openBlock(
  name: string,
  plain: Uint8Array,
  copies: readonly MaskedPan[] = [],
): CardContent {
  const evidence = new Evidence();
  const content = readCardBlock(name, plain, evidence);
  demandMaskedPans(name, copies, content, evidence);
  evidence.demand(name, 'A masked copy (57, 5A, DFDB05, DFDB06)');
  return {...content, facts: evidence.facts, bits: evidence.bits};
}

/**
 * DFDB01 is keyed entry, tracks are swiped; everything else is EMV unless 9F39 indicates otherwise.
 */
export function verifoneMode(content: CardContent, outer: readonly TlvObject[] = []): Mode {
  const inner = content.tlv?.flatMap((list) => flatten(list.objects)) ?? [];
  const tags = inner.map(({tag}) => tag);
  if (tags.includes(VIPA.keyedPan)) return 'keyed';
  if (tags.some((tag) => SWIPED.has(tag))) return 'swiped';
  const isText = tags.length === 0 && (content.track1 ?? content.track2) !== undefined;
  return isText ? 'swiped' : posEntryMode(inner, outer);
}

const SWIPED: ReadonlySet<string> = new Set([VIPA.track1, VIPA.track2, '5F21', '5F22', '5F23']);
