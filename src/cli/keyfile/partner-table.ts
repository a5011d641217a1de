import {
  describePartner,
  type PartnerDescription,
  type RsaKeyDescription,
} from '../../keyfile/describe-partner.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';
import {copied, type Layout, stack} from '../output/layout/layout.js';
import {record, table} from '../output/layout/table.js';
import {note, printJson, printResult} from '../output/output.js';
import {printable} from '../output/terminal-text.js';

/** The texts of keys that were generated just now. */
interface GeneratedKeys {
  readonly partnerKey?: string | undefined;
  readonly sharedKey?: string | undefined;
}

interface Changed {
  readonly path: string;
  readonly partner: PartnerEntry;
  readonly keys: GeneratedKeys;
  readonly json: boolean;
}

/** Prints a partner whose keys were saved: those that were generated are shown this once. */
export async function reportPartner(what: string, changed: Changed): Promise<void> {
  const {path, partner, keys, json} = changed;
  const description = describePartner(partner);
  if (json) return printJson({path, ...description, ...keys});
  const generated = keys.partnerKey !== undefined || keys.sharedKey !== undefined;
  note(generated ? `${what}. Save these keys now: they will not be shown again.` : `${what}.`);
  printResult(partnerDetails(description, keys));
}

/** Partners as a table for people: never their keys. */
export function partnerTable(partners: readonly PartnerDescription[]): Layout {
  return table(
    ['partner', 'methods', 'partnerKey', 'shared key', 'RSA key'],
    partners.map(partnerRow),
  );
}

/**
 * One partner as a table for people, and below it the keys that were just generated, each in one line
 * for copying: they are shown this once.
 */
export function partnerDetails(partner: PartnerDescription, keys: GeneratedKeys = {}): Layout {
  const {partnerId, methods, rsaPublicKey} = partner;
  const details = record([
    ['partnerId', printable(partnerId)],
    ['methods', methods.join(', ') || 'none'],
    ['partnerKey', partnerKeyText(partner)],
    ['shared key', sharedKeyText(partner)],
    ['RSA key', rsaPublicKey ? rsaText(rsaPublicKey) : '-'],
  ]);
  const generated = [
    keys.partnerKey && copied('partnerKey:', keys.partnerKey),
    keys.sharedKey && copied('shared key:', keys.sharedKey),
  ];
  return stack(details, ...generated.filter((line) => typeof line === 'function'));
}

function partnerRow(partner: PartnerDescription): string[] {
  const {partnerId, methods, rsaPublicKey} = partner;
  return [
    printable(partnerId),
    methods.join(', ') || 'none',
    partnerKeyText(partner),
    sharedKeyText(partner),
    rsaPublicKey ? `${rsaPublicKey.sha256.slice(0, 16)}..` : '-',
  ];
}

function partnerKeyText({hasPartnerKey}: PartnerDescription): string {
  return hasPartnerKey ? 'set' : '-';
}

function sharedKeyText({hasSharedKey, encoding}: PartnerDescription): string {
  return hasSharedKey ? `set (${encoding})` : '-';
}

function rsaText({bits, sha256}: RsaKeyDescription): string {
  return `${bits} bits, SHA-256 ${sha256}`;
}
