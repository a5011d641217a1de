import {didYouMean} from '../contract/nearest-name.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {Keyfile} from './keyfile.js';
import type {PartnerEntry} from './partner-entry.js';

/** The keyfile with one partner more. Throws 9001 when its id is taken. */
export function addPartner(keyfile: Keyfile, added: PartnerEntry): Keyfile {
  const {partnerId} = added;
  if (keyfile.partners.some((partner) => partner.partnerId === partnerId)) {
    throw new PaylensError(9001, `partner ${partnerId} is already in the keyfile`, {
      hint: 'Change its keys with `paylens partner rotate`, or remove it first.',
    });
  }
  return {...keyfile, partners: [...keyfile.partners, added]};
}

/** The keyfile with `changed` in the place of the partner of its id. */
export function replacePartner(keyfile: Keyfile, changed: PartnerEntry): Keyfile {
  const partners = keyfile.partners.map((partner) =>
    partner.partnerId === changed.partnerId ? changed : partner,
  );
  return {...keyfile, partners};
}

/** The keyfile without the partner of this id. */
export function removePartner(keyfile: Keyfile, partnerId: string): Keyfile {
  return {...keyfile, partners: keyfile.partners.filter((other) => other.partnerId !== partnerId)};
}

/** The partner of this id, exactly as it is written. Throws 9001 when there is none. */
export function selectPartner(partners: readonly PartnerEntry[], partnerId: string): PartnerEntry {
  const found = partners.find((partner) => partner.partnerId === partnerId);
  if (found) return found;
  const known = partners.map((partner) => partner.partnerId);
  throw new PaylensError(9001, `there is no partner ${partnerId} in the keyfile`, {
    hint: didYouMean(partnerId, known) ?? 'Run `paylens partner list` to see the partners.',
  });
}
