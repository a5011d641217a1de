import {createPartner, type Partner} from '../../auth/partner/partner.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';

/**
 * The partners of keyfiles, prepared for authentication, by their ids. Throws 9015 if one is
 * unusable (see `createPartner`) or is in two keyfiles.
 */
export function partnerDirectory(entries: readonly PartnerEntry[]): ReadonlyMap<string, Partner> {
  const partners = new Map<string, Partner>();
  for (const entry of entries) {
    if (partners.has(entry.partnerId)) {
      throw new PaylensError(9015, `partner ${entry.partnerId} is in two keyfiles`);
    }
    partners.set(entry.partnerId, createPartner(entry));
  }
  return partners;
}
