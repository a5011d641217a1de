import type {PartnerDescription, RsaKeyDescription} from '../../keyfile/describe-partner.js';
import type {Layout} from '../output/layout/layout.js';
import {type Member, record, table} from '../output/layout/table.js';
import {printable} from '../output/terminal-text.js';

/** Partners as a table for people: never their keys. */
export function partnerTable(partners: readonly PartnerDescription[]): Layout {
  return table(['partner', 'methods', 'partnerKey', 'shared key', 'RSA key'], partners.map(rowOf));
}

/** One partner as a table for people; `keys` are those that were just generated. */
export function partnerDetails(
  partner: PartnerDescription,
  keys: {readonly partnerKey?: string | undefined; readonly sharedKey?: string | undefined} = {},
): Layout {
  const {partnerId, methods, rsaPublicKey} = partner;
  const encoding: Member[] =
    keys.sharedKey === undefined ? [] : [['encoding', partner.encoding ?? 'utf8']];
  return record([
    ['partnerId', printable(partnerId)],
    ['methods', methods.join(', ') || 'none'],
    ['partnerKey', keys.partnerKey ?? keyText(partner)],
    ['shared key', keys.sharedKey ?? sharedKeyText(partner)],
    ...encoding,
    ['RSA key', rsaPublicKey ? rsaText(rsaPublicKey) : '-'],
  ]);
}

function rowOf(partner: PartnerDescription): string[] {
  const {partnerId, methods, rsaPublicKey} = partner;
  return [
    printable(partnerId),
    methods.join(', ') || 'none',
    keyText(partner),
    sharedKeyText(partner),
    rsaPublicKey ? `${rsaPublicKey.sha256.slice(0, 16)}..` : '-',
  ];
}

function keyText({hasPartnerKey}: PartnerDescription): string {
  return hasPartnerKey ? 'set' : '-';
}

function sharedKeyText({hasSharedKey, encoding}: PartnerDescription): string {
  return hasSharedKey ? `set (${encoding})` : '-';
}

function rsaText({bits, sha256}: RsaKeyDescription): string {
  return `${bits} bits, SHA-256 ${sha256}`;
}
