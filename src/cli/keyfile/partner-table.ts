import type {PartnerDescription, RsaKeyDescription} from '../../keyfile/describe-partner.js';
import {copied, type Layout, stack} from '../output/layout/layout.js';
import {record, table} from '../output/layout/table.js';
import {printable} from '../output/terminal-text.js';

/** Partners as a table for people: never their keys. */
export function partnerTable(partners: readonly PartnerDescription[]): Layout {
  return table(['partner', 'methods', 'partnerKey', 'shared key', 'RSA key'], partners.map(rowOf));
}

/**
 * One partner as a table for people, and below it the keys that were just generated, each in one line
 * for copying: they are shown this once.
 */
export function partnerDetails(
  partner: PartnerDescription,
  keys: {readonly partnerKey?: string | undefined; readonly sharedKey?: string | undefined} = {},
): Layout {
  const {partnerId, methods, rsaPublicKey} = partner;
  const details = record([
    ['partnerId', printable(partnerId)],
    ['methods', methods.join(', ') || 'none'],
    ['partnerKey', keyText(partner)],
    ['shared key', sharedKeyText(partner)],
    ['RSA key', rsaPublicKey ? rsaText(rsaPublicKey) : '-'],
  ]);
  const generated = [
    keys.partnerKey && copied('partnerKey:', keys.partnerKey),
    keys.sharedKey && copied('shared key:', keys.sharedKey),
  ];
  return stack(details, ...generated.filter((line) => typeof line === 'function'));
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
