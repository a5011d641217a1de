import {PaylensError} from '../../../contract/paylens-error.js';
import {assertBlocks} from '../../cipher/block-cipher.js';
import {entryOf} from '../../forms/entry-of.js';
import {hexValue} from '../../forms/payload-bytes.js';
import {CARD_DATA_SETTING, type EncryptedField, type Reading} from '../../reading.js';
import type {Sensitivity, Trace} from '../../trace.js';
import {openVipaBlock, verifoneMode, withEcb} from './blocks.js';

/** The start of the text form. */
const TVP = 'TVP|';

const TVP_MEMBERS: Readonly<
  Record<string, {readonly name: string; readonly sensitivity: Sensitivity}>
> = {
  iv: {name: 'IV', sensitivity: 'opaque'},
  ksn: {name: 'KSN', sensitivity: 'harmless'},
  vipa: {name: 'card data, encrypted', sensitivity: 'opaque'},
};

/** True for the text form that a gateway forwards. */
export function isTvp(payload: string): boolean {
  return payload.trimStart().slice(0, TVP.length).toUpperCase() === TVP;
}

/**
 * Reads `TVP|iv:<hex>|ksn:<hex>|vipa:<hex>`, its members in any order
 * (docs/terminals/verifone.md#vipa-plaintext). Throws 2100 for an unknown or a repeated member, 2102
 * without `vipa` or if that is not whole blocks.
 */
export function readTvp(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const members = new Map<string, string>();
  for (const {0: part, index} of payload.matchAll(/[^|]+\|?|\|/g)) {
    noteMember(trace, part, index);
    if (index > 0 || !isTvp(part)) addTvpMember(members, part.replace('|', '').trim(), index);
  }
  const ciphertext = vipaCiphertext(members.get('vipa'));
  const offset = payload.toLowerCase().indexOf('vipa:') + 'vipa:'.length;
  const field: EncryptedField = {
    name: 'vipa',
    offset,
    ciphertext,
    ksn: members.get('ksn'),
    iv: members.get('iv'),
    setting: CARD_DATA_SETTING,
    ivExpected: true,
    open: (plain) => openVipaBlock('vipa', plain),
  };
  return {form: 'TVP text', mode: (content) => verifoneMode(content), candidates: withEcb([field])};
}

function addTvpMember(members: Map<string, string>, part: string, index: number): void {
  const [, name = '', value = ''] = /^(\w+):(.*)$/s.exec(part) ?? [];
  const key = name.toLowerCase();
  if (entryOf(TVP_MEMBERS, key) === undefined) {
    if (part.length < MIN_MEMBER) throw new PaylensError(2102, `character ${index}: truncated`);
    throw new PaylensError(2100, `character ${index}: expected iv:, ksn: or vipa:`);
  }
  if (members.has(key)) throw new PaylensError(2100, `character ${index}: duplicate member ${key}`);
  members.set(key, value.trim());
}

/** Length of the shortest name and its colon. */
const MIN_MEMBER = 'iv:'.length;

function vipaCiphertext(hex: string | undefined): Uint8Array {
  if (hex === undefined)
    throw new PaylensError(2102, 'expected a vipa: member, found the end of the text');
  const ciphertext = hexValue(hex, 'vipa');
  assertBlocks('vipa', ciphertext);
  return ciphertext;
}

function noteMember(trace: Trace, part: string, offset: number): void {
  if (!trace.recording) return;
  const [, key = '', value = part] = /^\s*(\w+):(.*?)\|?$/s.exec(part) ?? [];
  const unknown = {name: offset === 0 ? 'form' : 'unknown member'};
  trace.note({
    ...{offset, length: part.length, depth: 0, value, ...(key ? {meaning: key} : {})},
    ...(entryOf(TVP_MEMBERS, key.toLowerCase()) ?? unknown),
  });
}
