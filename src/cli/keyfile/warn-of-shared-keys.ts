import {decodeSharedKey} from '../../auth/partner/shared-key.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';
import {base64Of} from '../../platform/bytes.js';
import {warn} from '../output/output.js';

/**
 * Warns of partners with one shared key, all of them or those who share it with `added`: a request
 * that one signs could be sent as the other's.
 */
export function warnOfSharedKeys(partners: readonly PartnerEntry[], added?: string): void {
  const owners = new Map<string, string[]>();
  for (const {partnerId, sharedKey, encoding = 'utf8'} of partners) {
    const key = sharedKey && decodeSharedKey(sharedKey.reveal(), encoding);
    if (!key) continue;
    const bytes = base64Of(key);
    owners.set(bytes, [...(owners.get(bytes) ?? []), partnerId]);
  }
  for (const ids of owners.values()) {
    const [first, ...others] = [...new Set(ids)];
    if (others.length > 0 && (added === undefined || ids.includes(added)))
      warn(
        `partners ${[first, ...others].join(', ')} have the same shared key: a request of one is ` +
          'a request of the others; run `paylens partner rotate` for all but one',
      );
  }
}
