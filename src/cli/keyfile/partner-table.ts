import {describePartner, type PartnerDescription} from '../../keyfile/describe-partner.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';
import {copied, type Layout} from '../output/layout/layout.js';
import {single, table} from '../output/layout/table.js';
import {note, printJson, printResult} from '../output/output.js';
import {printable} from '../output/terminal-text.js';

interface Changed {
  readonly path: string;
  readonly partner: PartnerEntry;
  /** The texts of keys that were generated just now. */
  readonly keys: {readonly [Name in 'partnerKey' | 'sharedKey']: string | undefined};
  readonly json: boolean;
}

/** Prints a partner whose keys were saved: those that were generated are shown this once. */
export async function reportPartner(what: string, changed: Changed): Promise<void> {
  const {path, partner, keys, json} = changed;
  const description = describePartner(partner);
  if (json) return printJson({path, ...description, ...keys});
  const {partnerKey, sharedKey} = keys;
  const texts = [
    ...(partnerKey === undefined ? [] : [copied('partnerKey:', partnerKey)]),
    ...(sharedKey === undefined ? [] : [copied('shared key:', sharedKey)]),
  ];
  note(
    texts.length > 0 ? `${what}. Save these keys now: they will not be shown again.` : `${what}.`,
  );
  printResult(single(PARTNER_COLUMNS, partnerRow(description)), ...texts);
}

/** Partners as a table for people: never their keys. */
export function partnerTable(partners: readonly PartnerDescription[]): Layout {
  return table(PARTNER_COLUMNS, partners.map(partnerRow));
}

const PARTNER_COLUMNS = ['partner', 'methods', 'partnerKey', 'shared key', 'RSA key (SHA-256)'];

function partnerRow(partner: PartnerDescription): string[] {
  const {partnerId, methods, hasPartnerKey, hasSharedKey, encoding, rsaPublicKey} = partner;
  return [
    printable(partnerId),
    methods.join(', ') || 'none',
    hasPartnerKey ? 'set' : '-',
    hasSharedKey ? `set (${encoding})` : '-',
    rsaPublicKey?.sha256 ?? '-',
  ];
}
