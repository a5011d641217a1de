import type {Mode} from '../../../contract/process-payload.js';
import {readCardBlock} from '../../card/card-block.js';
import type {CardContent} from '../../card/card-content.js';
import type {MaskedPan} from '../../card/masked-pans.js';
import {proveContent} from '../../forms/prove-content.js';
import {posEntryMode} from '../../forms/tlv/pos-entry-mode.js';
import {type CipherObject, cipherField} from '../../forms/tlv/tlv-form.js';
import type {EncryptedField} from '../../reading.js';
import {flatten, type TlvObject} from '../../tlv/ber.js';

const MISSING = 'A masked copy (57, 5A, DFDB05, DFDB06)';

/** The field of an encrypted block of TLV or track text, proved by the masked copies. */
export function blockField(
  block: CipherObject,
  copies: readonly MaskedPan[] = [],
  unit: 'byte' | 'character' = 'byte',
): EncryptedField {
  const field = cipherField(block, readCardBlock, {copies, missing: MISSING, unit});
  return {ivExpected: true, ...field};
}

/** Reads TLV or track text and compares it with the masked copies. Throws 2601. */
export function openVipaBlock(
  name: string,
  plain: Uint8Array,
  copies: readonly MaskedPan[] = [],
): CardContent {
  return proveContent(name, (evidence) => readCardBlock(name, plain, evidence), copies, MISSING);
}

/** Adds ECB as an alternative: the terminal's profile may use it, and it needs no IV. */
export function withEcb(cbc: readonly EncryptedField[]): EncryptedField[][] {
  if (cbc.every(({iv}) => iv !== undefined)) return [[...cbc]];
  const ecb = cbc.map((field) =>
    field.iv === undefined ? {...field, setting: {...field.setting, mode: 'ecb' as const}} : field,
  );
  return [[...cbc], ecb];
}

/**
 * DFDB01 is keyed entry, tracks are swiped; everything else is EMV unless 9F39 indicates otherwise.
 */
export function verifoneMode(content: CardContent, outer: readonly TlvObject[] = []): Mode {
  const inner = content.tlv?.flatMap((list) => flatten(list.objects)) ?? [];
  const tags = inner.map(({tag}) => tag);
  if (tags.includes('DFDB01')) return 'keyed';
  if (tags.some((tag) => TRACK_TAGS_OF_SWIPES.has(tag))) return 'swiped';
  const isText = tags.length === 0 && (content.track1 ?? content.track2) !== undefined;
  return isText ? 'swiped' : posEntryMode(inner, outer);
}

const TRACK_TAGS_OF_SWIPES = new Set(['DFDB05', 'DFDB06', '5F21', '5F22', '5F23']);
