import {describePartner} from '../../keyfile/describe-partner.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';
import {note, printJson, printResult} from '../output/output.js';
import {partnerDetails} from './partner-table.js';

interface Changed {
  readonly path: string;
  readonly partner: PartnerEntry;
  /** The texts of keys that were generated just now. */
  readonly keys: {
    readonly partnerKey?: string | undefined;
    readonly sharedKey?: string | undefined;
  };
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
